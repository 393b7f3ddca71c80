# SPDX-License-Identifier: Apache-2.0
"""Labels with an identifier beside their name, Annif's subjects for example: through every command."""
import json

from command import TINY, CommandTest

URI = "http://example.org/"
WORDS = {"cooking": "bake bread flour", "sailing": "hoist sail wind", "chess": "king bishop check"}


def subject(name, uri=None):
    return {"uri": URI + (uri or name), "label": name}


def jsonl(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def rows_with(label_of):
    return [{"text": words, "subjects": [label_of(name)]} for name, words in WORDS.items() for _ in range(3)]


class Identifiers(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("train.jsonl", jsonl(rows_with(subject)))
        self.train("train.jsonl")

    def train(self, data, *options, model="m.xylem", method="knn"):
        settings = ["--set", "k=1"] if method == "knn" else []
        return self.xylem("train", "-q", "-i", data, "-m", model, "--method", method, *settings,
                          "--set", "text.min_df=1", "--force", *options)

    def best(self, text, *options, model="m.xylem"):
        out = self.xylem("predict", "-q", "-m", model, "-i", "-", "-k", 1, "--input-format", "lines", *options,
                         stdin=text + "\n").out
        found = json.loads(out)["labels"][0]
        return {name: value for name, value in found.items() if name != "score"}

    def labels_given(self, *options):
        out = self.xylem("predict", "-q", "-m", "m.xylem", "-i", "train.jsonl", *options).out
        return {label["label"] for line in out.splitlines() for label in json.loads(line)["labels"]}

    def labels(self, model="m.xylem"):
        out = self.xylem("labels", "-m", model, "--json").out
        return [[label["label"], label.get("id")] for label in map(json.loads, out.splitlines())]

    def test_are_predicted_beside_the_name(self):
        self.assertEqual(self.best("bishop"), {"label": "chess", "id": URI + "chess"})
        self.assertEqual(self.labels(), [[name, URI + name] for name in WORDS])
        self.write("names.jsonl", jsonl(rows_with(str)))
        self.train("names.jsonl", model="names.xylem")
        self.assertEqual(self.best("bishop", model="names.xylem"), {"label": "chess"})

    def test_are_told_of_by_info(self):
        self.assertTrue(self.xylem("info", "m.xylem", "--json").json["label_ids"])
        self.write("names.jsonl", jsonl(rows_with(str)))
        self.train("names.jsonl", model="names.xylem")
        self.assertFalse(self.xylem("info", "names.xylem", "--json").json["label_ids"])

    def test_tell_labels_of_one_name_apart(self):
        rows = rows_with(subject)
        rows += [{"text": "rook pawn", "subjects": [subject("chess", "piece")]}] * 3
        rows += [{"text": "rook castle", "labels": [{"label": "Schach", "id": URI + "chess"}]}] * 3
        self.write("more.jsonl", jsonl(rows))
        self.train("more.jsonl")
        self.assertEqual(self.labels(), [[name, URI + name] for name in WORDS] + [["chess", URI + "piece"]])
        self.assertEqual(self.best("pawn"), {"label": "chess", "id": URI + "piece"})
        self.assertEqual(self.best("castle"), {"label": "chess", "id": URI + "chess"})

    def test_and_names_mean_the_same_label(self):
        rows = rows_with(subject) + [{"text": "rook pawn", "labels": ["chess", URI + "chess", subject("chess")]}]
        self.write("mixed.jsonl", jsonl(rows + [{"text": "tack", "labels": [URI + "sailing"]}]))
        self.train("mixed.jsonl")
        self.assertEqual(self.labels(), [[name, URI + name] for name in WORDS])
        for label_of in (str, lambda name: {"uri": URI + name}):
            self.write("mixed.jsonl", jsonl(rows_with(label_of) + rows_with(subject) + rows_with(str)))
            self.train("mixed.jsonl")
            self.assertEqual(self.labels(), [[name, URI + name] for name in WORDS])

    def test_or_names_label_the_test_rows(self):
        for label_of in (subject, str, lambda name: URI + name, lambda name: {"uri": URI + name},
                         lambda name: {"uri": URI + name, "label": "another name"}):
            self.write("test.jsonl", jsonl(rows_with(label_of)))
            found = self.xylem("eval", "-m", "m.xylem", "-i", "test.jsonl", "--json").json
            self.assertEqual((found["P@1"], found["unknown_labels"]), (100, 0), label_of("x"))
        self.write("test.jsonl", jsonl(rows_with(lambda name: subject(name, "other"))))
        found = self.xylem("eval", "-m", "m.xylem", "-i", "test.jsonl", "--json").json
        self.assertEqual((found["P@1"], found["unknown_labels"]), (0, 1))

    def test_are_the_names_of_labels_elsewhere(self):
        """Annif's short texts have identifiers and no names."""
        self.write("annif.tsv", "".join(f"{text}\t<{URI}{name}>\n" for name, words in WORDS.items()
                                        for text in [" ".join(words.split()[i:] + ["and"]) for i in range(3)]))
        self.write("annif.jsonl", jsonl(rows_with(subject)))
        self.xylem("predict", "-q", "-m", "m.xylem", "-i", "annif.tsv", "-o", "p.jsonl")
        for truth, train in (("annif.tsv", "annif.tsv"), ("annif.jsonl", "annif.tsv"), ("annif.tsv", "annif.jsonl")):
            with self.subTest(truth=truth, train=train):
                rows = self.xylem("predict", "-q", "-m", "m.xylem", "-i", truth, "-o", "p.jsonl", "--force")
                found = self.xylem("eval", "--predictions", "p.jsonl", "--truth", truth, "--train", train, "--json").json
                self.assertEqual((found["P@1"], found["predictions"]["unknown_labels"]), (100, 0), rows)

    def test_or_names_stand_in_lists_of_labels(self):
        self.write("list.txt", f"{URI}chess\nsailing\n")
        self.assertEqual(self.best("bread", "--without", "list.txt")["label"], "cooking")
        self.assertIn(self.best("wind", "--only", "list.txt")["label"], ("chess", "sailing"))
        for line in (f"<{URI}chess>", f"{URI}chess\tchess", f"<{URI}chess>\tSchach"):
            self.write("list.txt", line + "\n")
            self.assertEqual(self.best("bishop", "--only", "list.txt")["label"], "chess", line)
            self.assertEqual(self.labels_given("--without", "list.txt"), {"cooking", "sailing"}, line)
        self.write("list.txt", f"{URI}tennis\n")
        self.fails(3, "list.txt:1: the model has no label", "predict", "-m", "m.xylem", "-i", "train.jsonl",
                   "--only", "list.txt")
        explained = [self.xylem("explain", "-m", "m.xylem", "-i", "train.jsonl", "--label", label, "--json").out
                     for label in ("chess", URI + "chess")]
        self.assertEqual(explained[0], explained[1])
        self.train("train.jsonl", "--set", "dim=4", "--set", "hidden=4", "--set", "epochs=2", "--set", "k=3",
                   model="near.xylem", method="dxml")
        self.assertEqual(self.xylem("labels", "-m", "near.xylem", "--near", "chess", "--json", code=2).err,
                         self.xylem("labels", "-m", "near.xylem", "--near", URI + "chess", "--json", code=2)
                         .err.replace(URI, ""))

    def test_are_in_files_of_label_names(self):
        vocabulary = "".join(f"{URI}{name}\t{name}\n" for name in WORDS)
        self.xylem("predict", "-q", "-m", "m.xylem", "-i", "train.jsonl", "-o", "p.txt", "--format", "xmlrepo",
                   "--write-label-names", "names.tsv")
        self.assertEqual(self.read("names.tsv").decode(), vocabulary)
        files = ["eval", "--predictions", "p.txt", "--truth", "train.jsonl", "--train", "train.jsonl", "--json"]
        self.assertEqual(self.xylem(*files, "--label-names", "names.tsv").json["P@1"], 100)
        # Annif's vocabulary names the URIs of its corpora.
        self.write("vocabulary.tsv", "".join(f"<{URI}{name}>\t{name}\n" for name in WORDS))
        self.write("uris.jsonl", jsonl(rows_with(lambda name: URI + name)))
        self.train("uris.jsonl", "--label-names", "vocabulary.tsv")
        self.assertEqual(self.labels(), [[name, URI + name] for name in WORDS])
        self.write("sparse.txt", TINY)
        self.write("four.tsv", vocabulary + f"{URI}go\tgo\n")
        self.xylem("train", "-q", "-i", "sparse.txt", "-m", "s.xylem", "--method", "knn", "--label-names", "four.tsv")
        self.assertEqual(self.labels("s.xylem"), [[name, URI + name] for name in [*WORDS, "go"]])
        self.write("twice.tsv", vocabulary + vocabulary)
        self.fails(3, r"twice.tsv:4: found the identifier 'http://example.org/cooking' twice", "train", "-i",
                   "sparse.txt", "-m", "no.xylem", "--label-names", "twice.tsv")

    def test_of_one_name_are_not_merged_without_a_word(self):
        rows = rows_with(subject) + [{"text": "rook pawn", "subjects": [subject("chess", "piece")]}] * 3
        self.write("more.jsonl", jsonl(rows))
        self.train("more.jsonl")
        warning = (f"warning: labels that share their name with another: 2, such as '{URI}chess' and '{URI}piece', both "
                   "'chess'; {} has no identifiers, so nothing tells them apart there; jsonl has them\n")
        for form, expected in (("fasttext", True), ("jsonl", False)):
            found = self.xylem("predict", "-q", "-m", "m.xylem", "-i", "more.jsonl", "-o", "p", "--format", form, "--force")
            self.assertEqual(found.err, f"xylem: {warning.format(form)}" if expected else "")
        for form, expected in (("fasttext", True), ("tsv", True), ("csv", True), ("jsonl", False), ("xmlrepo", False)):
            found = self.xylem("convert", "-q", "-i", "more.jsonl", "-o", "c", "--to", form, "--force")
            self.assertEqual(found.err, f"xylem: {warning.format(form)}" if expected else "")
        self.xylem("predict", "-q", "-m", "m.xylem", "-i", "more.jsonl", "-o", "p", "--format", "fasttext", "--force")
        found = self.xylem("eval", "-q", "--predictions", "p", "--truth", "more.jsonl", "-m", "m.xylem")
        self.assertIn("p: predicted names that several labels share, each taken for the first of them: 1\n", found.err)
        self.xylem("eval", "-m", "m.xylem", "-i", "more.jsonl", "--per-label", "l.tsv")
        table = [line.split("\t") for line in self.read("l.tsv").decode().splitlines()]
        self.assertEqual([(row[0], row[-1]) for row in table],
                         [("label", "id"), *((name, URI + name) for name in WORDS), ("chess", URI + "piece")])

    def test_are_converted_and_learned(self):
        self.xylem("convert", "-q", "-i", "train.jsonl", "-o", "copy.jsonl", "--to", "jsonl")
        self.train("copy.jsonl", model="copy.xylem")
        self.assertEqual(self.read("copy.xylem"), self.read("m.xylem"))
        self.xylem("convert", "-q", "-i", "train.jsonl", "-o", "rows.txt", "--to", "xmlrepo",
                   "--write-label-names", "names.tsv")
        self.assertEqual(self.read("names.tsv").decode(), "".join(f"{URI}{name}\t{name}\n" for name in WORDS))
        rows = [{"text": "hoist wind", "subjects": [{"uri": URI + "sailing"}]},
                {"text": "flour wind", "subjects": [subject("gardening")]}]
        self.write("new.jsonl", jsonl(rows))
        self.xylem("learn", "-q", "-m", "m.xylem", "-i", "new.jsonl", "-o", "l.xylem")
        self.assertEqual(self.labels("l.xylem"), [[name, URI + name] for name in [*WORDS, "gardening"]])
        self.assertEqual(self.best("flour wind", model="l.xylem"), {"label": "gardening", "id": URI + "gardening"})
