# SPDX-License-Identifier: Apache-2.0
"""`xylem eval`: its figures against an evaluator of our own, its forms of input and output, its gate."""
import os
import unittest
from collections import Counter

import figures
from command import DATA, CommandTest, random_rows, with_header


class Evaluation(CommandTest):
    def setUp(self):
        super().setUp()
        lines = random_rows(900, n_labels=40, seed=3)
        lines[650] = " " + lines[650].split(" ", 1)[1]  # a test row without labels
        self.write("train.txt", with_header(lines[:600], n_labels=40))
        self.write("test.txt", with_header(lines[600:], n_labels=40))
        self.xylem("train", "-q", "-i", "train.txt", "-m", "m.xylem", "--method", "knn", "--set", "k=8")
        self.xylem("predict", "-q", "-m", "m.xylem", "-i", "test.txt", "-o", "p.txt")

    def of_model(self, *options):
        return self.xylem("eval", "-m", "m.xylem", "-i", "test.txt", "--json", *options).json

    def of_files(self, *options):
        return self.xylem("eval", "--predictions", "p.txt", "--truth", "test.txt", "--train", "train.txt",
                          "--json", *options).json

    def own_figures(self, *arguments):
        return figures.figures(figures.read_labels(self.path("test.txt")), figures.read_predictions(self.path("p.txt")),
                               figures.read_labels(self.path("train.txt")), *arguments)

    def test_agrees_with_an_evaluator_of_our_own(self):
        found = self.of_model()
        for name, value in self.own_figures().items():
            self.assertAlmostEqual(found[name], value, delta=0.01, msg=name)
        self.assertEqual((found["rows"], found["rows_without_labels"]), (300, 1))

    def test_agrees_at_other_k(self):
        found = self.of_files("--at", "2,4")
        for name, value in self.own_figures((2, 4)).items():
            self.assertAlmostEqual(found[name], value, delta=0.01, msg=name)
        self.assertNotIn("P@1", found)

    def test_of_files_equals_that_of_the_model(self):
        model = self.of_model()
        files = self.of_files()
        self.assertEqual(set(files.pop("predictions").values()), {"position", 0})
        self.assertEqual({name: model[name] for name in files}, files)

    def test_figures_are_percent_with_intervals_around_them(self):
        found = self.of_model()
        for name in ("P@1", "P@3", "P@5", "nDCG@1", "nDCG@3", "nDCG@5", "PSP@1", "PSP@3", "PSP@5"):
            low, high = found["intervals"][name]
            self.assertTrue(1 < low <= found[name] <= high <= 100, name)
        self.assertEqual([group["name"] for group in found["groups"]], ["head", "torso", "tail", "unseen"])
        self.assertGreater(found["predict_ms_a_row"], 0)
        self.assertEqual(self.of_model("--bootstrap", "0")["intervals"], {})

    def test_a_threshold_counts_all_labels_that_reach_it_whatever_the_k(self):
        name = "microF1>=0.01"
        one, five = (self.of_model("-t", "0.01", "--bootstrap", "0", "--at", at)[name] for at in ("1", "5"))
        self.assertEqual(one, five)

    def test_refuses_options_of_the_other_form(self):
        self.fails(2, "go with --predictions", "eval", "-m", "m.xylem", "-i", "test.txt", "--truth", "test.txt")
        self.fails(2, "--train FILE or -m MODEL is needed", "eval", "--predictions", "p.txt", "--truth", "test.txt")
        for options in (("--predictions", "-", "--truth", "-"), ("--predictions", "-", "--truth", "test.txt", "--versus", "-"),
                        ("--predictions", "p.txt", "--truth", "-", "--versus", "-")):
            self.fails(2, "standard input can be read only once", "eval", "--train", "train.txt", *options)
        self.fails(2, "--train - and --predictions -: standard input can be read only once", "eval", "--predictions", "-",
                   "--truth", "test.txt", "--train", "-")
        self.fails(2, "needs a file of its own", "eval", "-m", "m.xylem", "-i", "test.txt", "--per-label", "-")

    def test_without_any_label_is_worth_a_warning(self):
        self.write("bare.txt", " 1:1\n 2:1\n")
        self.assertIn("no test row has a label", self.xylem("eval", "-m", "m.xylem", "-i", "bare.txt").err)

    def test_text_shows_the_same_figures(self):
        found = self.of_model()
        text = self.xylem("eval", "-m", "m.xylem", "-i", "test.txt").out
        for name in ("P", "nDCG", "PSP"):
            line = next(line for line in text.splitlines() if line.split() and line.split()[0] == name)
            self.assertIn(f"{found[name + '@5']:.2f}", line)

    def test_says_nothing_of_tail_rows_where_there_are_none(self):
        self.assertEqual(self.of_model()["tail_rows"], {"rows": 0, "rows_unseen": 0, "intervals": {}})
        self.assertNotIn("unseen labels", self.xylem("eval", "-m", "m.xylem", "-i", "test.txt").out)

    def test_threshold_adds_f1_of_what_scores_enough(self):
        found = self.of_model("--threshold", "0.25")
        self.assertTrue({"microF1>=0.25", "macroF1>=0.25"} <= set(found))

    def test_gate_is_exit_7_and_still_shows_the_figures(self):
        value = self.of_model()["P@1"]
        self.xylem("eval", "-m", "m.xylem", "-i", "test.txt", "--min", f"P@1={value - 1}", "--min", "nDCG@5=1")
        result = self.fails(7, rf"P@1 is {value:.2f}, at least 99.5 was asked for",
                            "eval", "-m", "m.xylem", "-i", "test.txt", "--json", "--min", "P@1=99.5")
        self.assertEqual(result.json["P@1"], value)
        self.fails(7, r"PSP@5 is ", "eval", "-m", "m.xylem", "-i", "test.txt", "--min", "P@1=1", "--min", "PSP@5=101")

    def test_table_of_labels_adds_up(self):
        found = self.of_model("--per-label", "labels.tsv")
        heading, *rows = [line.split("\t") for line in self.read("labels.tsv").decode().splitlines()]
        self.assertEqual(heading, "label training_rows positives predicted correct precision recall f1".split())
        truth = figures.read_labels(self.path("test.txt"))
        self.assertEqual(sum(int(row[2]) for row in rows), sum(map(len, truth)))
        self.assertEqual(sum(int(row[4]) for row in rows), sum(group["correct"] for group in found["groups"]))
        self.assertEqual([int(row[0]) for row in rows], sorted(int(row[0]) for row in rows))

    def test_comparison_with_another_file(self):
        self.xylem("train", "-q", "-i", "train.txt", "-m", "floor.xylem", "--method", "popular")
        self.xylem("predict", "-q", "-m", "floor.xylem", "-i", "test.txt", "-o", "floor.txt")
        floor = self.xylem("eval", "-m", "floor.xylem", "-i", "test.txt", "--json").json
        found = self.of_files("--versus", "floor.txt")
        compared = found["compared"]["P@1"]
        self.assertEqual((compared["first"], compared["second"]), (found["P@1"], floor["P@1"]))
        self.assertAlmostEqual(compared["difference"], floor["P@1"] - found["P@1"])
        self.assertLess(compared["p"], 0.05)
        same = self.of_files("--versus", "p.txt")["compared"]["P@1"]
        self.assertEqual((same["difference"], same["p"]), (0, 1))
        text = self.xylem("eval", "-m", "m.xylem", "-i", "test.txt", "--versus", "floor.txt").out
        self.assertIn("compared", text)

    def test_predictions_for_other_rows_are_refused(self):
        lines = self.read("p.txt").decode().splitlines()
        self.write("short.txt", "\n".join(["299 40", *lines[1:-1]]) + "\n")
        pattern = r"short.txt: found predictions for 299 rows, expected 300, as many as there are test rows"
        self.fails(3, pattern, "eval", "--predictions", "short.txt", "--truth", "test.txt", "--train", "train.txt")
        self.fails(3, pattern, "eval", "-m", "m.xylem", "-i", "test.txt", "--versus", "short.txt")

    def test_broken_predictions_are_refused_with_their_place(self):
        for content, pattern in (("", r"p2.txt:1: found an empty file, expected predictions"),
                                 ("1 40\n3:x\n", r"p2.txt:2: found '3:x', expected a prediction as label:score"),
                                 ("1 40\n3:nan\n", r"p2.txt:2: found '3:nan', expected .* finite"),
                                 ("1 40\n40:1\n", r"p2.txt:2: found '40:1', expected a label from 0 to 39"),
                                 ("1 40\n3:1 3:2\n", r"p2.txt:2: found label 3 twice, expected it once"),
                                 ("2 40\n3:1\n", r"p2.txt:1: found 1 rows, expected the 2")):
            self.write("p2.txt", content)
            self.fails(3, pattern, "eval", "--predictions", "p2.txt", "--truth", "test.txt", "--train", "train.txt")


class TailRows(CommandTest):
    """Test rows whose labels are all rare: at most 5 training rows, or none."""

    def setUp(self):
        super().setUp()
        lines = random_rows(900, n_labels=300, seed=4)
        lines[700] = " " + lines[700].split(" ", 1)[1]  # a row without labels is none of them
        self.write("train.txt", with_header(lines[:600], n_labels=300))
        self.write("test.txt", with_header(lines[600:], n_labels=300))
        self.xylem("train", "-q", "-i", "train.txt", "-m", "m.xylem", "--method", "knn", "--set", "k=8")
        self.xylem("predict", "-q", "-m", "m.xylem", "-i", "test.txt", "-o", "p.txt")
        self.of_files = ("--predictions", "p.txt", "--truth", "test.txt", "--train", "train.txt")

    def test_agree_with_an_evaluator_of_our_own(self):
        train, truth = (figures.read_labels(self.path(name)) for name in ("train.txt", "test.txt"))
        predictions = figures.read_predictions(self.path("p.txt"))
        frequencies = Counter(label for labels in train for label in labels)
        rows = [i for i, labels in enumerate(truth) if labels and all(frequencies[label] <= 5 for label in labels)]
        unseen = [i for i in rows if all(frequencies[label] == 0 for label in truth[i])]
        expected = figures.figures([truth[i] for i in rows], [predictions[i] for i in rows], train)
        for form in (("-m", "m.xylem", "-i", "test.txt"), self.of_files):
            found = self.xylem("eval", *form, "--json").json["tail_rows"]
            self.assertEqual((found.pop("rows"), found.pop("rows_unseen")), (len(rows), len(unseen)))
            intervals = found.pop("intervals")
            self.assertEqual(set(found), {f"{name}@{k}" for name in ("P", "PSP", "R") for k in (1, 3, 5)})
            for name, value in found.items():
                self.assertAlmostEqual(value, expected[name], delta=0.01, msg=name)
                low, high = intervals[name]
                self.assertTrue(0 < low < value < high < 100, name)

    def test_have_a_table_of_their_own(self):
        found = self.xylem("eval", *self.of_files, "--json", "--bootstrap", "0").json["tail_rows"]
        self.assertEqual(found["intervals"], {})
        text = self.xylem("eval", *self.of_files, "--bootstrap", "0").out
        _, table = text.split(f"\n{found['rows']} rows with tail or unseen labels only, "
                              f"{found['rows_unseen']} of them with unseen ones only\n")
        heading, *lines = (line.split() for line in table.splitlines())
        self.assertEqual(heading, ["@1", "@3", "@5"])
        self.assertEqual(lines, [[name, *(f"{found[f'{name}@{k}']:.2f}" for k in (1, 3, 5))]
                                 for name in ("P", "PSP", "R")])

    def test_are_those_of_labels_that_training_never_saw_too(self):
        self.write("seen.txt", with_header(["0 1:1"] * 9, n_labels=300))
        self.write("new.txt", with_header(["7,8 1:1", "0,7 1:1", "299 1:1"], n_labels=300))
        self.write("guess.txt", "3 300\n0:1\n0:1\n299:1\n")
        found = self.xylem("eval", "--predictions", "guess.txt", "--truth", "new.txt", "--train", "seen.txt",
                           "--json", "--bootstrap", "0").json["tail_rows"]
        self.assertEqual((found["rows"], found["rows_unseen"], found["P@1"]), (2, 2, 50))


@unittest.skipUnless(DATA and os.path.isdir(os.path.join(DATA, "bibtex")), "no bibtex under $XYLEM_DATA")
class Bibtex(CommandTest):
    def test_agrees_with_an_evaluator_of_our_own(self):
        train, test = (os.path.join(DATA, "bibtex", name) for name in ("train.txt", "test.txt"))
        self.xylem("train", "-q", "-i", train, "-m", "m.xylem", "--method", "knn", "--set", "k=20")
        self.xylem("predict", "-q", "-m", "m.xylem", "-i", test, "-o", "p.txt")
        found = self.xylem("eval", "-m", "m.xylem", "-i", test, "--json", "--bootstrap", "0").json
        expected = figures.figures(figures.read_labels(test), figures.read_predictions(self.path("p.txt")),
                                   figures.read_labels(train))
        for name, value in expected.items():
            self.assertAlmostEqual(found[name], value, delta=0.01, msg=name)
        self.assertGreater(found["P@1"], 50)
