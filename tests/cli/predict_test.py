# SPDX-License-Identifier: Apache-2.0
"""`xylem predict` and `xylem info`: forms of output, k and threshold."""
import json

from command import CommandTest


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
        self.assertRegex(self.xylem("info", "tiny.xylem", "--verify").out, r"^tiny.xylem: all checks passed, ")

    def test_of_a_training_run_is_its_json(self):
        trained = self.xylem("train", "-i", "tiny.txt", "-m", "m.xylem", "--set", "k=1", "--valid", "0.3",
                             "--json").json
        info = self.xylem("info", "m.xylem", "--json").json
        self.assertEqual(trained["card"], info["card"])
        self.assertEqual((trained["model"], trained["method"]), ("m.xylem", "knn"))
        self.assertEqual(trained["model_bytes"], info["bytes"])
        self.assertEqual(set(trained["wall_seconds"]), {"read", "train", "save"})
        self.assertTrue({"rows", "P@1", "nDCG@5", "PSP@5"} <= set(trained["card"]["validation"]))
