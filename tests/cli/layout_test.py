# SPDX-License-Identifier: Apache-2.0
"""Whatever the layout of the data, the same model; what is guessed or doubtful is said. Single odd files: odd_test.py."""
import json

from command import CommandTest

ROWS = [(["cooking"], "bake bread with flour and yeast"), (["sailing"], "hoist the sail against the wind"),
        (["cooking", "baking"], "knead the dough and bake it"), (["sailing"], "steer the boat before the wind")] * 5
KNN = ["--method", "knn", "--set", "k=3"]


class Layouts(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("plain.tsv", "".join(f"{','.join(labels)}\t{text}\n" for labels, text in ROWS))

    def trained(self, name, *options):
        result = self.xylem("train", "-i", name, "-m", "m.xylem", "--force", *KNN, *options)
        return self.read("m.xylem"), result.err

    def test_give_the_same_model(self):
        expected, err = self.trained("plain.tsv")
        self.assertNotIn("column", err)
        files = {
            "turned.tsv": ("".join(f"{text}\t{','.join(labels)}\n" for labels, text in ROWS), []),
            "table.csv": ("Story;Moods\n" + "".join(f"{text};{','.join(labels)}\n" for labels, text in ROWS),
                          ["--text-column", "Story", "--label-column", "Moods", "--delimiter", ";"]),
            "numbers.csv": ("".join(f'"{",".join(labels)}",{text}\n' for labels, text in ROWS),
                            ["--text-column", 2, "--label-column", 1]),
            "keys.jsonl": ("".join(json.dumps({"Story": text, "Moods": labels}) + "\n" for labels, text in ROWS),
                           ["--text-column", "Story", "--label-column", "Moods"]),
            "string.jsonl": ("".join(json.dumps({"text": text, "labels": ",".join(labels)}) + "\n" for labels, text in ROWS),
                             ["--label-separator", ","]),
            "tabs.tsv": ("id\ttext\tTags\n" + "".join(f"{i}\t{text}\t{','.join(labels)}\n"
                                                      for i, (labels, text) in enumerate(ROWS)), ["--delimiter", "TAB"]),
        }
        for name, (content, options) in files.items():
            with self.subTest(name):
                self.write(name, content)
                self.assertEqual(self.trained(name, *options)[0], expected)
                found = self.xylem("eval", "-m", "m.xylem", "-i", name, "--json", *options).json
                self.assertEqual(found["rows"], 20)

    def test_of_annif_have_uris_as_labels(self):
        self.write("annif.tsv", "".join(f"{text}\t" + " ".join(f"<http://x/{label}>" for label in labels) + "\n"
                                        for labels, text in ROWS))
        _, err = self.trained("annif.tsv")
        self.assertIn("annif.tsv: read as text, TAB, labels", err)
        self.assertIn("read 20 texts, 3 labels", err)
        answer = self.xylem("predict", "-m", "m.xylem", "-i", "-", "-k", 1, stdin="hoist the sail\n").json
        self.assertEqual(answer["labels"][0]["label"], "http://x/sailing")

    def test_of_uris_may_have_any_separator(self):
        for before, between, behind in (("", ";", ""), ("", "|", ""), ("", " ; ", ";"), ("<", ">;<", ">"), ("<", "> | <", ">")):
            with self.subTest(between):
                cell = before + between.join(("http://x/a;v=1", "http://x/b|c")) + behind
                found = self.converted("uris.tsv", f"hoist the sail\t{cell}\nbake bread\t{before}http://x/d{behind}\n")
                self.assertEqual([row["labels"] for row in found], [["http://x/a;v=1", "http://x/b|c"], ["http://x/d"]])

    def test_in_json_may_be_lists_in_strings(self):
        for printed, labels in (("['barley', 'corn']", ["barley", "corn"]), ('["a, b"]', ["a, b"]), ("[]", []), ("[a]", ["[a]"])):
            row = json.dumps({"text": "sow", "labels": printed}) + "\n"
            self.assertEqual(self.converted("list.jsonl", row + '{"text": "x", "labels": ["y"]}\n')[0]["labels"], labels)
        plain, err = self.trained("list.jsonl")
        self.assertNotIn("--label-separator", err)

    def test_are_not_remarked_on_with_quiet(self):
        self.write("turned.tsv", "".join(f"{text}\t{','.join(labels)}\n" for labels, text in ROWS))
        self.assertEqual(self.xylem("train", "-q", "-i", "turned.tsv", "-m", "m.xylem", *KNN).err, "")

    def test_that_are_open_are_refused_by_every_verb(self):
        self.trained("plain.tsv")
        self.write("open.tsv", "oak\ttree\npine\tplant\nrose\tflower\ntulip\tbulb\n")
        for verb in (["train", "-m", "n.xylem"], ["predict", "-m", "m.xylem"], ["eval", "-m", "m.xylem"],
                     ["explain", "-m", "m.xylem"], ["doctor"], ["learn", "-m", "m.xylem", "-o", "n.xylem"],
                     ["convert", "-o", "-", "--to", "jsonl"]):
            self.fails(3, "open.tsv:1: found a line that may be .* --label-column 1 --text-column 2, or --text-column 1 "
                          "--label-column 2", *verb, "-i", "open.tsv")

    def test_without_labels_are_no_surprise(self):
        self.write("moods.csv", "text,mood\nbake bread,good\nhoist the sail,bad\n")
        result = self.xylem("convert", "-i", "moods.csv", "-o", "-", "--to", "jsonl")
        self.assertIn("moods.csv: no labels are read: of the columns 'mood' none has a known name", result.err)
        self.trained("plain.tsv")
        result = self.xylem("predict", "-m", "m.xylem", "-i", "moods.csv")
        self.assertNotIn("no labels", result.err)

    def test_with_tabs_may_begin_a_text_with_a_quote(self):
        texts = ['"BRITANNIA" COIN TO SELL', '"open at the begin', 'a "b"', '"open at the end']
        quoted = '"in ""quotes""\tand TABs"\tcoins\n'
        rows = [f"{text}\tcoins\n" for text in texts]
        many = "bake bread with flour\tcooking\n" * 3000  # more than is looked at to find the layout
        found = self.converted("late.tsv", "text\tlabels\n" + many + "".join(rows[:2]) + quoted + "".join(rows[2:]))
        self.assertEqual([row["text"] for row in found[3000:]], texts[:2] + ['in "quotes"\tand TABs'] + texts[2:])
        self.assertEqual([row["labels"] for row in found[3000:]], [["coins"]] * 5)

    def converted(self, name, content, *options):
        self.write(name, content)
        out = self.xylem("convert", "-i", name, "-o", "-", "--to", "jsonl", *options).out
        return [json.loads(line) for line in out.splitlines()]

    def test_never_take_the_labels_for_the_text(self):
        """Whoever names the column with the labels means no text, whatever the column is called."""
        rows = [{"text": "bake bread", "labels": ["cooking"]}]
        for column in ("content", "title", "text", "Content"):
            for name, content in (("t.csv", f"{column},description\ncooking,bake bread\n"),
                                  ("t.jsonl", json.dumps({column: "cooking", "description": "bake bread"}) + "\n")):
                with self.subTest(file=name, column=column):
                    self.assertEqual(self.converted(name, content, "--label-column", column), rows)
        title = json.dumps({"title": "bake bread", "content": "cooking"}) + "\n"
        self.assertEqual(self.converted("title.jsonl", title, "--label-column", "content"), rows)
        self.write("n.csv", "name,description\nbake bread,cooking\n")
        self.fails(3, "n.csv:1: found the columns 'name' and 'description', expected to be told which is the text, with "
                      "--text-column", "train", "-i", "n.csv", "-m", "n.xylem", "--label-column", "description")
        self.write("n.jsonl", json.dumps({"name": "bake bread", "text": "cooking"}) + "\n")
        self.fails(3, "n.jsonl:1: found the keys 'name', expected \"text\", \"title\" or \"content\"", "train", "-i", "n.jsonl",
                   "-m", "n.xylem", "--label-column", "text")
        self.write("same.jsonl", json.dumps({"Moods": "good", "text": "bake"}) + "\n")
        self.fails(3, "same.jsonl:1: .* expected one for the text and another for the labels", "train", "-i", "same.jsonl",
                   "-m", "n.xylem", "--label-column", "Moods", "--text-column", "moods")

    def test_keep_the_title_if_only_the_labels_are_named(self):
        rows = [{"text": "bread\nbake with flour", "labels": ["cooking"]}]
        option = ["--label-column", "mine"]
        self.assertEqual(self.converted("t.csv", "title,text,mine\nbread,bake with flour,cooking\n", *option), rows)
        self.assertEqual(self.converted("t.csv", "title,mine\nbread,cooking\n", *option),
                         [{"text": "bread", "labels": ["cooking"]}])

    def test_options_must_make_sense(self):
        usage = {"--delimiter ';;'|expected one character": ["--delimiter", ";;"],
                 "cannot stand between columns": ["--delimiter", '"'],
                 "are both 'a', expected two columns": ["--text-column", "a", "--label-column", "a"]}
        for pattern, options in usage.items():
            self.fails(2, pattern, "train", "-i", "plain.tsv", "-m", "n.xylem", *options)
        self.write("f.txt", "__label__a b\n")
        self.fails(2, "fasttext has no columns", "train", "-i", "f.txt", "-m", "n.xylem", "--input-format", "fasttext",
                   "--text-column", 1)


class Doubts(CommandTest):
    def test_about_labels_that_may_be_several(self):
        self.write("bars.csv", "text,labels\n" + "bake bread,cooking|baking\nhoist the sail,sailing\n" * 3)
        self.write("string.jsonl", '{"text": "bake bread", "labels": "cooking,baking"}\n{"text": "hoist", "labels": ["a,b"]}\n')
        cases = {"bars.csv": r"bars.csv: 3 rows have one label with '\|' in it, such as 'cooking\|baking'; .* --label-separator '\|'",
                 "string.jsonl": r"string.jsonl: 1 row has one label with ',' in it, such as 'cooking,baking'; .* --label-separator ','"}
        for name, pattern in cases.items():
            for verb in (["train", "-m", "m.xylem", "--force", "--method", "popular"], ["doctor"]):
                self.assertRegex(self.xylem(*verb, "-i", name).err, pattern)
            self.assertNotIn("one label", self.xylem("train", "-m", "m.xylem", "--force", "--method", "popular", "-i", name,
                                                     "--label-separator", "|" if name == "bars.csv" else ",").err)

    def test_about_ids_far_beyond_all_others(self):
        self.write("rows.txt", "1 1:0.5 3:1\nx\n20000000 2:1\n2 1:1\n")
        result = self.xylem("train", "-i", "rows.txt", "-m", "m.xylem", "--method", "popular", "--max-bad-lines", 1)
        self.assertIn("xylem: warning: rows.txt:3: found label 20000000 far beyond the next smaller one, 2, so there are "
                      "that many labels: is the number mistyped?\n", result.err)
        self.write("features.txt", "1 1:0.5 30000000:1\n2 2:1\n")
        self.assertIn("features.txt:1: found feature 30000000 far beyond",
                      self.xylem("train", "-i", "features.txt", "-m", "m.xylem", "--force", "--method", "popular").err)
        self.write("header.txt", "2 4 20000001\n20000000 2:1\n2 1:1\n")  # which says so
        self.assertNotIn("mistyped", self.xylem("train", "-i", "header.txt", "-m", "m.xylem", "--force", "--method", "popular").err)

    def test_about_numbers_of_names(self):
        self.write("rows.txt", "0 1:0.5\n1 2:1\n")
        self.write("names.txt", "0\tcooking\n1\tsailing\n9000000\tbaking\n")
        result = self.xylem("train", "-i", "rows.txt", "-m", "m.xylem", "--method", "popular", "--label-names", "names.txt")
        self.assertIn("xylem: warning: names.txt:3: found label 9000000 far beyond the next smaller one, 1", result.err)

    def test_about_rows_of_labels_alone(self):
        self.write("table.csv", "5,3,1\n4,3,1\n")
        self.assertIn("table.csv: every row has labels alone",
                      self.xylem("convert", "-i", "table.csv", "-o", "-", "--to", "libsvm").err)
