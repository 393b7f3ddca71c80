# SPDX-License-Identifier: Apache-2.0
"""`xylem explain`: words and features with what they add, paths, neighbours; and what it answers to wrong input."""
import json
import math
import os
import pty
import subprocess

from command import CommandTest, start
from text_test import as_jsonl, rows

TREES = ["--set", "trees=2", "--set", "arity=2", "--set", "max_leaf=1"]
TEXT = "bake bread and hoist the sail in the wind"


class Explanations(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("train.jsonl", as_jsonl(rows()))

    def trained(self, method, *options):
        self.xylem("train", "-q", "-i", "train.jsonl", "-m", method + ".xylem", "--method", method, *options)
        return method + ".xylem"

    def explained(self, model, *options, stdin=TEXT + "\n"):
        out = self.xylem("explain", "-q", "-m", model, "-i", "-", "--json", *options, stdin=stdin).out
        return [json.loads(line) for line in out.splitlines()]

    def text(self, model, *options, stdin=TEXT + "\n"):
        return self.xylem("explain", "-q", "-m", model, "-i", "-", *options, stdin=stdin).out

    def test_have_the_scores_of_predictions_best_first(self):
        for model in (self.trained("parabel", *TREES), self.trained("knn", "--set", "k=5"), self.trained("popular")):
            with self.subTest(model):
                predicted = json.loads(self.xylem("predict", "-q", "-m", model, "-i", "-", stdin=TEXT + "\n").out)
                found = self.explained(model, "-k", 3)
                self.assertEqual([{"label": entry["label"], "score": entry["score"]} for entry in found],
                                 predicted["labels"][:3])
                self.assertEqual([entry["rank"] for entry in found], list(range(1, len(found) + 1)))
                self.assertEqual(self.explained(model), found[:1])
                for entry in found:
                    self.assertEqual(self.explained(model, "--label", entry["label"]), [entry])

    def test_of_trees_add_up(self):
        for entry in self.explained(self.trained("parabel", *TREES), "-k", 3):
            self.assertEqual([path["tree"] for path in entry["paths"]], [1, 2])
            margins = 0
            for path in entry["paths"]:
                self.assertTrue(path["reached"])
                for step in path["steps"]:
                    total = step["bias"] + sum(part["contribution"] for part in step["evidence"])
                    self.assertAlmostEqual(step["margin"], total, places=5)
                    margins += step["margin"] / 2
                self.assertEqual((path["steps"][-1]["labels"], path["steps"][-1]["examples"]), (1, [entry["label"]]))
                *above, leaf = [step["score"] for step in path["steps"]]
                self.assertAlmostEqual(path["score"], leaf * math.prod(above) ** 0.3, places=5)  # path_weight
            total = entry["bias"] + sum(part["contribution"] for part in entry["evidence"])
            self.assertAlmostEqual(total, margins, places=5)
            sizes = [abs(part["contribution"]) for part in entry["evidence"]]
            self.assertEqual(sizes, sorted(sizes, reverse=True))

    def test_of_rank_ae_have_the_attention_on_each_word(self):
        model = self.trained("rank-ae", "--set", "epochs=5")
        (entry,) = self.explained(model)
        self.assertTrue(entry["evidence"])
        for part in entry["evidence"]:
            self.assertTrue(0 < part["attention"] < 1)
        self.assertIn(", attention 0.", self.text(model))
        (entry,) = self.explained(self.trained("parabel"))
        self.assertNotIn("attention", entry["evidence"][0])

    def on_a_terminal(self, model, text, **environment):
        """What `explain` prints to a terminal."""
        ours, theirs = pty.openpty()
        with open(ours, "rb", buffering=0) as terminal:
            with open(theirs, "wb") as out:
                process = start("explain", "-q", "-m", model, "-i", "-", cwd=self.folder, stdin=subprocess.PIPE,
                                stdout=out, env={**os.environ, **environment})
            process.stdin.write(text)
            process.stdin.close()
            shown = b""
            try:
                while part := terminal.read(4096):
                    shown += part
            except OSError:  # the other end has been closed
                pass
            self.assertEqual(process.wait(), 0)
        return shown.decode()

    def test_colour_the_words_of_a_text_on_a_terminal(self):
        for model in (self.trained("parabel"), self.trained("rank-ae", "--set", "epochs=5")):
            (entry,) = self.explained(model)
            strongest = max(entry["evidence"], key=lambda part: abs(part["contribution"]))
            word = strongest["feature"].split()[0]
            shown = self.on_a_terminal(model, TEXT.encode() + b"\x1b[5m\n", NO_COLOR="")
            self.assertRegex(shown, r"\x1b\[(1;)?3[12]m" + word + r"\x1b\[0m")
            self.assertNotIn("\x1b[5m", shown)
            self.assertNotIn("\x1b", self.on_a_terminal(model, TEXT.encode() + b"\n", NO_COLOR="1"))
            self.assertNotIn("\x1b", self.text(model))

    def test_name_the_words_that_speak_for_a_label(self):
        for model in (self.trained("parabel"), self.trained("knn", "--set", "k=5")):
            entry = self.explained(model, "--label", "cooking", stdin="bread for the sail\n")[0]
            best = max(entry["evidence"], key=lambda part: part["contribution"])["feature"]
            self.assertEqual(best, "bread")

    def test_are_given_for_labels_that_the_search_misses(self):
        model = self.trained("parabel", *TREES, "--set", "beam_width=1")
        found = [self.explained(model, "--label", label)[0] for label in ("cooking", "sailing", "chess,clocks")]
        missed = [entry for entry in found if entry["rank"] is None]
        self.assertTrue(missed)
        for entry in missed:
            self.assertGreater(entry["score"], 0)
            self.assertEqual([path["reached"] for path in entry["paths"]], [False, False])
            text = self.text(model, "--label", entry["label"])
            self.assertIn("not among the labels that predict finds\n", text)
            self.assertIn(", not reached by the search\n", text)

    def test_show_nearest_rows_with_their_labels(self):
        model = self.trained("knn", "--set", "k=20")
        entry = self.explained(model)[0]
        training = list(rows())
        for neighbour in entry["neighbours"]:
            self.assertEqual(neighbour["labels"], sorted(training[neighbour["row"] - 1]["labels"]))
            self.assertIn(entry["label"], neighbour["labels"])
            self.assertTrue(neighbour["votes"])
        self.assertGreater(len(entry["neighbours"]), 5)
        self.assertIn(f"{len(entry['neighbours']) - 5} more\n", self.text(model))
        far = self.explained(model, "--label", "chess,clocks", stdin="bake bread with flour yeast and salt in no time\n")[0]
        self.assertEqual((far["score"], far["rank"]), (0, None))
        self.assertEqual({neighbour["votes"] for neighbour in far["neighbours"]}, {False})

    def test_are_readable(self):
        text = self.text(self.trained("parabel", *TREES), "-k", 1)
        self.assertRegex(text, r"^row 1: '\w+', score 0\.\d+, rank 1\n"
                               r"  what is added to the margins .*, averaged over the trees\n"
                               r"(    [+-]\d\.\d{3}  '[\w ]+'\n)+")
        self.assertRegex(text, r"\n  tree 2: score 0\.\d+\n    margin [+-]\d\.\d+, score \S+: '[^\n]*'\n      [+-]\d\.\d{3} '")
        text = self.text(self.trained("popular"))
        self.assertRegex(text, r"^row 1: '[\w,]+', score 0\.\d+, rank 1\n  \d+\.\d % of the training rows have this label")

    def test_carry_document_ids(self):
        model = self.trained("popular")
        entries = [json.loads(line) for line in
                   self.xylem("explain", "-q", "-m", model, "-i", "train.jsonl", "--json", "-k", 2).out.splitlines()]
        self.assertEqual([(entry["row"], entry["id"]) for entry in entries],
                         [(i + 1, row["id"]) for i, row in enumerate(rows()) for _ in range(2)])
        text = self.xylem("explain", "-q", "-m", model, "-i", "train.jsonl").out
        self.assertTrue(text.startswith("row 1 'doc-0': "))

    def test_say_where_there_is_no_label(self):
        model = self.trained("knn", "--set", "k=5")
        self.assertEqual(self.explained(model, stdin="zebra\n"),
                         [{"row": 1, "label": None, "basis": "the model gives this row no label"}])
        self.assertEqual(self.text(model, stdin="zebra\n"), "row 1: the model gives this row no label\n")
        self.assertEqual(self.explained(model, "--label", "cooking", stdin="zebra\n")[0]["score"], 0)

    def test_do_not_let_names_steer_the_terminal(self):
        self.write("odd.jsonl", json.dumps({"id": "\x1b[2J", "text": "bread", "labels": ["a\x1b[31m"]}) + "\n")
        self.xylem("train", "-q", "-i", "odd.jsonl", "-m", "odd.xylem", "--method", "popular", "--set", "text.max_df=1")
        text = self.xylem("explain", "-q", "-m", "odd.xylem", "-i", "odd.jsonl").out
        self.assertNotIn("\x1b", text)
        self.assertIn(r"'a\x1b[31m'", text)


class SparseExplanations(CommandTest):
    def setUp(self):
        super().setUp()
        self.train_tiny(method="parabel")

    def test_have_the_numbers_of_the_data(self):
        one_based = "8 6 4\n" + "".join(
            ",".join(str(int(label) + 1) for label in line.split()[0].split(",")) + " "
            + " ".join(f"{int(pair.split(':')[0]) + 1}:{pair.split(':')[1]}" for pair in line.split()[1:]) + "\n"
            for line in self.read("tiny.txt").decode().splitlines()[1:])
        zero = self.xylem("explain", "-q", "-m", "tiny.xylem", "-i", "-", "--json", "--label", 2, stdin="0 3:1 5:1\n").json
        self.train_tiny("one.xylem", one_based, "parabel")
        one = self.xylem("explain", "-q", "-m", "one.xylem", "-i", "-", "--json", "--label", 3, stdin="1 4:1 6:1\n").json
        self.assertEqual((zero["label"], one["label"]), (2, 3))
        self.assertEqual({part["feature"] for part in zero["evidence"]}, {3, 5})
        self.assertEqual({part["feature"] for part in one["evidence"]}, {4, 6})
        self.assertEqual(zero["score"], one["score"])
        text = self.xylem("explain", "-q", "-m", "tiny.xylem", "-i", "-", "--label", 2, stdin="0 3:1 5:1\n").out
        self.assertRegex(text, r"^row 1: label 2, score (.|\n)*  feature 3\n")

    def test_of_labels_that_share_a_name_are_given_for_each(self):
        self.write("names.txt", "a\nb\na\nc\n")
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "shared.xylem", "--label-names", "names.txt")
        out = self.xylem("explain", "-q", "-m", "shared.xylem", "-i", "-", "--label", "a", "--json", stdin="0 3:1\n").out
        self.assertEqual([json.loads(line)["label"] for line in out.splitlines()], ["a", "a"])

    def test_ignore_features_that_training_never_saw(self):
        entry = self.xylem("explain", "-m", "tiny.xylem", "-i", "-", "--json", stdin="0 3:1 77:1\n")
        self.assertIn("warning: standard input: values of features beyond the 6 of the training rows: 1\n", entry.err)
        self.assertEqual([part["feature"] for part in entry.json["evidence"]], [3])

    def test_need_a_label_that_there_is(self):
        explain = ["explain", "-m", "tiny.xylem", "-i", "tiny.txt"]
        self.fails(2, r"--label: the model has no label '4', expected a number from 0 to 3", *explain, "--label", 4)
        self.fails(2, r"--label: the model has no label ''", *explain, "--label", "")
        self.write("names.txt", "cooking\nsailing\nchess\ntime travel\n")
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "named.xylem", "--label-names", "names.txt")
        result = self.fails(2, r"--label: the model has no label 'ches' \(did you mean 'chess'\?\)",
                            "explain", "-m", "named.xylem", "-i", "tiny.txt", "--label", "ches")
        self.assertEqual(result.out, "")
        self.fails(2, r"--label and -k do not go together", *explain, "--label", 2, "-k", 3)
