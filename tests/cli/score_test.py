# SPDX-License-Identifier: Apache-2.0
"""`xylem eval` of predictions of texts, of other programs and of other models: matched by name, identifier and id."""
import json

import figures
from command import TINY, CommandTest, random_rows, with_header

TOPICS = {"cooking": "bake bread flour yeast oven", "sailing": "hoist sail wind boat harbour",
          "chess": "king bishop check mate rook", "gardening": "sow seed soil flower spade"}
NAMES = list(TOPICS)


def jsonl(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def texts(names, ids=True):
    """Rows of four texts per topic, in the order of `names`: so texts number their labels."""
    rows = []
    for i in range(4):
        for name in names:
            words = TOPICS[name].split()
            row = {"text": " ".join(words[i:] + words[:i] + ["and"]), "labels": [name]}
            rows.append({"id": f"{name}-{i}", **row} if ids else row)
    return rows


class TextTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("train.jsonl", jsonl(texts(NAMES)))
        self.write("test.jsonl", jsonl(texts(NAMES[::-1])))
        self.model("m.xylem", "train.jsonl")

    def model(self, name, train, *options):
        self.xylem("train", "-q", "-i", train, "-m", name, "--method", "knn", "--set", "k=2", "--set", "text.min_df=1",
                   *options)

    def predict(self, name, *options, model="m.xylem", data="test.jsonl"):
        self.xylem("predict", "-q", "-m", model, "-i", data, "-o", name, *options)
        return name

    def of_model(self, *options, model="m.xylem", data="test.jsonl"):
        return self.xylem("eval", "-m", model, "-i", data, "--json", *options)

    def of_files(self, predictions, *options, truth="test.jsonl", train="train.jsonl"):
        return self.xylem("eval", "--predictions", predictions, "--truth", truth, "--train", train, "--json", *options)

    def compare(self, found, expected):
        for name, value in expected.items():
            if name.partition("@")[0] in ("P", "nDCG", "PSP", "R", "microF1", "macroF1"):
                self.assertAlmostEqual(found[name], value, delta=1e-9, msg=name)


class PredictionsOfTexts(TextTest):
    def test_in_every_format_are_worth_what_the_model_is(self):
        expected = self.of_model().json
        self.assertEqual(expected["P@1"], 100)
        self.compare(self.of_files(self.predict("p.jsonl")).json, expected)
        self.compare(self.of_files(self.predict("p.txt", "--format", "fasttext")).json, expected)
        numbers = self.predict("p.xmlrepo", "--format", "xmlrepo", "--write-label-names", "names.txt")
        self.compare(self.of_files(numbers, "--label-names", "names.txt").json, expected)
        self.compare(self.xylem("eval", "--predictions", "p.jsonl", "--truth", "test.jsonl", "-m", "m.xylem",
                                "--json").json, expected)

    def test_of_a_model_with_other_numbers_are_matched_by_name(self):
        """Texts number labels as they come: the same number is another label in another model."""
        self.model("old.xylem", "test.jsonl")
        names = self.predict("old.txt", "--format", "xmlrepo", "--write-label-names", "old.names", model="old.xylem")
        self.assertEqual(self.read("old.names").decode().splitlines(), [f"{i}\t{name}" for i, name in enumerate(NAMES[::-1])])
        self.fails(2, r"old.txt has numbers for labels, and the texts have names: --versus-label-names FILE",
                   "eval", "-m", "m.xylem", "-i", "test.jsonl", "--versus", names)
        compared = self.of_model("--versus", names, "--versus-label-names", "old.names").json["compared"]["P@1"]
        self.assertEqual((compared["first"], compared["second"], compared["p"]), (100, 100, 1))
        self.fails(2, r"old.txt has numbers for labels, and the texts have names: --label-names FILE", "eval",
                   "--predictions", "old.txt", "--truth", "test.jsonl", "--train", "train.jsonl")
        self.assertEqual(self.of_files(names, "--label-names", "old.names").json["P@1"], 100)

    def test_with_numbers_that_fit_from_0_and_from_1_are_refused(self):
        """A rare last label may never be predicted: then nothing says which label the first name is for."""
        rows = texts(NAMES[:3])
        self.write("some.jsonl", jsonl(rows))
        self.write("one.txt", "".join(f"{NAMES.index(row['labels'][0]) + 1}:1\n" for row in rows))
        self.write("names.txt", "".join(name + "\n" for name in NAMES))
        files = ["eval", "--predictions", "one.txt", "--truth", "some.jsonl", "--train", "train.jsonl", "--json",
                 "--label-names"]
        self.fails(2, r"names.txt: 4 names for labels from 1 to 3, which one.txt predicts: .*--first-id", *files, "names.txt")
        self.assertEqual(self.xylem(*files, "names.txt", "--first-id", 1).json["P@1"], 100)
        self.write("numbered.txt", "".join(f"{i}\t{name}\n" for i, name in enumerate(NAMES, 1)))
        self.assertEqual(self.xylem(*files, "numbered.txt").json["P@1"], 100)

    def test_with_numbers_of_our_own_never_leave_the_first_open(self):
        self.write("some.jsonl", jsonl(texts(NAMES[1:3])))  # neither the first nor the last
        self.predict("p.txt", "--format", "xmlrepo", "-k", 1, "--write-label-names", "names.txt", data="some.jsonl")
        found = self.of_files("p.txt", "--label-names", "names.txt", truth="some.jsonl").json
        self.assertEqual(found["P@1"], 100)

    def test_with_numbers_are_written_with_their_names_only(self):
        self.fails(2, r"xmlrepo has numbers for labels, .*--write-label-names FILE.*--format jsonl",
                   "predict", "-m", "m.xylem", "-i", "test.jsonl", "--format", "xmlrepo")
        self.fails(2, r"p.txt is to be written twice", "predict", "-m", "m.xylem", "-i", "test.jsonl", "-o", "p.txt",
                   "--write-label-names", "p.txt")
        self.write("there.txt", "x")
        self.fails(2, r"there.txt exists already; --force", "predict", "-m", "m.xylem", "-i", "test.jsonl",
                   "--write-label-names", "there.txt")
        self.assertEqual(self.read("there.txt"), b"x")
        sparse = self.train_tiny()
        self.fails(2, "the labels of the model are numbers without names", "predict", "-m", sparse, "-i", "tiny.txt",
                   "--write-label-names", "n.txt")

    def test_without_headers_are_read_too(self):
        self.predict("p.txt", "--format", "xmlrepo", "--write-label-names", "names.txt")
        self.write("bare.txt", self.read("p.txt").split(b"\n", 1)[1])
        self.assertEqual(self.of_files("bare.txt", "--label-names", "names.txt").json["P@1"], 100)

    def test_are_matched_by_every_known_name_of_the_document_id(self):
        for name in ("id", "document_id", "uid", "doc_id", "ID"):
            with self.subTest(name):
                rows = [{name if key == "id" else key: value for key, value in row.items()} for row in texts(NAMES)]
                self.write("named.jsonl", jsonl(rows))
                self.write("p.jsonl", jsonl([{name: row[name], "labels": row["labels"]} for row in rows[::-1]]))
                found = self.of_files("p.jsonl", truth="named.jsonl").json
                self.assertEqual((found["P@1"], found["predictions"]["rows_matched_by"]), (100, "id"))

    def test_are_matched_by_document_id_in_any_order(self):
        rows = self.read(self.predict("p.jsonl")).decode().splitlines(True)
        self.write("shuffled.jsonl", "".join(rows[::-1]))
        result = self.of_files("shuffled.jsonl")
        self.compare(result.json, self.of_model().json)
        self.assertEqual(result.json["predictions"]["rows_matched_by"], "id")
        self.assertIn("shuffled.jsonl: read as jsonl, rows matched by document id\n", result.err)
        stranger = json.dumps({"id": "stranger", "labels": []}) + "\n"
        self.write("other.jsonl", "".join(rows[4:]) + stranger)
        result = self.of_files("other.jsonl")
        matched = result.json["predictions"]
        self.assertEqual((matched["missing_rows"], matched["unknown_rows"], result.json["P@1"]), (4, 1, 75))
        self.assertIn("other.jsonl: test rows without predictions, as none has their id: 4\n", result.err)
        self.assertIn("other.jsonl: predictions for documents that are no test rows, ignored: 1\n", result.err)
        self.write("twice.jsonl", rows[0] + "".join(rows))
        self.fails(3, r"twice.jsonl: found the document id 'gardening-0' twice", "eval", "--predictions", "twice.jsonl",
                   "--truth", "test.jsonl", "--train", "train.jsonl")
        self.write("strange.jsonl", stranger)
        self.fails(3, r"strange.jsonl: none of its document ids is that of a test row: found ids like 'stranger', "
                   r"expected ids like 'gardening-0'", "eval", "-m", "m.xylem", "-i", "test.jsonl",
                   "--versus", "strange.jsonl")

    def test_without_ids_are_matched_by_position(self):
        self.write("plain.jsonl", jsonl(texts(NAMES[::-1], ids=False)))
        self.predict("p.txt", "--format", "fasttext")
        found = self.of_files("p.txt", truth="plain.jsonl").json
        self.assertEqual((found["predictions"]["rows_matched_by"], found["P@1"]), ("position", 100))
        self.write("short.txt", self.read("p.txt").split(b"\n", 1)[1])
        self.fails(3, r"short.txt: found predictions for 15 rows, expected 16, .* matched by position unless every row "
                   r"has a document id", "eval", "--predictions", "short.txt", "--truth", "test.jsonl",
                   "--train", "train.jsonl")

    def test_with_ids_for_rows_without_are_matched_by_position_with_a_warning(self):
        self.write("plain.jsonl", jsonl(texts(NAMES, ids=False)))
        self.predict("p.jsonl")
        warning = "p.jsonl: rows are matched by position, because only the predictions or only the test rows have document ids"
        self.assertIn(warning, self.of_files("p.jsonl", "-q", truth="plain.jsonl").err)
        self.predict("q.jsonl", data="plain.jsonl")
        self.assertIn("q.jsonl: rows are matched by position", self.of_files("q.jsonl", "-q").err)
        self.assertEqual(self.of_files("q.jsonl", "-q", truth="plain.jsonl").err, "")

    def test_of_labels_that_nobody_knows_are_wrong_and_counted(self):
        rows = [json.loads(line) for line in self.read(self.predict("p.jsonl")).splitlines()]
        for row in rows[:8]:
            row["labels"].insert(0, {"label": "weaving" if row["id"].endswith("0") else "knitting", "score": 9})
        self.write("odd.jsonl", jsonl(rows))
        result = self.of_files("odd.jsonl", "--per-label", "l.tsv")
        self.assertEqual(result.json["P@1"], 50)
        matched = result.json["predictions"]
        self.assertEqual((matched["unknown_labels"], matched["unknown_predictions"]), (2, 8))
        self.assertIn("odd.jsonl: predicted labels that neither a training nor a test row has, wrong wherever they "
                      "stand (8 times): 2\n", result.err)
        table = [line.split("\t") for line in self.read("l.tsv").decode().splitlines()]
        self.assertIn(["weaving", "0", "0", "4"], [row[:4] for row in table])
        self.write("alien.jsonl", jsonl({"id": row["id"], "labels": ["weaving"]} for row in rows))
        self.fails(3, r"alien.jsonl: none of the labels that it predicts is one of the training or test rows: found "
                   r"labels like 'weaving', expected labels like 'cooking'", "eval", "--predictions", "alien.jsonl",
                   "--truth", "test.jsonl", "--train", "train.jsonl")

    def test_of_others_are_scored(self):
        """Annif's results and fastText's output, with and without scores."""
        uris = {name: f"http://example.org/{name}" for name in NAMES}
        rows = texts(NAMES)
        for row in rows:
            row["document_id"] = row.pop("id")
            row["subjects"] = [{"uri": uris[row["labels"][0]], "label": row.pop("labels")[0]}]
        self.write("annif.jsonl", jsonl(rows))
        for other in ([{"label": "Kochen"}, {"label": "cooking"}, {}]):
            results = [{"document_id": row["document_id"],
                        "results": [{"uri": row["subjects"][0]["uri"], "notation": None, "score": 0.5, **other}]}
                       for row in rows[::-1]]
            self.write("p.jsonl", jsonl(results))
            found = self.of_files("p.jsonl", truth="annif.jsonl", train="annif.jsonl").json
            self.assertEqual((found["P@1"], found["predictions"]["rows_matched_by"]), (100, "id"), other)
        for line in ("__label__{} 0.9 __label__cooking2 0.1\n", "__label__{} __label__cooking2\n"):
            self.write("ft.txt", "".join(line.format(row["labels"][0]) for row in texts(NAMES)))
            found = self.of_files("ft.txt", truth="train.jsonl").json
            self.assertEqual((found["P@1"], found["predictions"]["unknown_predictions"]), (100, 16))
        result = self.xylem("eval", "--predictions", "ft.txt", "--truth", "train.jsonl", "--train", "train.jsonl")
        self.assertIn("labels without scores taken in the order of the file", result.err)

    def test_agree_with_an_evaluator_of_our_own(self):
        truth, predicted, train = ([], [], [])
        number = {name: i for i, name in enumerate(NAMES)}
        self.predict("p.jsonl", "-k", "3", data="train.jsonl")
        for name, rows in (("train.jsonl", train), ("test.jsonl", truth)):
            rows.extend({number[label] for label in json.loads(line)["labels"]} for line in self.read(name).splitlines())
        by_id = {}
        for line in self.read("p.jsonl").splitlines():
            row = json.loads(line)
            by_id[row["id"]] = [number[label["label"]] for label in row["labels"]]
        for line in self.read("test.jsonl").splitlines():
            predicted.append(by_id[json.loads(line)["id"]])
        found = self.of_files("p.jsonl").json
        for name, value in figures.figures(truth, predicted, train).items():
            self.assertAlmostEqual(found[name], value, delta=0.01, msg=name)

    def test_that_are_no_predictions_are_refused(self):
        for content, pattern in (
                ('{"text": "a b"}\n', r'bad:1: found no predicted labels, expected the key "labels"'),
                ('{"labels": [{"label": "a", "score": "x"}]}\n', r'bad:1: .*expected a number for "score"'),
                ('{"labels": [{"label": "a", "score": 1e999}]}\n', r"bad:1: found '1e999', expected a finite score"),
                ('{"labels": [{"label": "a", "score": 1}, "b"]}\n', r"bad:1: found a label without a score beside"),
                ('\n{"labels": [""]}\n', r"bad:2: found an empty label"),
                ("__label__a 0.5 b\n", r"bad:1: found 'b', expected a label like '__label__name'"),
                ("__label__ 0.5\n", r"bad:1: found '__label__' without a name"),
                ("__label__a nan\n", r"bad:1: found 'nan', expected a finite score"),
                ("__label__a 1 __label__b\n", r"bad:1: found a label without a score"),
                (b"__label__\xff\n", r"bad:1: found invalid UTF-8"),
                ("cooking:0.5\n", r"bad:1: found 'cooking:0.5', expected predictions: `label:score` .*JSONL.*__label__"),
                (b"\xff\xfe" + '{"labels":["a"]}'.encode("utf-16-le"), r"bad:1: found UTF-16, expected UTF-8: .*`iconv "),
                ('[{"id":"a","labels":["cooking"]}]\n', r"bad:1: found a JSON array, expected one object per line .*`jq -c "),
                ("", r"bad:1: found an empty file")):
            self.write("bad", content)
            self.fails(3, pattern, "eval", "--predictions", "bad", "--truth", "test.jsonl", "--train", "train.jsonl")
        self.fails(3, r"p.jsonl:1: found '\{", "eval", "--predictions", self.predict("p.jsonl"), "--truth",
                   "test.jsonl", "--train", "train.jsonl", "--predictions-format", "fasttext")

    def test_need_test_rows_of_their_kind(self):
        self.write("tiny.txt", TINY)
        self.predict("p.jsonl")
        self.fails(3, r"tiny.txt: found sparse rows, expected texts, as in train.jsonl", "eval", "--predictions",
                   "p.jsonl", "--truth", "tiny.txt", "--train", "train.jsonl")
        self.fails(3, r"test.jsonl:1: found texts \(jsonl\), expected sparse rows", "eval", "--predictions",
                   "p.jsonl", "--truth", "test.jsonl", "--train", "tiny.txt")
        self.fails(2, r"--label-names train.jsonl is for predictions with numbers", "eval", "--predictions", "p.jsonl",
                   "--truth", "test.jsonl", "--train", "train.jsonl", "--label-names", "train.jsonl")


class TestRows(TextTest):
    def test_whose_labels_the_model_does_not_know_are_counted(self):
        rows = texts(NAMES)
        for row in rows[:3]:
            row["labels"] = ["weaving"]
        rows[3]["labels"].append("knitting")
        self.write("new.jsonl", jsonl(rows))
        for result in (self.of_model(data="new.jsonl"),
                       self.of_files(self.predict("p.jsonl", data="new.jsonl"), truth="new.jsonl")):
            self.assertIn("new.jsonl: labels that no training row has: 2, in 4 of 16 rows; 3 rows have no other label\n",
                          result.err)
            self.assertEqual([result.json[name] for name in ("unknown_labels", "rows_with_unknown_labels",
                                                             "rows_with_unknown_labels_only")], [2, 4, 3])
            self.assertNotIn("all figures are 0", result.err)

    def test_none_of_whose_labels_the_model_knows_are_worth_a_warning(self):
        rows = [{**row, "labels": ["Cooking"]} for row in texts(NAMES)]
        self.write("new.jsonl", jsonl(rows))
        result = self.of_model(data="new.jsonl")
        self.assertEqual(result.json["P@5"], 0)
        self.assertIn("new.jsonl: no row has a label that was trained, so all figures are 0: found labels like "
                      "'Cooking', expected labels like 'cooking'\n", result.err)
        self.train_tiny("tiny.xylem", TINY, "knn")
        self.write("far.txt", "17 0:1\n18 1:1\n")
        result = self.xylem("eval", "-m", "tiny.xylem", "-i", "far.txt")
        self.assertIn("far.txt: no row has a label that was trained, so all figures are 0: found labels like 17, "
                      "expected labels like 0\n", result.err)

    def test_none_of_whose_labels_the_training_rows_have_cast_doubt_on_these(self):
        self.write("other.jsonl", jsonl({**row, "labels": [row["labels"][0].upper()]} for row in texts(NAMES)))
        result = self.of_files(self.predict("p.jsonl"), train="other.jsonl")
        self.assertEqual(result.json["P@1"], 100)
        self.assertNotIn("all figures are 0", result.err)
        self.assertIn("test.jsonl: no row has a label that was trained, so these are probably not the training rows, and "
                      "PSP and the groups by frequency mean nothing: found labels like 'gardening', expected labels like "
                      "'COOKING'\n", result.err)


class SecondModel(TextTest):
    def test_is_compared_by_name(self):
        self.model("old.xylem", "test.jsonl")
        self.xylem("train", "-q", "-i", "test.jsonl", "-m", "floor.xylem", "--method", "popular")
        compared = self.of_model("--versus-model", "old.xylem").json["compared"]["P@1"]
        self.assertEqual((compared["first"], compared["second"], compared["p"]), (100, 100, 1))
        floor = self.of_model(model="floor.xylem").json
        found = self.of_model("--versus-model", "floor.xylem").json
        self.assertEqual(found["compared"]["P@1"]["second"], floor["P@1"])
        self.assertLess(found["compared"]["P@1"]["p"], 0.05)
        found = self.of_files(self.predict("p.jsonl"), "--versus-model", "floor.xylem").json
        self.assertEqual(found["compared"]["P@1"]["second"], floor["P@1"])

    def test_of_sparse_rows_is_compared_by_number(self):
        lines = random_rows(300, n_labels=20, seed=5)
        self.write("rows.txt", with_header(lines[:200]))
        self.write("new.txt", with_header(lines[200:]))
        for method in ("knn", "popular"):
            self.xylem("train", "-q", "-i", "rows.txt", "-m", method, "--method", method)
        own = self.xylem("eval", "-m", "popular", "-i", "new.txt", "--json").json
        found = self.xylem("eval", "-m", "knn", "-i", "new.txt", "--versus-model", "popular", "--json").json
        self.assertEqual(found["compared"]["nDCG@5"]["second"], own["nDCG@5"])
        self.xylem("train", "-q", "-i", "rows.txt", "-m", "one", "--method", "popular", "--first-id", "0")
        self.write("one.txt", "1 1:1\n2 2:1\n")
        self.xylem("train", "-q", "-i", "one.txt", "-m", "other", "--method", "popular", "--first-id", "1")
        self.fails(2, r"other counts features from 1 and labels from 1, and the test rows count from 0 and 0",
                   "eval", "-m", "knn", "-i", "new.txt", "--versus-model", "other")

    def test_must_be_comparable(self):
        tiny = self.train_tiny("tiny.xylem", TINY, "knn")
        self.fails(2, r"tiny.xylem was trained on sparse rows, and test.jsonl has texts: both models must take",
                   "eval", "-m", "m.xylem", "-i", "test.jsonl", "--versus-model", tiny)
        self.write("other.jsonl", jsonl({**row, "labels": ["weaving"]} for row in texts(NAMES)))
        self.model("alien.xylem", "other.jsonl")
        self.fails(3, r"alien.xylem: none of the labels that it predicts is one of the training or test rows",
                   "eval", "-m", "m.xylem", "-i", "test.jsonl", "--versus-model", "alien.xylem")
        self.fails(2, "do not go together", "eval", "-m", "m.xylem", "-i", "test.jsonl", "--versus-model", "m.xylem",
                   "--versus", "p.jsonl")
        self.fails(2, "--versus-label-names goes with --versus FILE", "eval", "-m", "m.xylem", "-i", "test.jsonl",
                   "--versus-label-names", "n.txt")


class SparseRows(CommandTest):
    def setUp(self):
        super().setUp()
        self.train_tiny("m.xylem", TINY, "knn")
        self.files_given = ("--truth", "tiny.txt", "--train", "tiny.txt", "--json")

    def test_are_scored_in_every_format(self):
        expected = self.xylem("eval", "-m", "m.xylem", "-i", "tiny.txt", "--json").json["nDCG@3"]
        for form in ("xmlrepo", "jsonl", "fasttext"):
            self.xylem("predict", "-q", "-m", "m.xylem", "-i", "tiny.txt", "-o", form, "--format", form)
            found = self.xylem("eval", "--predictions", form, *self.files_given).json
            self.assertEqual(found["nDCG@3"], expected, form)

    def test_without_names_take_numbers_only(self):
        self.write("p.txt", "__label__cooking 1\n" * 8)
        self.fails(3, r"p.txt: found the label 'cooking', expected a number: .*--label-names FILE gives them names",
                   "eval", "--predictions", "p.txt", *self.files_given)

    def test_with_names_are_scored_by_name(self):
        self.write("names.txt", "cooking\nsailing\nchess\nrowing\n")
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "named.xylem", "--method", "knn", "--set", "k=2",
                   "--label-names", "names.txt")
        self.xylem("predict", "-q", "-m", "named.xylem", "-i", "tiny.txt", "-o", "p.jsonl", "--format", "jsonl")
        self.xylem("predict", "-q", "-m", "named.xylem", "-i", "tiny.txt", "-o", "p.txt", "--write-label-names", "n")
        self.assertEqual(self.read("n"), b"0\tcooking\n1\tsailing\n2\tchess\n3\trowing\n")
        expected = self.xylem("eval", "-m", "m.xylem", "-i", "tiny.txt", "--json").json["nDCG@3"]
        for file in ("p.jsonl", "p.txt"):
            found = self.xylem("eval", "--predictions", file, *self.files_given, "--label-names", "names.txt").json
            self.assertEqual(found["nDCG@3"], expected, file)
        for options in ((), ("--versus-label-names", "n")):
            found = self.xylem("eval", "-m", "named.xylem", "-i", "tiny.txt", "--versus", "p.txt", *options, "--json")
            self.assertEqual(found.json["compared"]["nDCG@3"]["difference"], 0)
        found = self.xylem("eval", "--predictions", "p.txt", "--truth", "tiny.txt", "-m", "named.xylem", "--json").json
        self.assertEqual(found["nDCG@3"], expected)

    def test_with_and_without_names_are_compared_by_number(self):
        self.write("names.txt", "cooking\nsailing\nchess\n1\n")
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "named.xylem", "--method", "knn", "--set", "k=2",
                   "--label-names", "names.txt")
        for first, second in (("m.xylem", "named.xylem"), ("named.xylem", "m.xylem"), ("named.xylem", "named.xylem")):
            found = self.xylem("eval", "-m", first, "-i", "tiny.txt", "--versus-model", second, "--json").json
            self.assertEqual(found["compared"]["nDCG@3"]["difference"], 0)
        self.xylem("predict", "-q", "-m", "named.xylem", "-i", "tiny.txt", "-o", "p.jsonl", "--format", "jsonl")
        model = ("eval", "-m", "m.xylem", "-i", "tiny.txt", "--json")
        self.fails(3, r"p.jsonl: found the label 'cooking', expected a number: .*; --versus-label-names FILE gives them",
                   *model, "--versus", "p.jsonl")
        self.write("numbered.txt", "".join(f"{i}\t{name}" for i, name in
                                           enumerate(self.read("names.txt").decode().splitlines(True))))
        for names in ("names.txt", "numbered.txt"):
            found = self.xylem(*model, "--versus", "p.jsonl", "--versus-label-names", names).json
            self.assertEqual(found["compared"]["nDCG@3"]["difference"], 0)
            own = self.xylem(*model, "--predictions", "p.jsonl", "--label-names", names).json
            self.assertEqual(own["nDCG@3"], found["nDCG@3"])
        self.write("few.txt", "cooking\nsailing\n1\n")
        self.fails(3, r"few.txt: found no label called 'chess', which p.jsonl predicts", *model, "--versus", "p.jsonl",
                   "--versus-label-names", "few.txt")

    def test_with_names_may_be_predicted_by_a_number_that_nobody_knows(self):
        self.write("names.txt", "cooking\nsailing\nchess\nrowing\n")
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "named.xylem", "--method", "knn", "--set", "k=2",
                   "--label-names", "names.txt")
        self.write("p.txt", "0:2 17:1\n" * 8)
        result = self.xylem("eval", "--predictions", "p.txt", "--truth", "tiny.txt", "-m", "named.xylem",
                            "--per-label", "l.tsv")
        self.assertIn("neither a training nor a test row has, wrong wherever they stand (8 times): 1\n", result.err)
        self.assertIn(b"\n17\t0\t0\t8\t", self.read("l.tsv"))
        self.write("p.txt", "17:1\n" * 8)
        self.fails(3, r"p.txt: none of the labels .*: found labels like '17', expected labels like 'cooking'", "eval",
                   "--predictions", "p.txt", "--truth", "tiny.txt", "-m", "named.xylem")
