# SPDX-License-Identifier: Apache-2.0
import unittest

from toy import XYLEM, BenchTest


class Sweep(BenchTest):
    def sweep(self, *arguments, status=0):
        return self.call("sweep", "--xylem", XYLEM, "--out", self.out, "toy", *arguments, status=status)

    def table(self, text):
        rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
        return rows[0], rows[2:]

    def test_shows_figures_for_each_value_in_the_order_given(self):
        titles, rows = self.table(self.sweep("k=5,1,3", "--method", "knn"))
        self.assertEqual(titles[:3], ["k", "P@1", "P@3"])
        self.assertEqual(titles[-3:], ["PSP@5", "train CPU s", "model MB"])
        self.assertEqual([row[0] for row in rows], ["5", "1", "3"])
        lines = self.lines()
        for row, line in zip(rows, lines):
            self.assertEqual(len(row), len(titles))
            self.assertEqual(row[1], f"{line['metrics']['P@1']:.2f}")
            self.assertEqual(row[6], f"{line['metrics']['PSP@5']:.2f}")
        self.assertEqual({line["split"] for line in lines}, {"valid"})

    def test_makes_all_combinations_of_several_settings(self):
        titles, rows = self.table(self.sweep("passes=1,2", "cost=0.5,1"))
        self.assertEqual(titles[:2], ["passes", "cost"])
        self.assertEqual([row[:2] for row in rows], [["1", "0.5"], ["1", "1"], ["2", "0.5"], ["2", "1"]])
        self.assertEqual({line["method"] for line in self.lines()}, {"parabel"})
        self.assertEqual(self.lines()[1]["card"]["settings"]["cost"], "1")

    def test_looks_at_test_rows_only_if_asked(self):
        self.sweep("k=3", "--method", "knn", "--test")
        self.assertEqual(self.lines()[0]["rows"], 25)
        (self.data / "toy/test.txt").write_text("not a data file\n")
        self.sweep("k=3", "--method", "knn")
        self.assertEqual(self.lines()[1]["rows"], 6)

    def test_makes_no_run_twice(self):
        first = self.table(self.sweep("k=1,2", "--method", "knn"))
        self.assertEqual(self.table(self.sweep("k=1,2", "--method", "knn")), first)
        self.sweep("k=2,3", "--method", "knn")
        self.assertEqual(len(self.lines()), 3)

    def test_shows_failures_and_goes_on(self):
        _, rows = self.table(self.sweep("k=-1,3", "--method", "knn", status=1))
        self.assertIn("FAILED", rows[0][1])
        self.assertEqual(len(rows[1]), 9)

    def test_says_what_is_wrong(self):
        for values in (["k"], ["k="], ["k=1,,2"], ["=1"], ["k=1", "k=2"]):
            self.assertIn("expected NAME=VALUE", self.sweep(*values, status=2))
        self.assertIn("cmake --preset release", self.sweep("k=1", "--xylem", "none", status=2))
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
