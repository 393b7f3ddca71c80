# SPDX-License-Identifier: Apache-2.0
import json
import random
import unittest

from toy import BenchTest, write_rows

# Prints what the driver reads, in a process that is smaller than the driver.
SMALL_COMMAND = """#!/bin/sh
case $1 in
train) echo '{"wall_seconds": {}, "cpu_seconds": {}, "planned_bytes": 0, "peak_bytes": 0,'
  echo '"model_bytes": 0, "card": {}}' ;;
eval) echo '{"load_wall_seconds": 0, "predict_wall_seconds": 0, "predict_cpu_seconds": 0, "P@1": 0}' ;;
esac
"""


class Run(BenchTest):
    def test_writes_a_line_with_every_fact(self):
        self.run_bench("--methods", "popular")
        (line,) = self.lines()
        self.assertEqual(line["data"], "toy")
        self.assertEqual(line["split"], "given")
        self.assertEqual(line["rows"], 25)
        for field in ("commit", "compiler", "cpu", "version", "binary", "started"):
            self.assertTrue(line[field], field)
        for part in ("train", "eval"):
            for cost in ("wall_seconds", "cpu_seconds", "peak_bytes"):
                self.assertGreater(line[part][cost], 0, cost)
        self.assertGreater(line["model_bytes"], 0)
        self.assertGreaterEqual(line["predict_ms_a_row"], 0)
        self.assertIn("train", line["train"]["reported"]["wall_seconds"])
        self.assertIn("settings", line["card"])
        self.assertTrue({"P@1", "P@5", "nDCG@3", "PSP@5"} <= set(line["metrics"]))
        self.assertTrue(all(isinstance(value, (int, float)) for value in line["metrics"].values()))
        self.assertEqual(line["tail_rows"], {"rows": 0, "rows_unseen": 0, "intervals": {}})

    def test_keeps_the_figures_of_tail_rows(self):
        write_rows(self.data / "toy/train.txt", ["0 1:1"] * 9 + ["1 2:1"] * 3)
        write_rows(self.data / "toy/test.txt", ["0 1:1", "1 2:1", "1 2:1", "0,1 1:1 2:1", "3 1:1"])
        self.run_bench("--methods", "knn", "--set", "k=3")
        tail = self.lines()[0]["tail_rows"]
        self.assertEqual((tail["rows"], tail["rows_unseen"]), (3, 1))
        self.assertAlmostEqual(tail["P@1"], 200 / 3)
        self.assertEqual(tail["intervals"]["P@1"], [0, 100])

    def test_keeps_the_figures_of_training_rows_where_asked(self):
        self.run_bench("--methods", "popular")
        self.assertNotIn("training_rows", self.lines()[0])
        self.run_bench("--methods", "popular", "--gap")
        without, with_gap = self.lines()
        self.assertEqual(set(with_gap["training_rows"]), set(without["metrics"]))
        self.assertEqual(with_gap["metrics"], without["metrics"])
        self.run_bench("--methods", "popular")
        self.assertEqual(len(self.lines()), 2)  # it has all that is asked for

    def test_makes_every_combination(self):
        self.run_bench(
            "--methods", "popular", "knn", "--set", "knn:k=3", "--set", "knn:k=5",
            "--threads", "1", "2", "--seeds", "4", "5", "--repeat", "2",
        )  # fmt: skip
        found = [
            (line["method"], line["settings"].get("k"), line["threads"], line["seed"], line["repeat"])
            for line in self.lines()
        ]
        wanted = {
            (method, k, threads, seed, repeat)
            for method, k in (("popular", None), ("knn", "3"), ("knn", "5"))
            for threads in (1, 2)
            for seed in (4, 5)
            for repeat in (1, 2)
        }
        self.assertEqual(len(found), len(wanted))
        self.assertEqual(set(found), wanted)

    def test_method_alone_means_its_defaults(self):
        self.run_bench("--methods", "knn", "--set", "knn:", "--set", "k=3")
        self.assertEqual([line["settings"] for line in self.lines()], [{}, {"k": "3"}])

    def test_settings_reach_the_command(self):
        self.run_bench("--methods", "knn", "--set", "k=3")
        self.assertEqual(self.lines()[0]["card"]["settings"]["k"], "3")

    def test_goes_on_where_it_stopped(self):
        self.run_bench("--methods", "popular", "knn")
        before = self.out.read_text()
        self.assertIn("runs to make: 0,", self.run_bench("--methods", "popular", "knn"))
        self.assertEqual(self.out.read_text(), before)

        self.out.write_text(before.splitlines(keepends=True)[0] + '{"data": "to')  # killed while writing
        self.assertIn("runs to make: 1,", self.run_bench("--methods", "popular", "knn"))
        texts = self.out.read_text().splitlines()
        self.assertEqual(len(texts), 3)
        self.assertIn('"method": "knn"', texts[2])

    def test_again_makes_all_runs_again(self):
        self.run_bench("--methods", "popular")
        self.run_bench("--methods", "popular", "--again")
        self.assertEqual(len(self.lines()), 2)

    def test_records_failures_and_goes_on(self):
        self.run_bench("--methods", "knn", "popular", "--set", "knn:no_such_option=1", status=1)
        failed, good = self.lines()
        self.assertEqual(failed["stage"], "train")
        self.assertEqual(failed["exit_code"], 2)
        self.assertIn("no_such_option", failed["error"])
        self.assertNotIn("error", good)
        self.assertIn("runs to make: 1,", self.run_bench("--methods", "knn", "--set", "no_such_option=1", status=1))

    def test_measures_the_command_and_not_itself(self):
        small = self.data.parent / "small"
        small.write_text(SMALL_COMMAND)
        small.chmod(0o755)
        self.run_bench("--methods", "popular", "--xylem", small)
        (line,) = self.lines()
        self.assertLess(line["train"]["peak_bytes"], 6e6, "a shell needs less than Python")
        self.assertLess(line["eval"]["peak_bytes"], 6e6)

    def test_records_the_signal_that_ended_a_run(self):
        killed = self.data.parent / "killed"
        killed.write_text("#!/bin/sh\n[ $1 = --version ] || kill -9 $$\n")
        killed.chmod(0o755)
        self.run_bench("--methods", "popular", "--xylem", killed, status=1)
        self.assertEqual(self.lines()[0]["exit_code"], -9)

    def test_looks_at_no_test_row_while_choosing(self):
        (self.data / "toy/test.txt").write_text("not a data file\n")
        self.run_bench("--methods", "popular", "--splits", "valid")
        self.assertEqual(self.lines()[0]["rows"], 6)

    def noisy(self, noise):
        """The labels of the training rows with noise, the same rows as they are, and the rows held out."""
        self.run_bench("--methods", "popular", "--noise", noise)
        folder = self.data / "splits/toy" / f"given,{noise}"
        train, valid = ((folder / name).read_text().splitlines()[1:] for name in ("train.txt", "valid.txt"))
        rows = (self.data / "toy/train.txt").read_text().splitlines()[1:]
        random.Random(1).shuffle(rows)
        self.assertEqual(valid, rows[54:])
        self.assertEqual([row.split(" ")[1:] for row in train], [row.split(" ")[1:] for row in rows[:54]])
        return [row.split(" ")[0] for row in train], [row.split(" ")[0] for row in rows[:54]]

    def test_leaves_labels_out(self):
        clean, labels = self.noisy("missing=0")
        self.assertEqual(clean, labels)
        some, _ = self.noisy("missing=0.3")
        self.run_bench("--methods", "popular", "--noise", "missing=0.30")  # the same
        more, _ = self.noisy("missing=0.6")
        for left, right, label in zip(more, some, labels):
            self.assertIn(left, (right, ""))
            self.assertIn(right, (label, ""))
        self.assertTrue(some.count("") < more.count("") < 54)
        self.assertEqual([line["noise"] for line in self.lines()], ["missing=0", "missing=0.3", "missing=0.6"])
        self.assertEqual(self.lines()[0]["rows"], 25)

    def test_puts_wrong_labels_in_the_place_of_right_ones(self):
        noisy, labels = self.noisy("invalid=0.5")
        left, _ = self.noisy("missing=0.5")
        for found, missing, label in zip(noisy, left, labels):
            self.assertEqual(found == label, missing == label)
            self.assertEqual(found == "", label == "")
        self.assertNotEqual(noisy, labels)

    def test_makes_noise_in_texts(self):
        rows = [{"text": f"word{i % 3} other", "labels": [f"name{i % 3}", "all"]} for i in range(40)]
        for name in ("train", "test"):
            (self.data / "toy" / f"{name}.txt").unlink()
            (self.data / "toy" / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        self.run_bench("--methods", "popular", "--noise", "invalid=0.5")
        text = (self.data / "splits/toy/given,invalid=0.5/train.jsonl").read_text()
        changed = [json.loads(row)["labels"] for row in text.splitlines()]
        self.assertEqual([len(labels) for labels in changed], [2] * 36)
        self.assertTrue(all(len(set(labels)) == 2 for labels in changed))
        self.assertGreater(sum("all" not in labels for labels in changed), 5)

    def test_says_what_is_missing(self):
        self.assertIn("missing=RATE", self.run_bench("--methods", "popular", "--noise", "missing=2", status=2))
        self.assertIn("missing=RATE", self.run_bench("--methods", "popular", "--noise", "wrong=0.2", status=2))
        self.assertIn("bench/data none", self.run_bench("--methods", "popular", "--data", "none", status=2))
        self.assertIn("cmake --preset release", self.run_bench("--methods", "popular", "--xylem", "none", status=2))
        self.assertIn("not among", self.run_bench("--methods", "popular", "--set", "knn:k=3", status=2))
        self.assertIn("expected", self.run_bench("--methods", "popular", "--set", "k", status=2))
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
