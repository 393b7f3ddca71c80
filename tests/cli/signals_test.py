# SPDX-License-Identifier: Apache-2.0
"""Signals that end a run: what is asked to stop saves what it has, and nothing ends with a half-written file left."""
import os
import signal
import subprocess
import time

from command import TIMEOUT, CommandTest, random_rows, start


def wait_for(condition):
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.002)


class Signals(CommandTest):
    def start(self, *arguments, **options):
        return start(*arguments, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def start_training(self, **options):
        """A run of dxml that has been through its first epochs; it would go on for long."""
        self.write("rows.txt", "\n".join(random_rows(300)) + "\n")
        process = self.start("train", "-i", "rows.txt", "-m", "m.xylem", "--method", "dxml", "--set", "hidden=16", "--set",
                             "dim=8", "--set", "patience=300", "--checkpoint", "saved", **options)
        wait_for(lambda: os.path.exists(self.path("saved/train.checkpoint")))
        return process

    def start_writing(self):
        """A run with a half-written file; it would go on for long."""
        self.train_tiny("m.xylem")
        process = self.start("eval", "-m", "m.xylem", "-i", "tiny.txt", "--bootstrap", "1000000", "--per-label", "l.tsv")
        wait_for(lambda: f"l.tsv.part-{process.pid}" in self.files())
        return process

    def test_that_ask_to_stop_save_the_best_model_so_far(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                process = self.start_training()
                process.send_signal(number)
                _, err = process.communicate(timeout=TIMEOUT)
                self.assertEqual(process.returncode, 130, err)
                self.assertIn(b"interrupted: wrote the best model so far", err)
                self.xylem("info", "--verify", "m.xylem")
                os.remove(self.path("m.xylem"))
                for name in os.listdir(self.path("saved")):
                    os.remove(self.path("saved/" + name))

    def test_that_are_ignored_stay_so(self):
        # As nohup starts it.
        process = self.start_training(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        before = os.stat(self.path("saved/train.checkpoint")).st_mtime_ns
        process.send_signal(signal.SIGHUP)
        wait_for(lambda: os.stat(self.path("saved/train.checkpoint")).st_mtime_ns > before)
        self.assertIsNone(process.poll())
        process.kill()
        process.communicate()

    def test_one_after_the_other_end_it_and_leave_no_half_written_file(self):
        process = self.start_writing()
        process.send_signal(signal.SIGSTOP)  # so that both are there at once
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.files(), ["m.xylem", "tiny.txt"])

    def test_that_quit_leave_no_half_written_file(self):
        process = self.start_writing()
        process.send_signal(signal.SIGQUIT)
        process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, -signal.SIGQUIT)
        self.assertEqual([name for name in self.files() if not name.startswith("core")], ["m.xylem", "tiny.txt"])

    def test_of_a_closed_terminal_end_it(self):
        process = self.start_writing()
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.files(), ["m.xylem", "tiny.txt"])
