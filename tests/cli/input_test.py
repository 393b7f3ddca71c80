# SPDX-License-Identifier: Apache-2.0
"""The table of inputs: what data files may look like, through the verbs that read them."""
import gzip
import os
import re
import shutil
import subprocess
import unittest

from command import BINARY, TIMEOUT, TINY, TINY_ROWS, CommandTest, random_rows, with_header


class AcceptedFiles(CommandTest):
    """Another form of the same data gives the same model, to the byte."""

    def setUp(self):
        super().setUp()
        self.train_tiny("expected.xylem", method="knn")

    def assert_same(self, content, name="other.txt", **options):
        self.write(name, content)
        result = self.xylem("train", "-i", name, "-m", "other.xylem", "--set", "k=2", "--force", **options)
        self.assertEqual(self.read("other.xylem"), self.read("expected.xylem"))
        expected = self.xylem("predict", "-q", "-m", "expected.xylem", "-i", "tiny.txt").out
        self.assertEqual(self.xylem("predict", "-q", "-m", "expected.xylem", "-i", name).out, expected)
        return result

    def test_windows_line_ends_make_no_difference(self):
        self.assert_same(TINY.replace("\n", "\r\n"))

    def test_byte_order_mark_makes_no_difference(self):
        self.assert_same("\ufeff" + TINY)

    def test_missing_last_newline_makes_no_difference(self):
        self.assert_same(TINY.rstrip("\n"))

    def test_blank_lines_at_the_end_make_no_difference(self):
        self.assert_same(TINY + "\n\n\n")

    def test_order_of_ids_makes_no_difference(self):
        self.assert_same(TINY.replace("1,2 1:0.7 3:0.9", "2,1 3:0.9 1:0.7"))

    def test_missing_header_makes_no_difference(self):
        self.assert_same("\n".join(TINY_ROWS) + "\n")

    def test_missing_value_is_one(self):
        self.assert_same(TINY.replace("1 1:1\n", "1 1\n"))

    def test_tabs_and_many_blanks_make_no_difference(self):
        self.assert_same(TINY.replace("0:1 1:0.5", "0:1 \t  1:0.5\t "))

    def test_forms_of_numbers_make_no_difference(self):
        self.assert_same(TINY.replace("0:0.8", "0:8e-1").replace("5:0.6", "5:.6"))

    def test_gzip_makes_no_difference(self):
        self.assert_same(gzip.compress(TINY.encode()), "other.gz")
        self.assert_same(gzip.compress(TINY.encode()), "not-called-gz.txt")

    def test_concatenated_gzip_makes_no_difference(self):
        middle = len(TINY) // 2
        self.assert_same(gzip.compress(TINY[:middle].encode()) + gzip.compress(TINY[middle:].encode()))

    @unittest.skipUnless(shutil.which("zstd"), "the program zstd is not installed")
    def test_zstd_makes_no_difference(self):
        packed = subprocess.run(["zstd", "-c"], input=TINY.encode(), capture_output=True, check=True).stdout
        self.assert_same(packed)

    def test_standard_input_makes_no_difference(self):
        for content in (TINY.encode(), gzip.compress(TINY.encode())):
            self.xylem("train", "-q", "-i", "-", "-m", "piped.xylem", "--set", "k=2", "--force", stdin=content)
            self.assertEqual(self.read("piped.xylem"), self.read("expected.xylem"))
            piped = self.xylem("predict", "-q", "-m", "piped.xylem", "-i", "-", stdin=content).out
            self.assertEqual(piped, self.xylem("predict", "-q", "-m", "piped.xylem", "-i", "tiny.txt").out)

    def test_duplicates_are_counted_in_a_warning(self):
        result = self.assert_same(TINY.replace("0,1 0:1 1:0.5", "0,1,0 0:0.5 1:0.5 0:0.5"))
        self.assertIn("warning: other.txt: duplicate features, summed: 1\n", result.err)
        self.assertIn("warning: other.txt: duplicate labels, taken once: 1\n", result.err)


class OddRows(CommandTest):
    def test_rows_without_labels_or_features_are_accepted(self):
        self.write("odd.txt", "4 6 4\n0,1 0:1\n 1:1\n2\n\n")
        self.xylem("train", "-i", "odd.txt", "-m", "odd.xylem", "--set", "k=1")
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
        self.xylem("train", "-q", "-i", "one.txt", "-m", "one.xylem", "--set", "k=2")
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


# What a row or a file holds, and the sentence after file:line.
REFUSED = {
    "a value that is no number": ("0 1:abc\n", r"bad.txt:3: found '1:abc', expected a feature as id:value"),
    "NaN": ("0 1:nan\n", r"bad.txt:3: found '1:nan', expected .* finite"),
    "infinity": ("0 1:-inf\n", r"bad.txt:3: found '1:-inf', expected .* finite"),
    "overflow": ("0 1:1e39\n", r"bad.txt:3: found '1:1e39', expected .* finite"),
    "a sum that overflows": ("0 1:3e38 1:3e38\n", r"bad.txt:3: found feature 1 .* sum .*, expected"),
    "a negative feature": ("0 -1:1\n", r"bad.txt:3: found '-1:1', expected"),
    "a negative label": ("-1 1:1\n", r"bad.txt:3: found '-1', expected"),
    "a label out of range": ("5 1:1\n", r"bad.txt:3: found '5', expected a label id from 0 to 4"),
    "a feature out of range": ("0 7:1\n", r"bad.txt:3: found '7:1', expected a feature id from 0 to 6"),
    "a huge id": ("0 99999999999999999999:1\n", r"bad.txt:3: found '99999999999999999999:1', expected"),
    "a broken label": ("0,x 1:1\n", r"bad.txt:3: found 'x', expected a label"),
    "an empty label": ("0,,1 1:1\n", r"bad.txt:3: found '0,,1', expected labels"),
    "a broken pair": ("0 1:1:1\n", r"bad.txt:3: found '1:1:1', expected"),
    "a NUL byte": ("0 1:\0001\n", r"bad.txt:3: found '1:\\x001', expected"),
}


class RefusedFiles(CommandTest):
    def test_bad_rows_are_refused_with_their_place(self):
        self.train_tiny()
        for what, (row, pattern) in REFUSED.items():
            with self.subTest(what):
                self.write("bad.txt", "3 6 4\n0 0:1\n" + row + "1 2:1\n")
                for verb, model in (("train", "new.xylem"), ("predict", "tiny.xylem"), ("eval", "tiny.xylem")):
                    if verb != "train":  # a model knows whether ids begin at 0, and so where they end
                        pattern = pattern.replace("0 to 4", "0 to 3").replace("0 to 6", "0 to 5")
                    result = self.fails(3, pattern, verb, "-m", model, "-i", "bad.txt")
                    self.assertEqual(result.out, "")
                self.assertNotIn("new.xylem", self.files())

    def test_bad_files_are_refused_with_their_place(self):
        whole = gzip.compress(("\n".join(random_rows(500)) + "\n").encode())
        damaged = bytearray(whole)
        damaged[len(whole) // 2] ^= 0xff
        bomb = gzip.compress(b"\n" * (40 << 20), 9)
        cases = {
            "empty": (b"", r"bad.txt:1: found an empty file, expected rows"),
            "only blank lines": (b"\n\n", r"bad.txt:1: found an empty file, expected rows"),
            "fewer rows than promised": (b"3 6 4\n0 0:1\n", r"bad.txt:1: found 1 rows, expected the 3 .* header"),
            "more rows than promised": (b"1 6 4\n0 0:1\n1 1:1\n",
                                        r"bad.txt:3: found more rows, expected the 1 .* header"),
            "a header beyond all bounds": (b"1 6 99999999999\n0 0:1\n",
                                           r"bad.txt:1: found '99999999999' in the header, expected"),
            "cut gzip": (whole[:-20], r"bad.txt: found the end of the file .*, expected the rest"),
            "damaged gzip": (bytes(damaged), r"bad.txt:.* found "),
            "inflates too much": (bomb, r"bad.txt: found .* inflate to more than .*, expected at most 1000 times"),
            "only a UTF-8 mark": (b"\xef\xbb\xbf", r"bad.txt:1: found an empty file"),
            "an image": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), r"bad.txt:1: found .*, expected"),
        }
        for what, (content, pattern) in cases.items():
            with self.subTest(what):
                self.write("bad.txt", content)
                self.fails(3, pattern, "train", "-i", "bad.txt", "-m", "new.xylem", "--set", "k=1")
                self.assertNotIn("new.xylem", self.files())

    def test_standard_input_is_called_by_its_name(self):
        self.fails(3, r"standard input:1: found '0:x', expected", "train", "-i", "-", "-m", "m.xylem", stdin="1 0:x\n")
        self.fails(3, r"standard input:1: found an empty file", "train", "-i", "-", "-m", "m.xylem")

    def test_rows_without_any_label_cannot_be_learned_from(self):
        self.write("unlabelled.txt", " 0:1\n 1:1\n")
        self.fails(3, r"none of the 2 training rows has a label", "train", "-i", "unlabelled.txt", "-m", "m.xylem")

    def test_too_few_rows_to_choose_on_is_said(self):
        self.write("one.txt", "0 0:1\n")
        self.fails(3, r"1 rows with labels are too few", "train", "-i", "one.txt", "-m", "m.xylem")


class BadLines(CommandTest):
    def setUp(self):
        super().setUp()
        lines = TINY_ROWS[:2] + ["0 1:x", "1 y:1"] + TINY_ROWS[2:]
        self.write("some.txt", "10 6 4\n" + "\n".join(lines) + "\n")

    def test_are_skipped_and_counted_up_to_the_limit(self):
        self.train_tiny("expected.xylem", method="knn")
        result = self.xylem("train", "-i", "some.txt", "-m", "m.xylem", "--set", "k=2", "--max-bad-lines", 2)
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
            self.fails(5, pattern, "eval", "-m", "tiny.xylem", "-i", name)
            self.fails(5, pattern, "eval", "--predictions", name, "--truth", "tiny.txt", "--train", "tiny.txt")
            for verb in (["predict", "-i", "tiny.txt"], ["eval", "-i", "tiny.txt"], ["info"]):
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

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_files_without_permission_are_exit_5(self):
        self.write("secret.txt", TINY)
        os.chmod(self.path("secret.txt"), 0)
        self.fails(5, r"cannot open secret.txt: Permission denied", "train", "-i", "secret.txt", "-m", "m.xylem")


class Memory(CommandTest):
    def test_too_little_is_exit_6_before_any_work(self):
        self.write("rows.txt", with_header(random_rows(3000)))
        self.fails(6, r"rows.txt: .* memory, 10.0 KB are allowed",
                   "train", "-i", "rows.txt", "-m", "m.xylem", "--max-memory", "10K")
        held = self.fails(6, r"training knn needs .* beside .* of data, and 400.0 KB are allowed in all",
                          "train", "-i", "rows.txt", "-m", "m.xylem", "--max-memory", "400K")
        self.assertNotIn("trained", held.err)
        self.assertEqual(self.files(), ["rows.txt"])
        self.xylem("train", "-i", "rows.txt", "-m", "m.xylem", "--max-memory", "50MB", "--set", "k=5")

    def test_a_size_that_is_none_is_a_usage_error(self):
        for text in ("many", "-1G", "0", "8X", "nan"):
            self.fails(2, r"--max-memory '.*': expected a size like",
                       "train", "-i", "x", "-m", "m", "--max-memory=" + text)
