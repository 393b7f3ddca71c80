# SPDX-License-Identifier: Apache-2.0
"""SIGTERM at several stages of training: the process ends soon. What counts is the CPU time that it still takes, since a
busy machine makes every wall clock lie."""
import os
import random
import re
import signal
import subprocess
import time

from command import TIMEOUT, CommandTest, methods, start

SANITIZED = os.environ.get("XYLEM_SANITIZED") == "ON"
MOST_SECONDS = 5 if SANITIZED else 0.5  # of CPU time, on one thread
STAGES = (0.05, 0.3, 0.55, 0.8)         # of the CPU time of a run that nobody stops
# So many features that first weights alone take as long.
N_FEATURES = 4000 if SANITIZED else 40000
SMALL = {
    "parabel": ["trees=2"],
    "dxml": ["epochs=2"],
    "mnn": ["epochs=2", "dim=256"],
    "glas": ["epochs=2", "dim=256"],
    "rank-ae": ["epochs=2", "dim=256"],
}


def many_features(n_rows=1500, n_labels=60):
    draw = random.Random(1)
    lines = [f"{n_rows} {N_FEATURES} {n_labels}"]
    for row in range(n_rows):
        features = sorted({row % n_labels, *(draw.randrange(N_FEATURES) for _ in range(40))})
        lines.append(f"{row % n_labels}" + "".join(f" {feature}:1" for feature in features))
    return "\n".join(lines) + "\n"


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        user, system = stat.read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Stopped(CommandTest):
    def train(self, method, stop_at=None):
        """The exit code, the CPU seconds of the whole process, and those after the signal."""
        settings = [word for setting in SMALL.get(method, []) for word in ("--set", setting)]
        process = start("train", "-q", "-j", "1", "-i", "rows.txt", "-m", "m.xylem", "--force", "--method", method, *settings,
                        cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = 0
        if stop_at is not None:
            deadline = time.monotonic() + TIMEOUT
            while before < stop_at and time.monotonic() < deadline:
                time.sleep(0.001)
                before = cpu_seconds(process.pid)
            os.kill(process.pid, signal.SIGTERM)  # send_signal() would reap a process that has ended
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        return process.returncode, seconds, seconds - before

    def test_an_epoch_is_kept_without_choosing_the_rest(self):
        n_rows = 1500 if SANITIZED else 4000  # so that choosing how neighbours vote takes many seconds
        self.write("rows.txt", many_features(n_rows))
        for method in ("dxml", "mnn"):
            with self.subTest(method):
                process = start("train", "-j", "1", "-i", "rows.txt", "-m", "m.xylem", "--force", "--method", method, "--set",
                                "patience=100", "--set", "dim=64", cwd=self.folder, stderr=subprocess.PIPE)
                line = ""
                while not re.search("train +[1-9][0-9]* epochs", line) and process.poll() is None:
                    line = process.stderr.readline().decode()
                before = cpu_seconds(process.pid)
                process.send_signal(signal.SIGTERM)
                process.stderr.read()
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                self.assertEqual(process.returncode, 130)
                self.assertLess(usage.ru_utime + usage.ru_stime - before, 2 * MOST_SECONDS)

    def test_training_ends_soon_at_every_stage(self):
        self.write("rows.txt", many_features())
        for method in methods():
            code, whole, _ = self.train(method)
            self.assertEqual(code, 0, method)
            for stage in STAGES:
                code, _, after = self.train(method, stage * whole)
                with self.subTest(method=method, stage=stage):
                    # Before the signal is looked after it ends the process, and near the end there is nothing to stop.
                    self.assertIn(code, (130, -signal.SIGTERM, 0))
                    self.assertLess(after, MOST_SECONDS)
