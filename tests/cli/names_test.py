# SPDX-License-Identifier: Apache-2.0
"""Names for labels that are numbers: --label-names, through training, predicting, evaluating and converting."""
import json
import re

from command import TINY, TINY_ROWS, CommandTest

NAMES = ["cooking", "sailing", "chess", "time travel"]


def lines(names):
    return "".join(name + "\n" for name in names)


def shifted(rows):
    """The same rows with ids from 1 on."""
    for row in rows:
        yield re.sub(r"\d+(?=[ ,:])", lambda number: str(int(number[0]) + 1), row)


class SparseRows(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("tiny.txt", TINY)
        self.write("names.txt", lines(NAMES))

    def train(self, model="m.xylem", data="tiny.txt", names="names.txt", **options):
        return self.xylem("train", "-i", data, "-m", model, "--method", "knn", "--set", "k=2", "--label-names", names, "--force", **options)

    def labels(self, model="m.xylem", data="tiny.txt"):
        out = self.xylem("predict", "-q", "-m", model, "-i", data, "--format", "jsonl").out
        return [[pair["label"] for pair in json.loads(line)["labels"]] for line in out.splitlines()]

    def test_are_predicted_by_name_and_stay_numbers_in_xmlrepo(self):
        self.assertIn("4 labels, labels with names", self.train().err)
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "plain.xylem", "--method", "knn", "--set", "k=2")
        expected = [[NAMES[label] for label in row] for row in self.labels("plain.xylem")]
        self.assertEqual(self.labels(), expected)
        numbers = [self.xylem("predict", "-m", model, "-i", "tiny.txt").out for model in ("m.xylem", "plain.xylem")]
        self.assertEqual(numbers[0], numbers[1])

    def test_are_evaluated_by_name(self):
        self.train()
        self.xylem("eval", "-m", "m.xylem", "-i", "tiny.txt", "--per-label", "l.tsv")
        table = [line.split("\t")[0] for line in self.read("l.tsv").decode().splitlines()[1:]]
        self.assertEqual(table, NAMES)
        self.xylem("predict", "-q", "-m", "m.xylem", "-i", "tiny.txt", "-o", "p.txt")
        files = ["eval", "--predictions", "p.txt", "--truth", "tiny.txt", "--train", "tiny.txt"]
        self.xylem(*files, "--per-label", "f.tsv", "--label-names", "names.txt")
        self.assertEqual(self.read("f.tsv"), self.read("l.tsv"))
        self.fails(2, "a model knows the names", "eval", "-m", "m.xylem", "-i", "tiny.txt", "--label-names", "names.txt")

    def test_are_told_of_by_info(self):
        self.train()
        self.assertIn("takes sparse rows; 6 features, 4 labels with names\n", self.xylem("info", "m.xylem").out)
        info = self.xylem("info", "m.xylem", "--json").json
        self.assertEqual((info["input"], info["labels"], info["label_names"]), ("rows", 4, True))
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "plain.xylem", "--method", "knn", "--set", "k=2")
        self.assertIn("4 labels with numbers only\n", self.xylem("info", "plain.xylem").out)

    def test_come_with_their_numbers_too(self):
        self.train("list.xylem")
        self.write("names.tsv", lines(f"{i}\t{NAMES[i]}" for i in (3, 0, 2, 1)))
        self.train("numbered.xylem", names="names.tsv")
        self.assertEqual(self.read("numbered.xylem"), self.read("list.xylem"))

    def test_that_count_from_one_are_understood(self):
        self.write("one.txt", "\n".join(shifted(TINY_ROWS)) + "\n")
        self.train("zero.xylem")
        self.train("list.xylem", data="one.txt")
        self.write("names.tsv", lines(f"{i + 1}\t{name}" for i, name in enumerate(NAMES)))
        self.train("numbered.xylem", data="one.txt", names="names.tsv")
        self.assertEqual(self.labels("list.xylem", "one.txt"), self.labels("zero.xylem"))
        self.assertEqual(self.labels("numbered.xylem", "one.txt"), self.labels("zero.xylem"))

    def test_that_never_occur_are_labels_too(self):
        self.write("more.txt", lines([*NAMES, "gardening"]))
        self.train(names="more.txt")
        self.assertEqual(self.xylem("info", "m.xylem", "--json").json["labels"], 5)
        self.write("test.txt", "4 0:1\n")
        result = self.xylem("eval", "-m", "m.xylem", "-i", "test.txt", "--per-label", "l.tsv")
        self.assertNotIn("beyond", result.err)
        self.assertIn(b"\ngardening\t0\t1\t", self.read("l.tsv"))

    def test_that_are_missing_become_numbers_with_a_warning(self):
        self.write("gaps.tsv", "0\tcooking\n2\tchess\n3\ttime travel\n")
        self.assertIn("gaps.tsv: labels without a name, called by their numbers: 1\n", self.train(names="gaps.tsv").err)
        self.assertEqual({label for row in self.labels() for label in row}, {"cooking", "1", "chess", "time travel"})
        self.write("twice.txt", lines(["a", "b", "a", "a"]))
        self.assertIn("twice.txt: names that several labels share: 1\n", self.train(names="twice.txt").err)

    def test_with_odd_characters_go_through(self):
        odd = ['"quoted"', "tab\there", "ümläut 漢字", "\x1b[31mred"]
        self.write("odd.tsv", lines(f"{i}\t{name}" for i, name in enumerate(odd)))
        self.train(names="odd.tsv")
        self.assertEqual({label for row in self.labels() for label in row}, set(odd))
        self.xylem("eval", "-m", "m.xylem", "-i", "tiny.txt", "--per-label", "l.tsv")
        for line in self.read("l.tsv").decode().splitlines():
            self.assertEqual(len(line.split("\t")), 8, line)
        self.assertNotIn("\x1b", self.xylem("info", "m.xylem").out)

    def test_of_a_lying_file_are_refused(self):
        self.write("one.txt", "\n".join(shifted(TINY_ROWS)) + "\n")
        cases = [
            ("", "tiny.txt", 3, r"n.txt:1: found an empty file, expected names of labels"),
            ("a\nb\n", "tiny.txt", 3, r"n.txt: found names for labels 0 to 1, expected one for label 2 too"),
            ("a\nb\n", "one.txt", 3, r"n.txt: found names for labels 1 to 2, expected one for label 3 too"),
            ("0\ta\nb\n", "tiny.txt", 3, r"n.txt:2: found 'b', expected a line with a TAB"),
            ("0\ta\n0\tb\n", "tiny.txt", 3, r"n.txt:2: found id 0 twice"),
            ("9999999999\ta\n", "tiny.txt", 3, r"n.txt:1: found '9999999999', expected an id from 0 to 16777215"),
            (b"a\xff\nb\nc\nd\n", "tiny.txt", 3, r"n.txt:1: found invalid UTF-8"),
            (b"a\0\nb\nc\nd\n", "tiny.txt", 3, r"n.txt:1: found a NUL byte"),
            # One more than there are labels: is the first one for a label 0 that does not occur?
            ("a\nb\nc\nd\ne\n", "one.txt", 2, r"n.txt: 5 names for 4 labels without a label 0.*--first-id"),
            ("0\ta\n1\tb\n2\tc\n3\td\n4\te\n", "one.txt", 2, r"n.txt names a label 0.*--first-id"),
        ]
        for content, data, code, pattern in cases:
            self.write("n.txt", content)
            self.fails(code, pattern, "train", "-i", data, "-m", "no.xylem", "--label-names", "n.txt")
        self.fails(5, "cannot open nowhere", "train", "-i", "tiny.txt", "-m", "no.xylem", "--label-names", "nowhere")
        self.assertNotIn("no.xylem", self.files())

    def test_that_cannot_be_written_are_noticed_before_the_first_prediction(self):
        self.train()
        result = self.fails(5, "cannot write nowhere/names", "predict", "-m", "m.xylem", "-i", "tiny.txt",
                            "--write-label-names", "nowhere/names")
        self.assertEqual(result.out, "")

    def test_in_doubt_are_settled_by_the_first_id(self):
        self.write("one.txt", "\n".join(shifted(TINY_ROWS)) + "\n")
        self.write("five.txt", lines([*NAMES, "gardening"]))
        answers = {}
        for first in ("0", "1"):
            self.xylem("train", "-q", "-i", "one.txt", "-m", first, "--method", "knn", "--set", "k=2", "--label-names", "five.txt",
                       "--first-id", first)
            answers[first] = self.labels(first, "one.txt")
        self.assertEqual(answers["1"][6], ["time travel", "cooking"])
        self.assertEqual(answers["0"][6], ["gardening", "sailing"])


class Texts(CommandTest):
    """The habit of the XMC repository: numbers in the texts, names in a file beside them."""
    NUMBERS = ("--format", "xmlrepo", "--write-label-names", "written.txt", "--force")
    WORDS = ["bake bread flour", "sail boat wind", "king bishop check", "clock past future"]

    def setUp(self):
        super().setUp()
        self.write("names.txt", lines(NAMES))
        self.write_texts("train.jsonl", range(4))

    def write_texts(self, name, labels, first=0):
        self.write(name, "".join(json.dumps({"uid": f"{label}{i}", "title": self.WORDS[label].rsplit(" ", 1)[i % 2],
                                             "content": self.WORDS[label], "target_ind": [label + first]}) + "\n"
                                 for i in range(5) for label in labels))

    def train(self, *options, data="train.jsonl", model="m.xylem"):
        return self.xylem("train", "-q", "-i", data, "-m", model, "--method", "knn", "--set", "k=1", "--set", "text.min_df=1",
                          "--label-names", "names.txt", "--force", *options)

    def tag(self, text, *options, model="m.xylem"):
        return self.xylem("predict", "-q", "-m", model, "-i", "-", "-k", 1, *options, stdin=text + "\n").out

    def test_with_numbers_get_names(self):
        self.train()
        self.assertEqual(json.loads(self.tag("bishop"))["labels"][0]["label"], "chess")
        self.assertEqual(self.tag("bishop", *self.NUMBERS), "1 4\n2:1\n")
        self.assertIn("takes texts; ", self.xylem("info", "m.xylem").out)

    def test_are_evaluated_by_number_or_name(self):
        self.train("--valid", "train.jsonl")
        self.write("names.jsonl", "".join(json.dumps({"text": words, "labels": [name, str(i)]}) + "\n"
                                          for i, (name, words) in enumerate(zip(NAMES, self.WORDS))))
        for data in ("train.jsonl", "names.jsonl"):
            found = self.xylem("eval", "-m", "m.xylem", "-i", data, "--json", "--per-label", "l.tsv", "--force").json
            self.assertEqual((found["P@1"], found["groups"][3]["positives"]), (100, 0), data)
            self.assertIn(b"\ntime travel\t", self.read("l.tsv"))
        self.write("new.jsonl", json.dumps({"text": "x", "labels": ["weaving", "17"]}) + "\n")
        self.xylem("eval", "-m", "m.xylem", "-i", "new.jsonl", "--per-label", "l.tsv", "--force")
        self.assertEqual([line.split(b"\t")[0] for line in self.read("l.tsv").splitlines()], [b"label", b"weaving", b"17"])

    def test_that_count_from_one_are_understood(self):
        self.write_texts("one.jsonl", range(4), first=1)
        self.train(data="one.jsonl")
        self.assertEqual(json.loads(self.tag("bishop"))["labels"][0]["label"], "chess")
        self.assertEqual(self.tag("bishop", *self.NUMBERS), "1 4\n3:1\n")
        numbered = "".join(f"{i}\t{name}\n" for i, name in enumerate(NAMES, 1))
        self.assertEqual(self.read("written.txt").decode(), numbered)
        self.assertEqual(self.xylem("eval", "-m", "m.xylem", "-i", "one.jsonl", "--json").json["P@1"], 100)

    def test_in_doubt_ask_for_the_first_id(self):
        self.write_texts("some.jsonl", [1, 2])
        self.fails(2, r"names.txt: 4 names for labels from 1 to 2: .*--first-id", "train", "-i", "some.jsonl",
                   "-m", "no.xylem", "--label-names", "names.txt")
        self.train("--first-id", "0", data="some.jsonl")
        self.assertEqual(json.loads(self.tag("bishop"))["labels"][0]["label"], "chess")
        self.write("names.txt", lines(f"{i}\t{name}" for i, name in enumerate(NAMES)))
        self.train(data="some.jsonl")
        self.assertEqual(json.loads(self.tag("bishop"))["labels"][0]["label"], "chess")

    def test_whose_labels_are_not_in_the_file_are_refused(self):
        for labels, pattern in (("17", r"found names for labels 0 to 3, expected one for label 17 too"),
                                ('"-1"', r"found no name '-1'"), ("1.5", r"found no name '1.5'"),
                                ('"weaving"', r"names.txt: found no name 'weaving', which is a label of the data"),
                                ("99999999999999999999", r"found no name '99999999999999999999'")):
            self.write("bad.jsonl", '{"text": "a b", "labels": [0, %s]}\n' % labels)
            self.fails(3, pattern, "train", "-i", "bad.jsonl", "-m", "no.xylem", "--label-names", "names.txt")

    def test_are_converted_to_names(self):
        self.xylem("convert", "-q", "-i", "train.jsonl", "-o", "named.tsv", "--to", "tsv", "--label-names", "names.txt")
        self.assertEqual(self.read("named.tsv").splitlines()[3].split(b"\t")[0], b"time travel")
        self.write("tiny.txt", TINY)
        self.fails(2, "names have no place there", "convert", "-i", "tiny.txt", "-o", "o", "--to", "libsvm",
                   "--label-names", "names.txt")
