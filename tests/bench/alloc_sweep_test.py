# SPDX-License-Identifier: Apache-2.0
import os
import re
import subprocess
import unittest

from toy import ROOT, XYLEM


@unittest.skipIf(os.environ.get("XYLEM_SANITIZED") == "ON", "sanitizers have an allocator of their own")
class AllocSweep(unittest.TestCase):
    def sweep(self, *arguments):
        return subprocess.run([ROOT / "bench" / "alloc_sweep", "--binary", XYLEM, *arguments], capture_output=True, text=True,
                              check=False)

    def test_every_command_survives_the_failure_of_an_allocation(self):
        done = self.sweep("--points", "4")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        runs = re.search(r"^(\d+) runs, exit codes (0: \d+, )?6: (\d+); 0 faults$", done.stdout, re.MULTILINE)
        self.assertIsNotNone(runs, done.stdout)
        self.assertGreater(int(runs[3]), 0.9 * int(runs[1]))  # so allocations do fail

    def test_the_last_steps_of_a_command_are_all_tried(self):
        done = self.sweep("--first", "-120", "explain popular", "predict popular", "labels near", "help")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("960 runs", done.stdout)

    def test_commands_can_be_chosen(self):
        done = self.sweep("--points", "2", "info")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^info: \d+ allocations, 4 runs, exit codes .*6: \d\n4 runs")
        self.assertRegex(self.sweep("nothing").stderr, "no command nothing; there are train parabel")
