# SPDX-License-Identifier: Apache-2.0
"""Systems that give less than usual: no /proc, no more threads, no room in memory."""
import json
import os
import resource
import shutil
import subprocess
import unittest
import unittest.mock

from command import BINARY, TIMEOUT, CommandTest, random_rows, with_header

SANITIZED = os.environ.get("XYLEM_SANITIZED") == "ON"  # sanitizers need /proc and a large address space
NOBODY = 65534


def can_hide_proc():
    hidden = subprocess.run(["unshare", "-m", "bash", "-c", "mount -t tmpfs none /proc"], check=False,
                            stderr=subprocess.DEVNULL) if shutil.which("unshare") else None
    return hidden is not None and hidden.returncode == 0


@unittest.skipIf(SANITIZED, "sanitizers read /proc")
class WithoutProc(CommandTest):
    def setUp(self):
        super().setUp()
        if not can_hide_proc():
            self.skipTest("unshare may not hide /proc here: needs root, or user namespaces")
        self.write("rows.txt", with_header(random_rows(200)))

    def hidden(self, *arguments, code=0):
        script = 'mount -t tmpfs none /proc && exec "$@"'
        done = subprocess.run(["unshare", "-m", "bash", "-c", script, "bash", BINARY, *map(str, arguments)],
                              cwd=self.folder, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stderr}")
        return done

    def test_every_command_works_as_it_does_with_it(self):
        train = ["train", "-i", "rows.txt", "--method", "knn", "--checkpoint"]
        self.xylem(*train, "a", "-m", "with.xylem")
        report = json.loads(self.hidden(*train, "b", "-m", "without.xylem", "--json").stdout)
        self.assertEqual(self.read("without.xylem"), self.read("with.xylem"))
        self.assertGreater(report["peak_bytes"], 1_000_000)
        self.assertLess(report["peak_bytes"], 1_000_000_000)
        predict = ["predict", "-m", "with.xylem", "-i", "rows.txt"]
        self.assertEqual(self.hidden(*predict).stdout, self.xylem(*predict).out)
        self.hidden("eval", "-m", "with.xylem", "-i", "rows.txt")
        self.hidden("learn", "-m", "with.xylem", "-i", "rows.txt", "-o", "more.xylem")
        self.hidden("explain", "-m", "with.xylem", "-i", "rows.txt", "-k", 1)
        self.assertNotIn("too_little_memory", self.hidden("doctor", "-i", "rows.txt", "--json").stdout)

    def test_what_the_machine_has_is_still_a_limit(self):
        self.write("huge.txt", "1 3 2000000000\n0 2:1\n")
        failed = self.hidden("train", "-i", "huge.txt", "-m", "m.xylem", "--method", "dxml", code=6)
        self.assertRegex(failed.stderr, r"xylem: training dxml needs .* and .* are allowed in all\n$")


class FewerThreads(CommandTest):
    def setUp(self):
        super().setUp()
        no_leaks = unittest.mock.patch.dict(os.environ, {"ASAN_OPTIONS": "detect_leaks=0"})  # they are sought in a thread
        no_leaks.start()
        self.addCleanup(no_leaks.stop)
        os.chmod(self.folder, 0o777)
        self.write("rows.txt", with_header(random_rows(300)))

    @staticmethod
    def limit_threads():
        """For preexec: no thread beside the first can start; root has no such limit, and so becomes somebody else."""
        def limit():
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
        return limit

    def test_are_enough_and_the_bytes_are_the_same(self):
        for method, options in (("knn", ["--set", "k=5"]), ("parabel", ["--set", "trees=1"]),
                                ("dxml", ["--set", "epochs=2", "--set", "k=5", "--set", "blend=0", "--set", "vote_power=1",
                                          "--set", "ridge=0"])):
            with self.subTest(method):
                train = ["train", "-i", "rows.txt", "--force", "--method", method, *options, "-j", 4, "-m"]
                self.xylem(*train, "all.xylem")
                few = self.xylem(*train, "few.xylem", preexec=self.limit_threads())
                self.assertIn("xylem: warning: the system lets only 1 of 4 threads start; goes on with 1\n", few.err)
                self.assertEqual(few.err.count("threads"), 1)
                self.assertEqual(self.read("few.xylem"), self.read("all.xylem"))

    def test_are_enough_for_every_command(self):
        self.train_tiny("tiny.xylem", method="knn")
        for command in (["predict", "-m", "tiny.xylem", "-i", "tiny.txt"], ["eval", "-m", "tiny.xylem", "-i", "tiny.txt"],
                        ["explain", "-m", "tiny.xylem", "-i", "tiny.txt"], ["doctor", "-i", "tiny.txt"],
                        ["learn", "-m", "tiny.xylem", "-i", "tiny.txt", "-o", "new.xylem"]):
            with self.subTest(command[0]):
                result = self.xylem(*command, "-j", 3, preexec=self.limit_threads())
                self.assertIn("the system lets only 1 of 3 threads start", result.err)

    @unittest.skipIf(SANITIZED, "sanitizers want a large address space")
    def test_some_are_used_where_there_is_room_for_some(self):
        def small_space():
            resource.setrlimit(resource.RLIMIT_STACK, (1 << 29, 1 << 29))
            resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        result = self.xylem("train", "-i", "rows.txt", "-m", "m.xylem", "--method", "popular", "-j", 16,
                            preexec=small_space)
        self.assertRegex(result.err, r"the system lets only [3-5] of 16 threads start; goes on with [3-5]\n")

    def test_nothing_is_said_where_all_start(self):
        self.assertNotIn("threads", self.xylem("train", "-i", "rows.txt", "-m", "m.xylem", "-j", 4).err)


@unittest.skipIf(SANITIZED, "sanitizers want a large address space")
class NoRoom(CommandTest):
    def test_for_a_model_file_is_exit_6(self):
        with open(self.path("large.xylem"), "wb") as file:
            file.truncate(8 << 30)
        self.fails(6, r"cannot map large.xylem: Cannot allocate memory", "info", "large.xylem",
                   preexec=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
