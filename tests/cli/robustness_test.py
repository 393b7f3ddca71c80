# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, kill -9 and full disks: what was there stays, and nothing half-made is left."""
import json
import os
import random
import shutil
import signal
import subprocess
import time

from command import TIMEOUT, CommandTest, limit_file_size, random_rows, start

# Trees with some hundred nodes; so many passes are allowed that the checkpoint has several files.
FOREST = ["--set", "trees=3", "--set", "arity=4", "--set", "max_leaf=10", "--set", "passes=2000"]


def handles_interrupts(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        caught = next(line.split()[1] for line in status if line.startswith("SigCgt:"))
    return int(caught, 16) >> (signal.SIGINT - 1) & 1


def dense_rows(n_rows, n_features=100):
    """Rows that all have the same features: quickly made, and slow to search for neighbours."""
    features = " ".join(f"{feature}:1" for feature in range(n_features))
    return "".join(f"{row % 50} {features}\n" for row in range(n_rows))


class Interrupted(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("dense.txt", dense_rows(20000))

    def assert_interrupted(self, process, files):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, out), (130, b""), err)
        self.assertRegex(err.decode(), r"(^|\n)xylem: \S[^\n]*\n$")
        self.assertEqual(self.files(), files)

    def start(self, *arguments):
        return start(*arguments, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_training_leaves_nothing_behind(self):
        process = self.start("train", "-i", "dense.txt", "-m", "m.xylem")
        self.assertIn(b"read 20000 rows", process.stderr.readline())
        self.assert_interrupted(process, ["dense.txt"])

    def test_training_leaves_the_old_model_as_it_was(self):
        self.train_tiny("m.xylem")
        before = self.read("m.xylem")
        process = self.start("train", "-i", "dense.txt", "-m", "m.xylem", "--force")
        self.assertIn(b"read 20000 rows", process.stderr.readline())
        self.assert_interrupted(process, ["dense.txt", "m.xylem", "tiny.txt"])
        self.assertEqual(self.read("m.xylem"), before)

    def test_training_by_epochs_keeps_the_best_model_so_far(self):
        self.write("rows.txt", "\n".join(random_rows(300)) + "\n")
        small = ["--method", "dxml", "--set", "hidden=16", "--set", "dim=8"]
        for settings, what in (
            # Long enough that the signal comes in time.
            (["--set", "patience=300"], r"epoch \d+, trained without the 30 held-out rows"),
            (["--set", "epochs=500", "--set", "k=5", "--set", "blend=0", "--set", "vote_power=8", "--set", "ridge=0"], r"epoch \d+"),
        ):
            train = ["train", "-i", "rows.txt", *small, *settings]
            self.xylem(*train, "-m", "undisturbed.xylem", "--force")
            process = self.start(*train, "-m", "m.xylem", "--force", "--json", "--checkpoint", "saved")
            deadline = time.monotonic() + TIMEOUT
            while not os.path.exists(self.path("saved/train.checkpoint")) and time.monotonic() < deadline:
                pass
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=TIMEOUT)
            self.assertEqual(process.returncode, 130, err)
            self.assertRegex(err.decode(), rf"\nxylem: interrupted: wrote the best model so far, {what}\n$")
            card = json.loads(out)["card"]
            self.assertIn(card["interrupted"], err.decode())
            self.assertNotIn("validation", card)
            self.assertIn("interrupted  epoch", self.xylem("info", "m.xylem").out)
            self.xylem("eval", "-m", "m.xylem", "-i", "rows.txt")
            self.assertNotEqual(self.read("m.xylem"), self.read("undisturbed.xylem"))
            self.xylem(*train, "-m", "m.xylem", "--force", "--checkpoint", "saved", "--resume")
            self.assertEqual(self.read("m.xylem"), self.read("undisturbed.xylem"))
            shutil.rmtree(self.path("saved"))

    def test_prediction_leaves_what_can_be_continued(self):
        self.xylem("train", "-q", "-i", "dense.txt", "-m", "m.xylem", "--method", "knn", "--set", "k=1")
        process = self.start("predict", "-m", "m.xylem", "-i", "dense.txt", "-o", "p.txt")
        deadline = time.monotonic() + TIMEOUT
        while len(self.files()) < 4 and time.monotonic() < deadline:  # until the output has been begun
            pass
        self.assert_interrupted(process, ["dense.txt", "m.xylem", "p.txt.part", "p.txt.part.state"])

    def test_evaluation_leaves_nothing_behind(self):
        self.train_tiny("m.xylem")
        process = self.start("eval", "-m", "m.xylem", "-i", "tiny.txt", "--bootstrap", "1000000", "--per-label", "l.tsv")
        deadline = time.monotonic() + TIMEOUT
        while len(self.files()) == 3 and time.monotonic() < deadline:  # until the table has been begun
            pass
        self.assert_interrupted(process, ["dense.txt", "m.xylem", "tiny.txt"])


    def test_waiting_for_input_ends_at_once(self):
        self.train_tiny("m.xylem", method="knn")
        for command in (["predict", "-m", "m.xylem", "-i", "-", "-o", "p.txt"], ["eval", "-m", "m.xylem", "-i", "-"],
                        ["learn", "-m", "m.xylem", "-i", "-", "-o", "n.xylem"],
                        ["train", "-i", "-", "-m", "n.xylem"]):
            process = start(*command, cwd=self.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            while not handles_interrupts(process.pid):
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=TIMEOUT), 130, command)
            process.stdin.close()
            process.stderr.close()
        self.assertEqual(self.files(), ["dense.txt", "m.xylem", "tiny.txt"])


class Killed(CommandTest):
    def test_at_any_moment_the_model_is_the_old_or_the_new_one(self):
        self.train_tiny("old.xylem")
        self.write("dense.txt", dense_rows(4000))
        train = ["train", "-q", "-i", "dense.txt", "--method", "knn", "--set", "k=1", "--force", "-m"]
        began = time.monotonic()
        self.xylem(*train, "new.xylem")
        seconds = time.monotonic() - began
        old, new = self.read("old.xylem"), self.read("new.xylem")
        self.assertNotEqual(old, new)
        draw = random.Random(1)
        for _ in range(20):
            shutil.copy(self.path("old.xylem"), self.path("m.xylem"))
            process = start(*train, "m.xylem", cwd=self.folder)
            try:
                process.wait(timeout=seconds * draw.uniform(0.3, 1.2))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            self.xylem("info", "--verify", "m.xylem")
            self.assertIn(self.read("m.xylem"), (old, new))
            # Nobody can clean up after kill -9, but what is left must not look like a model.
            for name in set(self.files()) - {"dense.txt", "tiny.txt", "m.xylem", "old.xylem", "new.xylem"}:
                self.assertRegex(name, r"^m\.xylem\.part-\d+$")
                os.remove(self.path(name))


class Resumed(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("rows.txt", "\n".join(random_rows(3000, n_features=600, n_labels=200)) + "\n")
        began = time.monotonic()
        self.xylem("train", "-i", "rows.txt", "-m", "undisturbed.xylem", *FOREST)
        self.seconds = time.monotonic() - began
        self.model = self.read("undisturbed.xylem")
        self.train = ["train", "-i", "rows.txt", "-m", "m.xylem", "--force", "--checkpoint", "saved", *FOREST]

    def kill_after(self, seconds, *arguments):
        process = start(*arguments, cwd=self.folder, stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def bundles(self):
        return sorted(name for name in os.listdir(self.path("saved")) if name.startswith("nodes-"))

    def test_after_a_kill_at_any_moment_the_bytes_are_the_same(self):
        draw = random.Random(1)
        for _ in range(5):
            self.kill_after(self.seconds * draw.uniform(0.1, 1), *self.train, "-j", draw.randint(1, 3))
            self.kill_after(self.seconds * draw.uniform(0.1, 1), *self.train, "-j", draw.randint(1, 3), "--resume")
            self.xylem(*self.train, "-j", draw.randint(1, 3), "--resume")
            self.assertEqual(self.read("m.xylem"), self.model)

    def test_nodes_that_were_trained_are_not_trained_again(self):
        self.xylem(*self.train)
        bundles = self.bundles()
        self.assertGreater(len(bundles), 2)
        os.remove(self.path(f"saved/{bundles[0]}"))
        damaged = bytearray(self.read(f"saved/{bundles[1]}"))
        damaged[len(damaged) // 2] ^= 1
        self.write(f"saved/{bundles[1]}", bytes(damaged))
        resumed = self.xylem(*self.train, "--resume")
        self.assertRegex(resumed.err, r"resumed: \d+ of \d+ nodes were found in the checkpoint")
        self.assertEqual(self.read("m.xylem"), self.model)
        self.assertEqual(self.bundles(), bundles)

    def test_what_another_run_has_written_is_neither_used_nor_lost(self):
        self.xylem(*self.train)
        left = os.listdir(self.path("saved"))
        for change in (["--seed", "2"], ["--set", "cost=2"], ["--method", "popular"]):
            train = self.train if change[0] != "--method" else self.train[: -len(FOREST)]
            self.fails(2, "the checkpoint is of a run with other data, method, settings or seed", *train, *change,
                       "--resume")
        without_force = [argument for argument in self.train if argument != "--force"]
        without_force[without_force.index("m.xylem")] = "new.xylem"
        self.fails(2, "saved holds a checkpoint already; --resume goes on from it, --force starts over", *without_force)
        self.write("bad.txt", "x\n")
        self.fails(3, "bad.txt", "train", "-i", "bad.txt", "-m", "m.xylem", "--force", "--checkpoint", "saved")
        self.assertEqual(os.listdir(self.path("saved")), left)
        self.assertIn("saved holds a checkpoint of an earlier run: --force replaces it and starts over, --resume would go "
                      "on from it\n", self.xylem(*self.train).err)

    def test_without_a_checkpoint_it_begins_and_says_so(self):
        self.assertIn("no checkpoint to resume from", self.xylem(*self.train, "--resume").err)
        self.assertEqual(self.read("m.xylem"), self.model)

    def test_a_full_disk_is_exit_5(self):
        self.fails(5, r"cannot write saved/nodes-\d+.checkpoint: File too large", *self.train,
                   preexec=limit_file_size(1000))
        self.assertEqual(sorted(os.listdir(self.path("saved"))), ["lock", "run.checkpoint"])


class FullDisk(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("dense.txt", dense_rows(1000))
        self.train_tiny("m.xylem")
        self.before = self.read("m.xylem")
        self.all_files = self.files()

    def test_while_saving_leaves_the_old_model_as_it_was(self):
        for limit in (0, 1, 10000):
            self.fails(5, r"cannot write m.xylem: File too large", "train", "-i", "dense.txt", "-m", "m.xylem",
                       "--method", "knn", "--set", "k=1", "--force", preexec=limit_file_size(limit))
            self.assertEqual(self.read("m.xylem"), self.before)
            self.assertEqual(self.files(), self.all_files)

    def test_while_saving_a_new_model_leaves_nothing(self):
        self.fails(5, r"cannot write n.xylem: File too large", "train", "-i", "dense.txt", "-m", "n.xylem",
                   "--method", "knn", "--set", "k=1", preexec=limit_file_size(10000))
        self.assertEqual(self.files(), self.all_files)

    def test_while_predicting_leaves_nothing(self):
        self.fails(5, r"cannot write p.txt: File too large", "predict", "-m", "m.xylem", "-i", "dense.txt",
                   "-o", "p.txt", preexec=limit_file_size(1000))
        self.fails(5, r"cannot write l.tsv: File too large", "eval", "-m", "m.xylem", "-i", "dense.txt",
                   "--per-label", "l.tsv", preexec=limit_file_size(10))
        self.assertEqual(self.files(), self.all_files)

    def test_of_standard_output_is_noticed(self):
        with open(self.path("out.txt"), "wb") as out:
            self.fails(5, r"cannot write standard output: File too large", "info", "m.xylem", stdout=out,
                       preexec=limit_file_size(10))
