# SPDX-License-Identifier: Apache-2.0
"""The folder of --checkpoint: one run at a time, and files in it that are damaged or not what the program writes."""
import os
import shutil
import signal
import subprocess
import time

from command import TIMEOUT, CommandTest, random_rows, start

# Trees with some hundred nodes; so many passes are allowed that the checkpoint has several files.
FOREST = ["--set", "trees=3", "--set", "arity=4", "--set", "max_leaf=10", "--set", "passes=2000"]
NEURAL = ["--method", "dxml", "--set", "hidden=16", "--set", "dim=8", "--set", "patience=2"]


class Checkpoint(CommandTest):
    def train(self, *options, rows=3000):
        if "rows.txt" not in self.files():
            self.write("rows.txt", "\n".join(random_rows(rows, n_features=600, n_labels=200)) + "\n")
        return ["train", "-i", "rows.txt", "-m", "m.xylem", "--force", "--checkpoint", "saved", *options]

    def saved(self):
        return sorted(name for name in os.listdir(self.path("saved")) if name.endswith(".checkpoint"))


class OneRunAtATime(Checkpoint):
    def test_has_the_folder(self):
        train = self.train(*FOREST)
        first = start(*train, cwd=self.folder, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + TIMEOUT
        while not os.path.exists(self.path("saved/nodes-0.checkpoint")) and time.monotonic() < deadline:
            time.sleep(0.002)
        first.send_signal(signal.SIGSTOP)  # so that it is there for as long as we need it
        self.write(f"saved/nodes-1.checkpoint.part-{first.pid}", "what it is just writing")
        before = {name: self.read("saved/" + name) for name in os.listdir(self.path("saved"))}
        for options in ([], ["--resume"], ["--seed", "2"]):
            self.fails(2, r"another run uses the folder saved: wait for its end, or name a folder of its own", *train,
                       *options)
        self.assertEqual({name: self.read("saved/" + name) for name in os.listdir(self.path("saved"))}, before)
        # Killed, it has it no longer.
        first.kill()
        first.wait()
        self.xylem(*train, "--resume")
        resumed = self.read("m.xylem")
        self.assertEqual([name for name in os.listdir(self.path("saved")) if ".part-" in name], [])
        self.xylem("train", "-i", "rows.txt", "-m", "m.xylem", "--force", *FOREST)
        self.assertEqual(resumed, self.read("m.xylem"))

    def test_lets_the_folder_go_at_its_end(self):
        train = self.train("--method", "popular", rows=10)
        os.mkdir(self.path("saved"))
        self.write("saved/lock", "")  # of an earlier run; it is no checkpoint
        self.assertIn("no checkpoint to resume from", self.xylem(*train, "--resume").err)
        self.xylem(*train, "--resume")


class Damaged(Checkpoint):
    def damage(self, name):
        content = bytearray(self.read("saved/" + name))
        content[len(content) // 2] ^= 1
        self.write("saved/" + name, bytes(content))

    def test_files_are_named_and_their_part_is_trained_again(self):
        for options in (FOREST, NEURAL, ["--method", "knn"]):
            with self.subTest(options):
                train = self.train(*options, rows=600)
                self.xylem(*train)
                undisturbed = self.read("m.xylem")
                names = self.saved()
                self.assertGreater(len(names), 1)
                for name in names:
                    self.damage(name)
                    resumed = self.xylem(*train, "--resume", "-q")
                    self.assertIn(f"xylem: warning: saved/{name} is damaged: its checksum does not match its content; this "
                                  "part is trained again\n", resumed.err)
                    self.assertEqual(self.read("m.xylem"), undisturbed)
                    self.assertNotIn("damaged", self.xylem(*train, "--resume").err)
                shutil.rmtree(self.path("saved"))

    def test_files_that_are_cut_count_as_damaged(self):
        train = self.train("--method", "knn", rows=600)
        self.xylem(*train)
        for size in (0, 3, 40):
            self.write("saved/choice.checkpoint", self.read("saved/choice.checkpoint")[:size])
            self.assertIn("saved/choice.checkpoint is damaged", self.xylem(*train, "--resume").err)


class Foreign(Checkpoint):
    def test_content_with_a_right_checksum_is_refused(self):
        train = self.train(*FOREST)
        self.xylem(*train)
        nodes = [name for name in self.saved() if name.startswith("nodes-")]
        self.assertGreater(len(nodes), 1)
        shutil.copy(self.path("saved/" + nodes[0]), self.path("saved/" + nodes[1]))
        self.fails(2, r"the checkpoint holds what this program does not write: delete its folder and begin without "
                      r"--resume", *train, "--resume")
