# SPDX-License-Identifier: Apache-2.0
"""`xylem predict` and `xylem info`: forms of output, k and threshold."""
import json
import os
import pathlib

from command import CommandTest


DATA_FOLDER = pathlib.Path(__file__).parent.parent / "data"


class Predictions(CommandTest):
    def setUp(self):
        super().setUp()
        self.train_tiny(method="knn")

    def predict(self, *options):
        return self.xylem("predict", "-m", "tiny.xylem", "-i", "tiny.txt", *options).out

    def rows(self, *options):
        """Of each row, labels with their scores as text."""
        lines = self.predict(*options).splitlines()
        self.assertEqual(lines[0], "8 4")
        self.assertEqual(len(lines), 9)
        return [[tuple(pair.split(":")) for pair in line.split()] for line in lines[1:]]

    def test_are_a_header_and_labels_best_first(self):
        rows = self.rows()
        for row in rows:
            scores = [float(score) for _, score in row]
            self.assertEqual(scores, sorted(scores, reverse=True))
            self.assertEqual(len({label for label, _ in row}), len(row))
        self.assertEqual(rows[2][0][0], "1")
        self.assertEqual(rows[6][0][0], "3")

    def test_are_the_same_in_every_format(self):
        rows = self.rows()
        parsed = [json.loads(line) for line in self.predict("--format", "jsonl").splitlines()]
        self.assertEqual([[(str(pair["label"]), pair["score"]) for pair in row["labels"]] for row in parsed],
                         [[(label, float(score)) for label, score in row] for row in rows])
        fasttext = [line.split() for line in self.predict("--format", "fasttext").splitlines()]
        words = [[word for label, score in row for word in ("__label__" + label, score)] for row in rows]
        self.assertEqual(fasttext, words)

    def test_are_at_most_k(self):
        everything = self.rows("-k", "100")
        for k in (1, 2):
            self.assertEqual(self.rows("-k", k), [row[:k] for row in everything])

    def test_keep_what_scores_at_least_the_threshold(self):
        everything = self.rows()
        for threshold in sorted({score for row in everything for _, score in row}):
            kept = [[pair for pair in row if float(pair[1]) >= float(threshold)] for row in everything]
            self.assertEqual(self.rows("--threshold", threshold), kept)
        self.assertEqual(self.predict("-t", "2"), "8 4\n" + "\n" * 8)

    def test_go_to_a_file_as_to_standard_output(self):
        self.assertEqual(self.predict("-o", "p.txt"), "")
        self.assertEqual(self.read("p.txt").decode(), self.predict())
        self.assertEqual(self.files(), ["p.txt", "tiny.txt", "tiny.xylem"])


class Fasttext(CommandTest):
    def test_refuses_labels_that_it_cannot_hold_as_convert_does(self):
        self.write("train.jsonl", "".join('{"text": "word%d word", "labels": ["%s"]}\n' % (i, label) for i, label in
                                          enumerate(("time travel", "a,b", "line\\nbreak", "plain"))))
        self.xylem("train", "-q", "-i", "train.jsonl", "-m", "m.xylem", "--method", "popular")
        pattern = r"label 'time travel' has a blank, which fasttext cannot hold; jsonl can"
        result = self.fails(3, pattern, "predict", "-m", "m.xylem", "-i", "train.jsonl", "--format", "fasttext")
        self.assertEqual(result.out, "")
        self.fails(3, pattern, "convert", "-i", "train.jsonl", "-o", "o.txt", "--to", "fasttext")
        self.write("lines.jsonl", '{"text": "word", "labels": ["line\\nbreak"]}\n')
        self.xylem("train", "-q", "-i", "lines.jsonl", "-m", "lines.xylem", "--method", "popular")
        self.fails(3, r"label 'line\\x0abreak' has a line break, which fasttext cannot hold", "predict", "-m",
                   "lines.xylem", "-i", "train.jsonl", "--format", "fasttext", "-o", "o.txt")
        self.assertNotIn("o.txt", self.files())


class OnlySomeLabels(CommandTest):
    """--only and --without."""

    def setUp(self):
        super().setUp()
        self.write("names.txt", "cooking\nsailing\nchess\ntime travel\n")
        self.train_tiny(method="knn")
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "named.xylem", "--method", "knn", "--set", "k=2", "--label-names", "names.txt")

    def rows(self, *options, model="tiny.xylem"):
        lines = self.xylem("predict", "-q", "-m", model, "-i", "tiny.txt", *options).out.splitlines()
        self.assertEqual((lines[0], len(lines)), ("8 4", 9))
        return [[pair.split(":")[0] for pair in line.split()] for line in lines[1:]]

    def test_are_the_best_of_those(self):
        everything = self.rows("-k", 4)
        self.write("list.txt", "1\r\n\n3\n")
        self.write("named.txt", "\ufeffsailing\ntime travel")
        for k in (1, 4):
            only = [[label for label in row if label in "13"][:k] for row in everything]
            without = [[label for label in row if label in "02"][:k] for row in everything]
            for model, labels in (("tiny.xylem", "list.txt"), ("named.xylem", "named.txt")):
                self.assertEqual(self.rows("--only", labels, "-k", k, model=model), only)
                self.assertEqual(self.rows("--without", labels, "-k", k, model=model), without)

    def test_are_filled_up_to_k(self):
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "popular.xylem", "--method", "popular")
        best = self.rows("-k", 1, model="popular.xylem")[0]
        self.write("best.txt", best[0] + "\n")
        row = self.rows("-k", 3, "--without", "best.txt", model="popular.xylem")[0]
        self.assertEqual((len(row), set(row) | set(best)), (3, set("0123")))

    def test_are_those_that_share_a_name(self):
        self.write("shared.txt", "a\nb\na\nc\n")
        self.xylem("train", "-i", "tiny.txt", "-m", "shared.xylem", "--method", "knn", "--set", "k=2", "--label-names", "shared.txt")
        self.write("list.txt", "a\n")
        given = {label for row in self.rows("--only", "list.txt", model="shared.xylem") for label in row}
        self.assertEqual(given, {"0", "2"})

    def test_are_lines_of_written_label_names(self):
        self.write("shared.txt", "a\nb\na\n1\n")  # the last one is called as another is numbered
        self.xylem("train", "-i", "tiny.txt", "-m", "shared.xylem", "--method", "knn", "--set", "k=2", "--label-names", "shared.txt")
        self.xylem("predict", "-m", "shared.xylem", "-i", "tiny.txt", "-o", "p.txt", "--write-label-names", "names.tsv")
        lines = self.read("names.tsv").decode().splitlines(True)
        for label, line in enumerate(lines):
            self.write("list.txt", line)
            given = {label for row in self.rows("--only", "list.txt", model="shared.xylem") for label in row}
            self.assertEqual(given, {str(label)}, line)

    def test_that_nobody_knows_are_an_error(self):
        for content, model, pattern in (
                ("3\n4\n", "tiny.xylem", r"list.txt:2: the model has no label '4', expected a number from 0 to 3"),
                ("-1\n", "tiny.xylem", r"list.txt:1: the model has no label '-1'"),
                ("sailing\n\nches\n", "named.xylem", r"list.txt:3: the model has no label 'ches' \(did you mean 'chess'\?\)"),
                ("1\n", "named.xylem", r"list.txt:1: the model has no label '1'"),
                (b"\xff\x1b[2J\n", "named.xylem", r"list.txt:1: the model has no label '\\xff\\x1b\[2J'"),
                ("\n\n", "tiny.xylem", r"list.txt leaves no label to give"),
                ("", "tiny.xylem", r"list.txt leaves no label to give")):
            self.write("list.txt", content)
            result = self.fails(3, pattern, "predict", "-m", model, "-i", "tiny.txt", "--only", "list.txt")
            self.assertEqual(result.out, "")
        self.write("all.txt", "0\n1\n2\n3\n")
        self.fails(3, "all.txt leaves no label to give", "predict", "-m", "tiny.xylem", "-i", "tiny.txt", "--without", "all.txt")

    def test_are_asked_for_in_one_way(self):
        self.write("list.txt", "1\n")
        predict = ["predict", "-m", "tiny.xylem", "-i"]
        self.fails(2, "do not go together", *predict, "tiny.txt", "--only", "list.txt", "--without", "list.txt")
        self.fails(2, "not both", *predict, "-", "--only", "-")
        self.fails(2, "not both", *predict, "tiny.txt", "-i", "-", "--only", "-", stdin="1\n")
        self.fails(5, "cannot open nowhere", *predict, "tiny.txt", "--only", "nowhere")
        self.assertEqual(self.xylem(*predict, "tiny.txt", "--only", "-", stdin="1\n").out,
                         self.xylem(*predict, "tiny.txt", "--only", "list.txt").out)


class ColumnOptions(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("train.csv", b"caf\xe9,labels\nred shoes,shoes\nwine,wine\n")
        self.xylem("train", "-q", "-i", "train.csv", "-m", "m.xylem", "--method", "popular", "--text-column", "1",
                   "--label-column", "2")

    def test_that_are_not_utf8_are_refused_with_a_sentence(self):
        predict = ["predict", "-q", "-m", "m.xylem", "-i", "train.csv"]
        self.fails(3, r"expected the one that --text-column names: 'caf", *predict, "--text-column", "caf\udce8")
        for option in ("--delimiter", "--label-separator"):
            self.fails(2, r"'\\xe9' cannot stand between", *predict, "--text-column", "1", option, "\udce9")


class Info(CommandTest):
    def setUp(self):
        super().setUp()
        self.train_tiny(method="knn")

    def test_tells_what_a_model_holds(self):
        info = self.xylem("info", "tiny.xylem", "--json").json
        self.assertEqual((info["method"], info["format_version"]), ("knn", "1"))
        self.assertEqual(info["bytes"], len(self.read("tiny.xylem")))
        self.assertEqual(info["card"]["settings"], {"k": "2"})
        self.assertLessEqual(sum(array["bytes"] for array in info["arrays"]), info["bytes"])
        text = self.xylem("info", "-m", "tiny.xylem").out
        self.assertIn(info["checksum"], text)
        for array in info["arrays"]:
            self.assertIn(array["name"], text)

    def test_verifies(self):
        self.assertRegex(self.xylem("info", "tiny.xylem", "--verify").out,
                         r"^tiny.xylem: all checks passed, .*; its 4 probe rows are predicted as when it was written\n$")
        result = self.xylem("info", "tiny.xylem", "--verify", "--json").json
        self.assertEqual(result["probes"], {"rows": 4, "equal": True, "difference": 0.0})

    def test_verifies_that_predictions_are_as_they_were(self):
        self.xylem("learn", "-q", "-m", "tiny.xylem", "-i", "tiny.txt", "-o", "more.xylem")
        self.assertIn("its 4 probe rows are predicted", self.xylem("info", "more.xylem", "--verify").out)
        # A score of a probe row was changed by hand in one file, a label in the other.
        for name, difference in (("score", "scores that differ by up to 0.25 from"), ("label", "other labels than")):
            model = DATA_FOLDER / "probes" / f"{name}.xylem"
            self.fails(4, f"{name}.xylem: its probe rows get {difference} those in the file",
                       "info", "--verify", model)
            self.assertFalse(self.xylem("info", "--verify", "--json", model, code=4).json["probes"]["equal"])
            self.xylem("info", model)

    def test_says_that_an_old_model_has_no_probe_rows(self):
        old = DATA_FOLDER / "models" / "0.1" / "popular.xylem"
        self.assertIn("it has no probe rows", self.xylem("info", old, "--verify").out)
        self.assertIsNone(self.xylem("info", old, "--verify", "--json").json["probes"])

    def test_has_a_date_only_if_one_is_given(self):
        card = lambda: self.xylem("info", "m.xylem", "--json").json["card"]
        train = ["train", "-q", "-i", "tiny.txt", "-m", "m.xylem", "--method", "popular", "--force"]
        environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
        self.xylem(*train, env=environment)
        self.assertNotIn("date", card())
        self.assertRegex(card()["program"], r"^\d+\.\d+\.\d+")
        self.xylem(*train, env={**environment, "SOURCE_DATE_EPOCH": "1767225600"})
        self.assertEqual(card()["date"], "2026-01-01T00:00:00Z")
        self.xylem(*train, "--date", "2026-01-31", env={**environment, "SOURCE_DATE_EPOCH": "1767225600"})
        self.assertEqual(card()["date"], "2026-01-31")
        self.fails(2, "found the date 'yesterday', expected a day or a time in UTC", *train, "--date", "yesterday")
        self.fails(2, "SOURCE_DATE_EPOCH is 'now'", *train, env={**environment, "SOURCE_DATE_EPOCH": "now"})
        self.xylem("learn", "-q", "-m", "tiny.xylem", "-i", "tiny.txt", "-o", "m.xylem", "--force", "--date", "2026-02-01")
        self.assertEqual(card()["learned"]["date"], "2026-02-01")

    def test_of_a_training_run_is_its_json(self):
        trained = self.xylem("train", "-i", "tiny.txt", "-m", "m.xylem", "--method", "knn", "--set", "k=1", "--valid", "0.3",
                             "--json").json
        info = self.xylem("info", "m.xylem", "--json").json
        self.assertEqual(trained["card"], info["card"])
        self.assertEqual((trained["model"], trained["method"]), ("m.xylem", "knn"))
        self.assertEqual(trained["model_bytes"], info["bytes"])
        self.assertEqual(set(trained["wall_seconds"]), {"read", "train", "save"})
        self.assertTrue({"rows", "P@1", "nDCG@5", "PSP@5"} <= set(trained["card"]["validation"]))
