# SPDX-License-Identifier: Apache-2.0
"""Data files: odd rows, ids from one, bad lines, files out of reach. The table of inputs is in input_table_test."""
import os
import re
import subprocess

from command import BINARY, TIMEOUT, TINY, TINY_ROWS, CommandTest, limit_file_size, random_rows, with_header


class OddRows(CommandTest):
    def test_rows_without_labels_or_features_are_accepted(self):
        self.write("odd.txt", "4 6 4\n0,1 0:1\n 1:1\n2\n\n")
        self.xylem("train", "-i", "odd.txt", "-m", "odd.xylem", "--method", "knn", "--set", "k=1")
        card = self.xylem("info", "odd.xylem", "--json").json["card"]
        self.assertEqual((card["data"]["rows"], card["data"]["features"], card["data"]["labels"]), (4, 6, 4))
        evaluation = self.xylem("eval", "-m", "odd.xylem", "-i", "odd.txt", "--json").json
        self.assertEqual(evaluation["rows_without_labels"], 2)
        self.assertEqual(len(self.xylem("predict", "-m", "odd.xylem", "-i", "odd.txt").out.splitlines()), 5)

    def test_features_beyond_the_model_are_ignored_with_a_warning(self):
        self.train_tiny(method="knn")
        self.write("wide.txt", "0 0:1 77:5\n")
        result = self.xylem("predict", "-m", "tiny.xylem", "-i", "wide.txt")
        self.assertIn("wide.txt: values of features beyond the 6 of the training rows: 1", result.err)

    def test_ids_from_one_come_back_from_one(self):
        shifted = []
        for row in TINY_ROWS:
            labels, *features = row.split(" ")
            pairs = [feature.split(":") for feature in features]
            shifted.append(",".join(str(int(label) + 1) for label in labels.split(",")) + " " +
                           " ".join(f"{int(feature) + 1}:{value}" for feature, value in pairs))
        self.train_tiny(method="knn")
        self.write("one.txt", "\n".join(shifted) + "\n")
        self.xylem("train", "-q", "-i", "one.txt", "-m", "one.xylem", "--method", "knn", "--set", "k=2")
        for output_format in ("xmlrepo", "jsonl", "fasttext"):
            def labels(model, data):
                out = self.xylem("predict", "-m", model, "-i", data, "--format", output_format, "-k", 2).out
                patterns = {"xmlrepo": r"(\d+):", "jsonl": r'"label":(\d+)', "fasttext": r"__label__(\d+)"}
                return [int(label) for label in re.findall(patterns[output_format], out)]
            from_one = labels("one.xylem", "one.txt")
            self.assertEqual([label - 1 for label in from_one], labels("tiny.xylem", "tiny.txt"))
            self.assertGreaterEqual(min(from_one), 1)
        one = self.xylem("eval", "-m", "one.xylem", "-i", "one.txt", "--json", "--per-label", "labels.tsv").json
        zero = self.xylem("eval", "-m", "tiny.xylem", "-i", "tiny.txt", "--json").json
        self.assertEqual(one["P@1"], zero["P@1"])
        self.assertEqual(self.read("labels.tsv").decode().splitlines()[1].split("\t")[0], "1")


class RefusedFiles(CommandTest):
    def test_a_file_of_no_kind_is_told_from_its_first_line(self):
        for content in (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), b"just some words\n"):
            self.write("odd.txt", content)
            self.fails(3, r"odd.txt:1: found .*, expected a line that looks like xmlrepo, libsvm, fasttext",
                       "train", "-i", "odd.txt", "-m", "m.xylem")

    def test_standard_input_is_called_by_its_name(self):
        self.fails(3, r"standard input:1: found '0:x', expected", "train", "-i", "-", "-m", "m.xylem", stdin="1 0:x\n")
        self.fails(3, r"standard input:1: found an empty file", "train", "-i", "-", "-m", "m.xylem")
        self.train_tiny("m.xylem")
        rows = TINY.replace("0:1", "9:1", 1) + "bad\n"
        warned = self.xylem("predict", "-q", "-m", "m.xylem", "-i", "-", "--max-bad-lines", 1,
                            stdin=rows.split("\n", 1)[1]).err
        self.assertIn("warning: standard input: bad lines, skipped: 1\n", warned)
        self.assertIn("warning: standard input: values of features beyond the 6 of the training rows: 1\n", warned)
        predictions = self.xylem("predict", "-q", "-m", "m.xylem", "-i", "tiny.txt").out
        said = self.xylem("eval", "--predictions", "-", "--truth", "tiny.txt", "--train", "tiny.txt",
                          stdin=predictions).err
        self.assertIn("standard input: read as xmlrepo, rows matched by position\n", said)
        self.assertNotRegex(warned + said, "(^|\n|: )-: ")

    def test_rows_without_any_label_cannot_be_learned_from(self):
        self.write("unlabelled.txt", " 0:1\n 1:1\n")
        self.fails(3, r"none of the 2 training rows has a label", "train", "-i", "unlabelled.txt", "-m", "m.xylem")

    def test_too_few_rows_to_choose_on_is_said(self):
        self.write("one.txt", "0 0:1\n")
        result = self.xylem("train", "-i", "one.txt", "-m", "m.xylem", "--method", "knn")
        self.assertIn("of a single row none can be held out", result.err)


class BadLines(CommandTest):
    def setUp(self):
        super().setUp()
        lines = TINY_ROWS[:2] + ["0 1:x", "1 y:1"] + TINY_ROWS[2:]
        self.write("some.txt", "10 6 4\n" + "\n".join(lines) + "\n")

    def test_are_skipped_and_counted_up_to_the_limit(self):
        self.train_tiny("expected.xylem", method="knn")
        result = self.xylem("train", "-i", "some.txt", "-m", "m.xylem", "--method", "knn", "--set", "k=2", "--max-bad-lines", 2)
        self.assertIn("warning: some.txt:4: found '1:x', expected a feature", result.err)
        self.assertIn("warning: some.txt:5: found 'y:1', expected a feature", result.err)
        self.assertIn("warning: some.txt: bad lines, skipped: 2\n", result.err)
        self.assertEqual(self.read("m.xylem"), self.read("expected.xylem"))
        predicted = self.xylem("predict", "-m", "m.xylem", "-i", "some.txt", "--max-bad-lines", 2)
        self.assertEqual(predicted.out, self.xylem("predict", "-m", "m.xylem", "-i", "tiny.txt").out)

    def test_one_more_than_allowed_is_an_error(self):
        self.fails(3, r"some.txt:4: found '1:x', expected .*; at least 2 lines are bad and only 1 may be skipped",
                   "train", "-i", "some.txt", "-m", "m.xylem", "--max-bad-lines", 1)

    def test_a_file_of_nothing_else_is_an_error(self):
        self.write("all.txt", "a\nb\n")
        self.fails(3, r"all.txt:1: found 'a', .*all lines are bad",
                   "train", "--input-format", "libsvm", "-i", "all.txt", "-m", "m.xylem", "--max-bad-lines", 5)

    def test_do_not_excuse_a_header_that_lies(self):
        self.write("short.txt", "9 6 4\n0 0:1\nx\n")
        self.fails(3, r"short.txt:1: found 2 rows, expected the 9",
                   "train", "-i", "short.txt", "-m", "m.xylem", "--max-bad-lines", 5)


class RepeatedRows(CommandTest):
    def test_for_validation_are_worth_a_warning(self):
        self.write("tiny.txt", TINY)
        train = ["train", "-q", "-i", "tiny.txt", "-m", "m.xylem", "--method", "popular", "--force", "--valid"]
        self.assertEqual(self.xylem(*train, "tiny.txt").err,
                         "xylem: warning: --valid tiny.txt is also a file of training rows, so the validation figures are "
                         "too high\n")
        self.assertEqual(self.xylem(*train, "0.3").err, "")


class FilesOutOfReach(CommandTest):
    def test_missing_files_and_folders_are_exit_5(self):
        self.train_tiny()
        os.mkdir(self.path("folder"))
        reading = {"nowhere.txt": r"cannot open nowhere.txt: No such file",
                   "folder": r"cannot read folder: it is a folder"}
        for name, pattern in reading.items():
            self.fails(5, pattern, "train", "-i", name, "-m", "m.xylem")
            self.fails(5, pattern, "train", "-i", "tiny.txt", "-m", "m.xylem", "--valid", name)
            self.fails(5, pattern, "train", "-i", "tiny.txt", "-m", "m.xylem", "--config", name)
            self.fails(5, pattern, "predict", "-m", "tiny.xylem", "-i", name)
            self.fails(5, pattern, "explain", "-m", "tiny.xylem", "-i", name)
            self.fails(5, pattern, "eval", "-m", "tiny.xylem", "-i", name)
            self.fails(5, pattern, "eval", "--predictions", name, "--truth", "tiny.txt", "--train", "tiny.txt")
            for verb in (["predict", "-i", "tiny.txt"], ["explain", "-i", "tiny.txt"], ["eval", "-i", "tiny.txt"], ["info"], ["labels"]):
                self.fails(5, name, *verb, "-m", name)
        self.fails(5, r"cannot write folder: it is a folder", "train", "-i", "tiny.txt", "-m", "folder")
        self.fails(5, r"cannot write folder: it is a folder", "train", "-i", "tiny.txt", "-m", "folder", "--force")
        self.fails(5, r"cannot write folder: it is a folder",
                   "predict", "-m", "tiny.xylem", "-i", "tiny.txt", "-o", "folder")
        self.fails(5, r"cannot write no/m.xylem: No such file", "train", "-i", "tiny.txt", "-m", "no/m.xylem")
        self.assertEqual(self.files(), ["folder", "tiny.txt", "tiny.xylem"])

    def test_a_missing_validation_file_is_noticed_before_the_training_data(self):
        self.write("bad.txt", "x\n")
        self.fails(5, "cannot open nowhere.txt", "train", "-i", "bad.txt", "-m", "m.xylem", "--valid", "nowhere.txt")

    def test_a_temporary_file_that_cannot_be_written_is_named_with_its_folder(self):
        os.mkdir(self.path("temp"))
        environment = {**os.environ, "TMPDIR": self.path("temp")}
        text = '{"text": "bake bread", "labels": ["cooking"]}\n' * 5000
        done = subprocess.run([BINARY, "train", "-q", "-i", "-", "-m", "m.xylem"], input=text.encode(), cwd=self.folder,
                              env=environment, preexec_fn=limit_file_size(10_000), capture_output=True, timeout=TIMEOUT,
                              check=False)
        self.assertEqual(done.returncode, 5)
        self.assertEqual(done.stderr.decode(), f"xylem: cannot write a temporary file in {self.path('temp')} (TMPDIR "
                                               "names another folder): File too large\n")

    def test_pipes_are_read_once(self):
        self.write("tiny.txt", TINY)
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "file.xylem", "--valid", "tiny.txt")
        reading, writing = os.pipe()
        os.write(writing, TINY.encode())
        os.close(writing)
        command = [BINARY, "train", "-q", "-i", "tiny.txt", "-m", "pipe.xylem", "--valid", f"/dev/fd/{reading}"]
        done = subprocess.run(command, cwd=self.folder, pass_fds=[reading], timeout=TIMEOUT, check=False)
        os.close(reading)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.read("pipe.xylem"), self.read("file.xylem"))


class Memory(CommandTest):
    def test_too_little_is_exit_6_before_any_work(self):
        self.write("rows.txt", with_header(random_rows(3000)))
        self.fails(6, r"rows.txt: .* memory, 10.0 KB are allowed",
                   "train", "-i", "rows.txt", "-m", "m.xylem", "--max-memory", "10K")
        held = self.fails(6, r"training knn needs .* beside .* of program and data, and 16.5 MB are allowed in all",
                          "train", "-i", "rows.txt", "-m", "m.xylem", "--max-memory", "16.5MB", "--method", "knn")
        self.assertNotIn("trained", held.err)
        self.assertEqual(self.files(), ["rows.txt"])
        self.xylem("train", "-i", "rows.txt", "-m", "m.xylem", "--max-memory", "50MB", "--method", "knn", "--set", "k=5")

    def test_is_for_all_files_together(self):
        self.write("rows.txt", with_header(random_rows(3000)))
        self.train_tiny("m.xylem", method="knn")
        self.train_tiny("old.xylem", method="knn")
        several = ["-i", "rows.txt", "-i", "rows.txt", "-i", "rows.txt", "--max-memory", "600K", "-m"]
        already = r"rows.txt: (\d+ rows|the files before it) already take .* of memory, .* are allowed"
        self.fails(6, already, "train", *several, "new.xylem")
        self.fails(6, already, "learn", *several, "m.xylem", "-o", "new.xylem")
        self.assertNotIn("new.xylem", self.files())

    def test_a_size_that_is_none_is_a_usage_error(self):
        for text in ("many", "-1G", "0", "8X", "nan"):
            self.fails(2, r"--max-memory '.*': expected a size like",
                       "train", "-i", "x", "-m", "m", "--max-memory=" + text)
