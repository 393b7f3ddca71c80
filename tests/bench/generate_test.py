# SPDX-License-Identifier: Apache-2.0
import hashlib
import os
import subprocess
import unittest
from collections import Counter

from toy import BenchTest

GENERATE = os.environ.get("XYLEM_GENERATE", "generate")
TINY = ["--rows", "2000", "--test-rows", "500", "--features", "800", "--labels", "150", "--nonzeros", "30"]
SMALL = ["--rows", "50", "--test-rows", "20", "--features", "300", "--labels", "40", "--nonzeros", "20"]
# Whatever the compiler and the machine.
SMALL_DIGEST = "4ab3118d6452478d"


def read_rows(path):
    """Sizes of the header, and for each row the labels and the features with their values."""
    header, *lines = path.read_text().splitlines()
    rows = []
    for line in lines:
        labels, *pairs = line.split(" ")
        features = [(int(feature), float(value)) for feature, value in (pair.split(":") for pair in pairs)]
        rows.append(([int(label) for label in labels.split(",")], features))
    return [int(size) for size in header.split()], rows


class Generate(BenchTest):
    def generate(self, *options, to="made", status=0):
        """The folder that was made, or what was said."""
        folder = self.data / to
        result = subprocess.run(
            [GENERATE, *map(str, options), "-o", folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.assertEqual(result.returncode, status, result.stdout)
        return folder if status == 0 else result.stdout

    def check_means(self, path, sizes, labels_a_row, nonzeros):
        found, rows = read_rows(path)
        self.assertEqual(found, sizes)
        self.assertEqual(len(rows), sizes[0])
        for labels, features in rows:
            self.assertEqual(labels, sorted(set(labels)))
            ids = [feature for feature, _ in features]
            self.assertEqual(ids, sorted(set(ids)))
            self.assertLess(max(ids), sizes[1])
            self.assertLess(max(labels), sizes[2])
            self.assertGreater(min(value for _, value in features), 0)
            self.assertAlmostEqual(sum(value * value for _, value in features), 1, delta=0.02)
        self.assertAlmostEqual(sum(len(labels) for labels, _ in rows) / len(rows) / labels_a_row, 1, delta=0.02)
        self.assertAlmostEqual(sum(len(features) for _, features in rows) / len(rows) / nonzeros, 1, delta=0.02)
        return Counter(label for labels, _ in rows for label in labels)

    def test_known_shapes_come_out(self):
        made = self.generate("--shape", "eurlex-4k")
        counts = self.check_means(made / "train.txt", [15539, 5000, 3993], 5.31, 236.8)
        self.check_means(made / "test.txt", [3809, 5000, 3993], 5.31, 236.8)
        self.assertEqual(len(counts), 3993, "every label occurs")
        ordered = sorted(counts.values(), reverse=True)
        self.assertGreater(ordered[0], 50 * ordered[len(ordered) // 2])
        self.assertGreater(ordered[10], 2 * ordered[100])
        self.assertLess(ordered[-1], 3)

    def test_options_change_a_shape(self):
        made = self.generate("--shape", "amazon-670k", "--rows", "6000", "--test-rows", "3000", "--labels", "8195")
        counts = self.check_means(made / "train.txt", [6000, 135909, 8195], 5.45, 75.7)
        self.check_means(made / "test.txt", [3000, 135909, 8195], 5.45, 75.7)
        self.assertEqual(len(counts), 8195, "every label occurs, though there are more than rows")

    def test_more_labels_than_there_is_room_for(self):
        made = self.generate("--rows", "100", "--test-rows", "10", "--labels", "1000", "--labels-a-row", "2.5")
        sizes, rows = read_rows(made / "train.txt")
        self.assertEqual(sizes, [100, 5000, 1000])
        self.assertGreaterEqual(len({label for labels, _ in rows for label in labels}), 200)

    def test_rows_of_all_words_that_are_allowed(self):
        made = self.generate(
            "--rows", "50", "--features", "10", "--nonzeros", "2", "--labels", "5", "--labels-a-row", "1"
        )  # fmt: skip
        self.assertEqual(read_rows(made / "train.txt")[0], [50, 10, 5])
        made = self.generate("--rows", "50", "--features", "100", "--nonzeros", "20", to="longer")
        self.assertEqual(read_rows(made / "train.txt")[0], [50, 100, 1000])

    def test_same_seed_same_bytes_whatever_the_threads(self):
        first, again = self.generate(*TINY, "-j", "1", to="first"), self.generate(*TINY, "-j", "2", to="again")
        other = self.generate(*TINY, "--seed", "2", to="other")
        for name in ("train.txt", "test.txt"):
            self.assertEqual((first / name).read_bytes(), (again / name).read_bytes())
            self.assertNotEqual((first / name).read_bytes(), (other / name).read_bytes())

    def test_same_bytes_as_ever(self):
        made = self.generate(*SMALL)
        content = (made / "train.txt").read_bytes() + (made / "test.txt").read_bytes()
        self.assertEqual(hashlib.sha256(content).hexdigest()[:16], SMALL_DIGEST)

    def test_more_rows_leave_the_others_as_they_are(self):
        once, twice = self.generate(*TINY, to="once"), self.generate(*TINY, "--rows-times", "2", to="twice")
        few, many = ((made / "train.txt").read_text().splitlines() for made in (once, twice))
        self.assertEqual(many[0], "4000 800 150")
        self.assertEqual(many[1 : len(few)], few[1:])
        self.assertEqual(len(many), 4001)
        self.assertEqual(len(set(many)), 4001, "the new rows are no copies")
        self.assertEqual((once / "test.txt").read_bytes(), (twice / "test.txt").read_bytes())

    def test_can_be_learned_and_is_hard_for_rare_labels(self):
        self.generate(*TINY)
        self.run_bench("--data", "made", "--methods", "popular", "parabel")
        popular, parabel = self.lines()
        self.assertGreater(parabel["metrics"]["P@1"], popular["metrics"]["P@1"] + 20)
        self.assertGreater(parabel["metrics"]["P@1"], 40)
        self.assertLess(parabel["metrics"]["P@1"], 95)
        self.assertLess(parabel["metrics"]["PSP@1"], parabel["metrics"]["P@1"])

    def test_refuses_what_makes_no_sense(self):
        for options, sentence in (
            (["--shape", "amazon"], "unknown shape 'amazon'; known are eurlex-4k"),
            (["--rows", "0"], "option rows is '0', expected integer in 1 .."),
            (["--rows", "-5"], "option rows is '-5'"),
            (["--rows", "1e4"], "option rows is '1e4', expected integer"),
            (["--rows", "99999999999999999999"], "option rows is '99999999999999999999'"),
            (["--rows", ""], "option rows is ''"),
            (["--features", "9"], "option features is '9'"),
            (["--labels", "4"], "option labels is '4'"),
            (["--labels-a-row", "nan"], "option labels-a-row is 'nan'"),
            (["--labels-a-row", "0.5"], "option labels-a-row is '0.5'"),
            (["--labels-a-row", "201"], "option labels-a-row is 201, expected at most a fifth of the 1000 labels"),
            (["--nonzeros", "1001"], "option nonzeros is 1001, expected at most a fifth of the 5000 features"),
            (["--rows-times", "0"], "option rows-times is '0'"),
            (["--seed", "-1"], "option seed is '-1', expected a whole number"),
            (["--threads", "many"], "option threads is 'many', expected a whole number"),
            (["--row", "5"], "--row"),
            (["word"], "word"),
        ):
            with self.subTest(options=options):
                said = self.generate(*options, status=2)
                self.assertIn(sentence, said)
                self.assertRegex(said, r"^generate: [^\n]+\n$")
                self.assertFalse((self.data / "made").exists())

    def test_needs_a_folder_that_it_can_fill(self):
        result = subprocess.run([GENERATE], stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--output", result.stderr)
        self.generate(*SMALL)
        before = (self.data / "made/train.txt").read_bytes()
        self.assertIn("train.txt", self.generate(*SMALL, "--seed", "2", status=2))
        self.assertEqual((self.data / "made/train.txt").read_bytes(), before)
        (self.data / "made/train.txt").unlink()
        self.assertIn("test.txt", self.generate(*SMALL, status=2))
        self.assertEqual([path.name for path in (self.data / "made").iterdir()], ["test.txt"])
        self.assertIn("cannot make the folder", self.generate(*SMALL, to="toy/train.txt/made", status=5))


if __name__ == "__main__":
    unittest.main()
