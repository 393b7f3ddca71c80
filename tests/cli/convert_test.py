# SPDX-License-Identifier: Apache-2.0
"""`xylem convert`: every format to every other that can hold it, and what cannot be."""
import json
import os
import subprocess

from command import TIMEOUT, TINY, CommandTest, limit_file_size, start
from text_test import as_jsonl, rows

TEXT_FORMATS = ("fasttext", "tsv", "jsonl", "csv")
ROW_FORMATS = ("xmlrepo", "libsvm")


class Convert(CommandTest):
    def setUp(self):
        super().setUp()
        data = list(rows())
        for row in data:
            row["labels"] = [label.replace(",", "_") for label in row["labels"]]
        self.write("train.jsonl", as_jsonl(data[:45]))
        self.write("test.jsonl", as_jsonl(data[45:]))
        self.write("tiny.txt", TINY)

    def convert(self, source, target, to, *options, **how):
        return self.xylem("convert", "-q", "-i", source, "-o", target, "--to", to, *options, **how)

    def scores(self, model, data):
        names = ("--write-label-names", "written.txt", "--force") if data.endswith("jsonl") else ()
        out = self.xylem("predict", "-q", "-m", model, "-i", data, "--format", "xmlrepo", *names).out.splitlines()
        return [[(int(pair.split(":")[0]), float(pair.split(":")[1])) for pair in line.split()] for line in out[1:]]


class EveryFormat(Convert):
    def test_goes_to_every_other_that_can_hold_it(self):
        without_ids = [{key: value for key, value in json.loads(line).items() if key != "id"}
                       for line in self.read("train.jsonl").splitlines()]
        self.write("plain.jsonl", as_jsonl(without_ids))  # fasttext and tsv have no document ids
        for first, formats in (("plain.jsonl", (*TEXT_FORMATS, *ROW_FORMATS)), ("tiny.txt", ROW_FORMATS)):
            direct = {target: self.convert(first, "-", target).out_bytes for target in formats}
            for source in TEXT_FORMATS if first == "plain.jsonl" else ROW_FORMATS:
                self.convert(first, source, source)
                for target in formats:
                    self.convert(source, "out", target, "--force")
                    self.assertEqual(self.read("out"), direct[target], f"{source} to {target}")

    def test_knows_only_formats_that_can_be_written(self):
        self.fails(2, r"--to: found 'lines', expected one of xmlrepo, libsvm, fasttext, tsv, jsonl, csv\n", "convert", "-i", "tiny.txt", "-o", "out", "--to", "lines")

    def test_of_rows_cannot_become_texts(self):
        for target in TEXT_FORMATS:
            self.fails(2, f"tiny.txt holds sparse rows, which have no texts, so they cannot become {target}",
                       "convert", "-i", "tiny.txt", "-o", "out", "--to", target)
        self.assertNotIn("out", self.files())


class TextsToRows(Convert):
    def test_are_the_rows_that_training_makes_of_them(self):
        self.convert("train.jsonl", "train.txt", "xmlrepo")
        self.xylem("train", "-q", "-i", "train.jsonl", "-m", "texts.xylem", "--method", "knn", "--set", "k=3")
        self.convert("test.jsonl", "test.txt", "xmlrepo", "-m", "texts.xylem")
        self.xylem("train", "-q", "-i", "train.txt", "-m", "rows.xylem", "--method", "knn", "--set", "k=3")
        for texts, converted in zip(self.scores("texts.xylem", "test.jsonl"), self.scores("rows.xylem", "test.txt")):
            self.assertEqual([label for label, _ in texts], [label for label, _ in converted])
            for (_, one), (_, other) in zip(texts, converted):
                self.assertAlmostEqual(one, other, places=5)
        header = self.read("train.txt").split(b"\n")[0].split()
        self.assertEqual(self.read("test.txt").split(b"\n")[0].split()[1:], header[1:])

    def test_come_with_the_names_of_labels_and_words(self):
        options = ["--write-label-names", "labels.txt", "--write-features", "words.txt"]
        self.convert("train.jsonl", "train.txt", "xmlrepo", *options)
        n_rows, n_features, n_labels = map(int, self.read("train.txt").split(b"\n")[0].split())
        labels = self.read("labels.txt").decode().splitlines()
        words = self.read("words.txt").decode().splitlines()
        self.assertEqual((n_rows, n_features, n_labels), (45, len(words), len(labels)))
        first = self.read("train.txt").decode().split("\n")[1].split(" ")
        row = next(rows())
        self.assertEqual({labels[int(label)].replace("_", ", ") for label in first[0].split(",")}, set(row["labels"]))
        tokens = row["text"].split()
        pairs = [" ".join(pair) for pair in zip(tokens, tokens[1:])]
        self.assertLessEqual({words[int(feature.split(":")[0])] for feature in first[1:]}, {*tokens, *pairs})
        self.assertAlmostEqual(sum(float(feature.split(":")[1]) ** 2 for feature in first[1:]), 1, places=5)
        # And back again: the names go with the rows.
        self.xylem("train", "-q", "-i", "train.txt", "-m", "m.xylem", "--method", "knn", "--set", "k=3", "--label-names", "labels.txt")
        out = self.xylem("predict", "-q", "-m", "m.xylem", "-i", "train.txt", "-k", 1, "--format", "jsonl").out
        self.assertIn(json.loads(out.splitlines()[0])["labels"][0]["label"], labels)

    def test_obey_the_options_of_texts(self):
        self.convert("train.jsonl", "one.txt", "xmlrepo", "--set", "text.ngrams=1", "--write-features", "words.txt")
        self.assertNotIn(b" ", self.read("words.txt"))
        for option, pattern in (("text.ngram=1", r"the reader of texts has no option 'text.ngram' \(did you mean 'text.ngrams'\?\)"),
                                ("k=3", r"unknown option 'k'; those of texts begin with text\."),
                                ("text.ngrams=9", r"option text.ngrams is '9'"), ("text.stem=klingon", r"klingon")):
            self.fails(2, pattern, "convert", "-i", "train.jsonl", "-o", "o", "--to", "xmlrepo", "--set", option)

    def test_with_a_model_count_labels_it_never_saw(self):
        self.xylem("train", "-q", "-i", "train.jsonl", "-m", "m.xylem", "--method", "knn", "--set", "k=3")
        self.write("new.jsonl", json.dumps({"text": "bake bread", "labels": ["weaving", "cooking"]}) + "\n")
        result = self.convert("new.jsonl", "new.txt", "xmlrepo", "-m", "m.xylem", "--write-label-names", "labels.txt")
        self.assertIn("new.jsonl: labels that the model never saw, numbered from 3 on: 1\n", result.err)
        self.assertEqual(self.read("labels.txt").splitlines()[3], b"weaving")
        self.assertRegex(self.read("new.txt"), rb"^1 \d+ 4\n0,3 ")

    def test_keep_numbers_that_have_names(self):
        self.write("n.jsonl", "".join('{"text": "word%d other", "labels": [%d]}\n' % (i, i + 1) for i in range(3)))
        self.write("names.txt", "a\nb\nc\n")
        out = self.convert("n.jsonl", "-", "libsvm", "--label-names", "names.txt", "--set", "text.min_df=1",
                           "--write-label-names", "again.txt").out
        self.assertEqual([line.split()[0] for line in out.splitlines()], ["1", "2", "3"])
        self.assertEqual(self.read("again.txt"), b"a\nb\nc\n")

    def test_are_the_same_for_any_number_of_threads(self):
        outputs = {self.convert("train.jsonl", "-", "xmlrepo", "-j", threads).out for threads in (1, 2, 3)}
        self.assertEqual(len(outputs), 1)


class Refused(Convert):
    def test_are_options_without_a_place(self):
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "rows.xylem", "--method", "popular")
        self.xylem("train", "-q", "-i", "train.jsonl", "-m", "texts.xylem", "--method", "popular")
        texts = ["convert", "-i", "train.jsonl", "-o", "o", "--to"]
        sparse = ["convert", "-i", "tiny.txt", "-o", "o", "--to", "libsvm"]
        for arguments, pattern in (
                ([*texts, "csv", "-m", "texts.xylem"], r"are for texts that become rows, and csv holds texts"),
                ([*texts, "csv", "--write-features", "w"], r"are for texts that become rows, and csv holds texts"),
                ([*texts, "xmlrepo", "-m", "rows.xylem"], r"rows.xylem was trained on sparse rows"),
                ([*texts, "xmlrepo", "-m", "texts.xylem", "--set", "text.ngrams=1"], r"-m and --set do not go together"),
                ([*texts, "xmlrepo", "--write-features", "o"], r"o is to be written twice"),
                ([*sparse, "-m", "texts.xylem"], r"tiny.txt holds sparse rows; -m, --set and --write-features"),
                ([*sparse, "--write-label-names", "l"], r"names have no place there")):
            self.fails(2, pattern, *arguments)
        self.fails(5, "cannot open nowhere", *texts, "xmlrepo", "-m", "nowhere")
        self.write("bad.xylem", "x")
        self.fails(4, "bad.xylem", *texts, "xmlrepo", "-m", "bad.xylem")
        self.assertFalse({"o", "w", "l"} & set(self.files()))

    def test_are_names_that_a_file_of_names_cannot_hold(self):
        for name in ("a\tb", "a\nb", "a\r"):
            self.write("odd.jsonl", json.dumps({"text": "word", "labels": [name]}) + "\n")
            self.fails(3, "which a file of names cannot hold", "convert", "-i", "odd.jsonl", "-o", "o", "--to", "jsonl",
                       "--write-label-names", "l")
        self.assertFalse({"o", "l"} & set(self.files()))

    def test_is_a_file_that_appears_meanwhile(self):
        os.mkfifo(self.path("pipe"))
        for target, to in (("new.csv", "csv"), ("new.txt", "xmlrepo")):
            process = start("convert", "-q", "-i", "pipe", "-o", target, "--to", to, cwd=self.folder,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            with open(self.path("pipe"), "wb") as pipe:  # opens when the command has begun to read
                self.write(target, "mine\n")
                pipe.write(self.read("train.jsonl"))
            _, err = process.communicate(timeout=TIMEOUT)
            self.assertEqual(process.returncode, 2, err)
            self.assertRegex(err.decode(), f"xylem: {target} exists already")
            self.assertEqual(self.read(target), b"mine\n")
        self.assertFalse([name for name in self.files() if "part" in name])

    def test_is_a_full_disk(self):
        self.fails(5, "cannot write o", "convert", "-i", "train.jsonl", "-o", "o", "--to", "xmlrepo",
                   "--write-label-names", "l", preexec=limit_file_size(100))
        self.assertFalse({"o", "l"} & set(self.files()))
