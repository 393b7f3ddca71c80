# SPDX-License-Identifier: Apache-2.0
import random
import subprocess
import unittest

from toy import XYLEM, BenchTest, write_rows


class Faithful(BenchTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(3)
        rows = []
        for number in range(80):
            label = number % 5
            features = {label * 4, label * 4 + 1} | set(rng.sample(range(20), 12))
            rows.append(f"{label} " + " ".join(f"{feature}:1" for feature in sorted(features)))
        rows += ["0 1:1"] * 5  # too short to leave features out
        self.rows = self.data / "rows.txt"
        write_rows(self.rows, rows)

    def test_counts_the_rows_whose_explanation_holds(self):
        model = self.data / "model.xylem"
        subprocess.run([XYLEM, "train", "-q", "-i", self.rows, "-m", model], check=True)
        text = self.call("faithful", model, self.rows, "--xylem", XYLEM, "--features", 2)
        self.assertIn("rows: 80, 2 features left out of each", text)
        share = float(text.rstrip().removesuffix(" %").rpartition(" ")[2])
        self.assertGreater(share, 70)
        self.assertIn("rows: 7,", self.call("faithful", model, self.rows, "--xylem", XYLEM, "--sample", 7))

    def test_explanations_that_name_nothing_do_not_hold(self):
        model = self.data / "model.xylem"
        subprocess.run([XYLEM, "train", "-q", "-i", self.rows, "-m", model, "--method", "popular"], check=True)
        self.assertIn("0 of 80 rows, 0.0 %", self.call("faithful", model, self.rows, "--xylem", XYLEM))

    def test_says_what_it_cannot_use(self):
        model = self.data / "model.xylem"
        for name, text, options, expected in (
            ("none.txt", None, (), "none.txt: No such file or directory"),
            ("plain.txt", "0 1:1 2:1\n", (), "plain.txt: expected sparse rows with a header: rows, features, labels"),
            ("texts.jsonl", "{}\n", (), "texts.jsonl: expected sparse rows in a file NAME.txt with a header"),
            ("short.txt", "1 20 5\n0 1:1\n", (), "short.txt: no row has 10 features"),
            ("short.txt", "1 20 5\n0 1:1\n", ("--features", 0), "--features and --sample: expected at least 1"),
        ):
            if text is not None:
                (self.data / name).write_text(text)
            found = self.call("faithful", model, self.data / name, "--xylem", XYLEM, *options, status=2)
            self.assertTrue(found.rstrip().endswith(expected), found)


if __name__ == "__main__":
    unittest.main()
