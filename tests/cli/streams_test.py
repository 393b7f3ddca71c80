# SPDX-License-Identifier: Apache-2.0
"""Standard output and error: what belongs where, and what happens when they are full, closed or a broken pipe."""
import os
import subprocess

from command import BINARY, CommandTest, random_rows, start

PRINTING = [
    ["predict", "-m", "tiny.xylem", "-i", "tiny.txt"],
    ["predict", "-m", "tiny.xylem", "-i", "tiny.txt", "-o", "-", "--format", "jsonl"],
    ["explain", "-m", "tiny.xylem", "-i", "tiny.txt"],
    ["eval", "-m", "tiny.xylem", "-i", "tiny.txt"],
    ["eval", "-m", "tiny.xylem", "-i", "tiny.txt", "--json"],
    ["info", "tiny.xylem"],
    ["labels", "-m", "tiny.xylem"],
    ["info", "tiny.xylem", "--json"],
    ["info", "tiny.xylem", "--verify"],
    ["methods"],
    ["methods", "--json"],
    ["train", "-i", "tiny.txt", "-m", "new.xylem", "--force", "--json"],
    ["train", "--print-config"],
    ["--help"],
    ["train", "--help"],
    ["--version"],
]


def close(descriptor):
    return lambda: os.close(descriptor)


class ResultsAndRemarks(CommandTest):
    def test_training_writes_nothing_to_standard_output(self):
        self.train_tiny()
        result = self.xylem("train", "-i", "tiny.txt", "-m", "m.xylem", "--valid", "0.3", "--method", "knn")
        self.assertEqual(result.out, "")
        self.assertRegex(result.err, r"^read 8 rows, 6 features, 4 labels\ntrained knn k=\d+ in .* s\n"
                                     r"on 2 validation rows: P@1 .*\nwrote m.xylem, .*\n$")

    def test_only_results_are_on_standard_output(self):
        self.train_tiny()
        for command in PRINTING:
            with self.subTest(" ".join(command)):
                result = self.xylem(*command)
                self.assertNotEqual(result.out, "")
                if command[0] != "train":
                    self.assertEqual(result.err, "")

    def test_quiet_is_quiet(self):
        self.train_tiny()
        result = self.xylem("train", "-q", "-i", "tiny.txt", "-m", "m.xylem", "--valid", "0.3")
        self.assertEqual((result.out, result.err), ("", ""))
        self.xylem("predict", "--quiet", "-i", "tiny.txt", "-m", "m.xylem", "-o", "p.txt")
        self.assertEqual(self.xylem("predict", "--quiet", "-i", "tiny.txt", "-m", "m.xylem").err, "")

    def test_errors_come_alone_on_standard_error(self):
        result = self.fails(5, "cannot open nowhere", "predict", "-m", "nowhere", "-i", "nowhere")
        self.assertEqual(result.out, "")
        self.assertEqual(result.err.count("\n"), 1)


class BrokenStreams(CommandTest):
    def setUp(self):
        super().setUp()
        self.train_tiny(method="knn")

    def test_a_pipe_may_be_named(self):
        predict = ["predict", "-q", "-m", "tiny.xylem", "-i", "tiny.txt"]
        self.assertEqual(self.xylem(*predict, "-o", "/dev/stdout").out, self.xylem(*predict).out)

    def test_a_full_standard_output_is_exit_5(self):
        for command in PRINTING:
            with self.subTest(" ".join(command)), open("/dev/full", "wb") as full:
                self.fails(5, r"cannot write standard output: No space left", *command, stdout=full)

    def test_a_closed_standard_output_is_exit_5(self):
        for command in PRINTING:
            with self.subTest(" ".join(command)):
                self.fails(5, r"cannot write standard output: ", *command, stdout=None, preexec=close(1))

    def test_a_full_output_file_is_exit_5(self):
        self.fails(5, r"cannot write /dev/full: No space left",
                   "predict", "-m", "tiny.xylem", "-i", "tiny.txt", "-o", "/dev/full")

    def test_a_full_or_closed_standard_error_changes_nothing(self):
        self.write("wide.txt", "0 0:1 77:1\n")  # gives a warning
        expected = self.xylem("predict", "-m", "tiny.xylem", "-i", "wide.txt").out_bytes
        with open("/dev/full", "wb") as full:
            self.xylem("predict", "-m", "tiny.xylem", "-i", "wide.txt", "-o", "full.txt", stderr=full)
            self.xylem("train", "-i", "tiny.txt", "-m", "full.xylem", "--method", "knn", "--set", "k=2", stderr=full)
            self.xylem("train", "-i", "nowhere", "-m", "m.xylem", stderr=full, code=5)
        self.xylem("predict", "-m", "tiny.xylem", "-i", "wide.txt", "-o", "closed.txt", stderr=None, preexec=close(2))
        self.assertEqual(self.read("full.txt"), expected)
        self.assertEqual(self.read("closed.txt"), expected)
        self.assertEqual(self.read("full.xylem"), self.read("tiny.xylem"))

    def test_a_closed_standard_input_is_exit_5(self):
        result = subprocess.run([BINARY, "predict", "-m", "tiny.xylem", "-i", "-"], cwd=self.folder,
                                preexec_fn=close(0), capture_output=True, check=False)
        self.assertEqual(result.returncode, 5)
        self.assertIn(b"xylem: cannot read standard input", result.stderr)

    def test_a_reader_that_has_seen_enough_is_no_reason_to_complain(self):
        self.write("many.txt", "\n".join(random_rows(20000, n_features=6, features_a_row=4)) + "\n")
        process = start("predict", "-q", "-m", "tiny.xylem", "-i", "many.txt", cwd=self.folder,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), b"20000 4\n")
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(process.wait(), 141)

    def test_nobody_to_read_remarks_does_not_stop_the_work(self):
        reading, writing = os.pipe()
        os.close(reading)
        self.xylem("train", "-i", "tiny.txt", "-m", "piped.xylem", "--method", "knn", "--set", "k=2", stderr=writing)
        os.close(writing)
        self.assertEqual(self.read("piped.xylem"), self.read("tiny.xylem"))
