# SPDX-License-Identifier: Apache-2.0
"""Texts in, names out: the same rows in every format, document ids, plain lines, odd bytes."""
import csv
import io
import json

from command import CommandTest, methods

TOPICS = {
    "cooking": "bake bread with flour yeast and salt in a hot oven",
    "sailing": "hoist the sail and steer the boat against the wind",
    "chess,clocks": "move the bishop and check the king before time runs out",
}


def rows():
    """Sixty rows; every third has two labels."""
    topics = list(TOPICS.items())
    for i in range(60):
        name, words = topics[i % 3]
        parts = words.split()
        text = " ".join(parts[(i + j) % len(parts)] for j in range(6))
        labels = [name]
        if i % 9 == 0:
            other, other_words = topics[(i + 1) % 3]
            text += " " + other_words
            labels.append(other)
        yield {"id": f"doc-{i}", "text": text, "labels": labels}


def as_jsonl(data):
    return "".join(json.dumps(row) + "\n" for row in data)


def as_fasttext(data):
    return "".join(" ".join("__label__" + label for label in row["labels"]) + " " + row["text"] + "\n"
                   for row in data)


def as_tsv(data):
    return "".join(";".join(row["labels"]) + "\t" + row["text"] + "\n" for row in data)


def as_csv(data):
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(["id", "labels", "text"])
    for row in data:
        table.writerow([row["id"], ";".join(row["labels"]), row["text"]])
    return out.getvalue()


class Texts(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("train.jsonl", as_jsonl(rows()))

    def trained(self, name, *options):
        self.xylem("train", "-q", "-i", name, "-m", name + ".xylem", "--method", "knn", "--set", "k=3", "--set", "text.min_df=1", *options)
        return name + ".xylem"

    def test_give_names_and_document_ids(self):
        model = self.trained("train.jsonl")
        lines = self.xylem("predict", "-q", "-m", model, "-i", "train.jsonl", "-k", 1).out.splitlines()
        answers = [json.loads(line) for line in lines]
        self.assertEqual([answer["id"] for answer in answers], [row["id"] for row in rows()])
        right = sum(answer["labels"][0]["label"] in row["labels"] for answer, row in zip(answers, rows()))
        self.assertEqual(right, 60)

    def test_give_the_same_model_and_figures_in_every_format(self):
        self.write("train.txt", as_fasttext(rows()))
        self.write("train.tsv", as_tsv(rows()))
        self.write("train.csv", as_csv(rows()))
        models, figures = set(), []
        for name in ("train.jsonl", "train.txt", "train.tsv", "train.csv"):
            model = self.trained(name, "--label-separator", ";", "--valid", name)
            models.add(self.read(model))
            found = self.xylem("eval", "-m", model, "-i", name, "--json", "--label-separator", ";").json
            figures.append({key: value for key, value in found.items() if not key.startswith(("load", "predict"))})
        self.assertEqual(len(models), 1)
        self.assertEqual(figures, 4 * figures[:1])
        self.assertEqual(figures[0]["P@1"], 100)

    def test_may_be_plain_lines_on_standard_input(self):
        model = self.trained("train.jsonl")
        out = self.xylem("predict", "-m", model, "-i", "-", "-k", 1, stdin="hoist sail, steer boat\n7 8 9\n").out.splitlines()
        self.assertEqual(json.loads(out[0])["labels"][0]["label"], "sailing")
        self.assertEqual(json.loads(out[1])["labels"], [])

    def test_on_standard_input_are_lines_whatever_they_hold(self):
        model = self.trained("train.jsonl")
        typed = "text, and a comma\nhoist the sail\t7 steer\n__label__chess steer the boat\n"
        for verb in (["predict", "-k", 1], ["explain", "--json"]):
            result = self.xylem(*verb, "-m", model, "-i", "-", stdin=typed)
            self.assertEqual(len(result.out.splitlines()), 3, result)
            self.assertIn("standard input: every line was read as one text; lines with a TAB: 1 (--input-format tsv reads "
                          "labels and text); lines with __label__: 1 (--input-format fasttext reads labels)\n", result.err)
        self.assertNotIn("every line", self.xylem("predict", "-m", model, "-i", "-", stdin="a text, a comma\n{b} c\n").err)
        # What is named is believed, and JSONL speaks for itself.
        named = self.xylem("predict", "-m", model, "-i", "-", "--input-format", "csv", stdin="text,labels\nhoist the sail,\n")
        self.assertEqual(len(named.out.splitlines()), 1)
        json_lines = self.xylem("predict", "-m", model, "-i", "-", stdin='\n{"id": 3, "text": "hoist"}\n')
        self.assertEqual(json_lines.json["id"], 3)
        self.assertNotIn("every line", json_lines.err)

    def test_on_standard_input_are_no_json_array(self):
        model = self.trained("train.jsonl")
        for array, lines in (('[{"text": "hoist"}, {"text": "bake"}]\n', 1), ('[\n  {"text": "hoist"}\n]\n', 3)):
            result = self.xylem("predict", "-m", model, "-i", "-", stdin=array)
            self.assertEqual(len(result.out.splitlines()), lines)
            self.assertIn("standard input: lines that begin a JSON array, each read as one text: 1 (`jq -c '.[]'` makes "
                          "JSONL of it)\n", result.err)
        self.assertNotIn("array", self.xylem("predict", "-m", model, "-i", "-", stdin="[sail] {boat}\n").err)

    def test_on_standard_input_may_look_like_sparse_rows(self):
        model = self.trained("train.jsonl")
        for first in ("2020 11 12", "1 2 3", "5 1:2"):
            for verb in (["predict", "-k", 1], ["explain", "--json"]):
                result = self.xylem(*verb, "-m", model, "-i", "-", stdin=first + "\nsteer the boat\n")
                self.assertEqual(len(result.out.splitlines()), 2, f"{first}: {result}")
                said = "standard input: lines that look like sparse rows, each read as one text: 1\n"
                self.assertEqual(said in result.err, ":" in first, result)
        self.fails(3, r"standard input:1: found sparse rows \(xmlrepo\), expected texts", "eval", "-m", model, "-i", "-",
                   stdin="1 2 3\n0 1:1\n")

    def test_are_evaluated_by_name(self):
        model = self.trained("train.jsonl")
        self.write("test.jsonl", as_jsonl([{"text": "bake bread", "labels": ["cooking"]},
                                           {"text": "bake salt", "labels": ["baking"]}]))
        found = self.xylem("eval", "-m", model, "-i", "test.jsonl", "--json", "--per-label", "labels.tsv").json
        self.assertEqual((found["P@1"], found["groups"][3]["positives"]), (50, 1))
        self.assertIn(b"\ncooking\t", self.read("labels.tsv"))

    def test_choose_on_a_validation_file(self):
        self.write("valid.jsonl", as_jsonl(list(rows())[:20]))
        self.xylem("train", "-q", "-i", "train.jsonl", "-m", "v.xylem", "--valid", "valid.jsonl")
        card = self.xylem("info", "v.xylem", "--json").json["card"]
        self.assertEqual((card["validation"]["rows"], card["settings"]["text.ngrams"]), (20, "2"))

    def test_may_be_few(self):
        for n in (2, 3, 20):
            self.write("few.jsonl", as_jsonl(list(rows())[:n]))
            self.xylem("train", "-q", "-i", "few.jsonl", "-m", "few.xylem", "--force")
            self.assertEqual(self.xylem("info", "few.xylem", "--json").json["card"]["settings"]["text.min_df"], "1")
        answer = self.xylem("predict", "-q", "-m", "few.xylem", "-i", "-", "-k", 1, stdin="steer the boat\n").json
        self.assertEqual(answer["labels"][0]["label"], "sailing")
        self.write("many.jsonl", as_jsonl(list(rows()) * 9))
        self.xylem("train", "-q", "-i", "many.jsonl", "-m", "many.xylem", "--method", "knn", "--set", "k=3")
        self.assertEqual(self.xylem("info", "many.xylem", "--json").json["card"]["settings"]["text.min_df"], "3")
        self.write("same.jsonl", as_jsonl([{"text": "the same words", "labels": ["a"]}] * 5))
        self.fails(3, r"no word is left: none of those in the 5 texts occurs in at least 1 \(min_df\) and at most 2",
                   "train", "-i", "same.jsonl", "-m", "no.xylem", "--set", "text.max_df=0.5")

    def test_keep_the_word_that_decides_if_they_are_few(self):
        shoes = [{"text": f"shoes {word}", "labels": ["shoes"]} for word in "red blue green black white brown".split()]
        self.write("small.jsonl", as_jsonl(shoes + [{"text": "winter coat", "labels": ["coats"]},
                                                    {"text": "summer coat", "labels": ["coats"]}]))
        self.xylem("train", "-q", "-i", "small.jsonl", "-m", "small.xylem", "--method", "knn", "--set", "k=3")
        self.assertEqual(self.xylem("info", "small.xylem", "--json").json["card"]["settings"]["text.max_df"], "1")
        answer = self.xylem("predict", "-q", "-m", "small.xylem", "-i", "-", "-k", 1, stdin="shoes\n").json
        self.assertEqual(answer["labels"][0]["label"], "shoes")

    def test_may_be_a_single_one(self):
        self.write("one.jsonl", as_jsonl([{"text": "bake bread", "labels": ["cooking"]}]))
        for method in methods():
            said = self.xylem("train", "-i", "one.jsonl", "-m", "one.xylem", "--force", "--method", method).err
            self.assertEqual("of a single row none can be held out" in said, method not in ("popular", "parabel"), said)
            answer = self.xylem("predict", "-q", "-m", "one.xylem", "-i", "-", stdin="bread\n").json
            self.assertEqual([found["label"] for found in answer["labels"]], ["cooking"], method)

    def test_give_their_document_ids_back_as_they_came(self):
        model = self.trained("train.jsonl")
        ids = ["7", '"7"', "-1.50", "123456789012345678901", "1e999", r'"a\"b\tü"']
        self.write("ids.jsonl", "".join('{"id": %s, "text": "bake bread"}\n' % name for name in ids) + '{"text": "sail"}\n')
        out = self.xylem("predict", "-q", "-m", model, "-i", "ids.jsonl", "-k", 1).out.splitlines()
        self.assertEqual([line.split(',"labels"')[0] for line in out[:6]], ['{"id":' + name for name in ids])
        self.assertTrue(out[6].startswith('{"labels"'), out[6])
        self.xylem("convert", "-q", "-i", "ids.jsonl", "-o", "back.jsonl", "--to", "jsonl")
        back = self.read("back.jsonl").decode().splitlines()
        self.assertEqual([line.split(', "text"')[0] for line in back[:6]], ['{"id": ' + name for name in ids])
        explained = self.xylem("explain", "-m", model, "-i", "ids.jsonl", "--json").out.splitlines()
        self.assertEqual([line.split(',"label"')[0] for line in explained[:6]],
                         ['{"row":%d,"id":%s' % (i + 1, name) for i, name in enumerate(ids)])
        self.assertTrue(explained[6].startswith('{"row":7,"label":'), explained[6])
        self.assertIn("row 2 '7'", self.xylem("explain", "-m", model, "-i", "ids.jsonl").out)

    def test_that_are_not_utf8_are_refused_or_replaced(self):
        self.write("bad.tsv", b"a\tgood text\nb\tbad \xff text\n" * 5)
        self.fails(3, r"bad.tsv:2: found invalid UTF-8", "train", "-i", "bad.tsv", "-m", "m.xylem")
        self.xylem("train", "-i", "bad.tsv", "-m", "m.xylem", "--method", "knn", "--set", "k=1", "--bad-utf8", "replace")

    def test_do_not_mix_with_sparse_rows(self):
        self.write("rows.txt", "1 0:1\n")
        self.fails(3, "expected texts", "train", "-i", "train.jsonl", "-m", "x.xylem", "--valid", "rows.txt")
        self.fails(2, r"the reader of texts has no option 'text.ngram' \(did you mean 'text.ngrams'\?\)",
                   "train", "-i", "train.jsonl", "-m", "x.xylem", "--set", "text.ngram=1")

    def test_are_converted_there_and_back(self):
        for name in ("csv", "jsonl"):
            self.xylem("convert", "-q", "-i", "train.jsonl", "-o", "other", "--to", name, "--label-separator", ";", "--force")
            self.xylem("convert", "-q", "-i", "other", "-o", "back", "--to", "jsonl", "--label-separator", ";", "--force")
            self.assertEqual([json.loads(line) for line in self.read("back").splitlines()], list(rows()), name)
        self.fails(3, "chess,clocks", "convert", "-i", "train.jsonl", "-o", "x.tsv", "--to", "tsv")
        self.fails(2, "exists already", "convert", "-i", "train.jsonl", "-o", "other", "--to", "csv")

    def test_of_the_wrong_kind_are_refused_by_name(self):
        self.write("rows.txt", "2 3 1\n0 0:1 2:1\n0 1:1\n")
        self.write("table.csv", "story,mood\nbread,cooking\n")
        model = self.trained("train.jsonl")
        self.xylem("train", "-q", "-i", "rows.txt", "-m", "rows.xylem")
        for verb in ("predict", "eval"):
            self.fails(3, r"rows.txt:1: found sparse rows \(xmlrepo\), expected texts", verb, "-m", model, "-i", "rows.txt")
            self.fails(3, r"train.jsonl:1: found texts \(jsonl\), expected sparse rows", verb, "-m", "rows.xylem", "-i", "train.jsonl")
            self.fails(3, r"table.csv:1: found the columns 'story' and 'mood', .* the column 'text'", verb, "-m", model, "-i", "table.csv")
            self.fails(2, "--input-format xmlrepo: the model was trained on texts", verb, "-m", model, "-i", "rows.txt",
                       "--input-format", "xmlrepo")

    def test_without_a_known_word_are_counted(self):
        counted = "texts without any word that the model knows, which all get the same labels: 2 of 3\n"
        word = json.loads(self.read("train.jsonl").splitlines()[0])["text"].split()[0]
        self.assertIn(counted, self.xylem("predict", "-m", self.trained("train.jsonl"), "-i", "-", stdin=f"xyzzy\n{word}\nплов\n").err)

    def test_are_lines_where_that_is_said(self):
        model = self.trained("train.jsonl")
        self.write("lines.txt", "__label__x bake bread\n\na,b\tsteer the boat\n")
        out = self.xylem("predict", "-q", "-m", model, "-i", "lines.txt", "--input-format", "lines", "-k", 1).out
        found = [json.loads(line)["labels"] for line in out.splitlines()]
        self.assertEqual(len(found), 3)
        self.assertEqual([labels[0]["label"] for labels in (found[0], found[2])], ["cooking", "sailing"])
        typed = self.xylem("predict", "-q", "-m", model, "-i", "-", "-k", 1, stdin="steer the boat\n").out
        self.assertEqual(json.loads(typed)["labels"][0]["label"], "sailing")
