# SPDX-License-Identifier: Apache-2.0
import json
import unittest

from toy import ROOT, BenchTest


def line(**changes):
    """A line as bench/run writes it, as far as tables need it."""
    result = {
        "data": "toy", "split": "given", "method": "knn", "settings": {"k": "3"}, "threads": 1, "seed": 1, "repeat": 1,
        "commit": "abc1234", "compiler": "GNU 12.2.0 Release", "cpu": "Some CPU", "version": "xylem 0.1.0",
        "train": {"wall_seconds": 12.34, "cpu_seconds": 1.5, "peak_bytes": 7_000_000},
        "model_bytes": 240_000, "predict_ms_a_row": 0.0111, "metrics": {"P@1": 50.0, "P@3": 40.0, "micro-F1": 30.0},
    }  # fmt: skip
    return {**result, **changes}


def tail_line(value, low, high, **changes):
    figures = {"P@1": value, "intervals": {"P@1": [low, high]}}
    return line(**{"rows": 2500, "tail_rows": {"rows": 1200, "rows_unseen": 300, **figures}, **changes})


class Report(BenchTest):
    def report(self, lines, *arguments, status=0):
        self.out.parent.mkdir(exist_ok=True)
        self.out.write_text("".join(json.dumps(each) + "\n" for each in lines))
        return self.call("report", self.out, *arguments, status=status)

    def test_of_real_lines_has_a_row_a_method(self):
        self.run_bench("--methods", "popular", "knn", "--set", "knn:k=3")
        text = self.call("report", self.out)
        self.assertIn("## toy, given split", text)
        self.assertIn("| P@1 / 3 / 5 | nDCG@3 / 5 | PSP@1 / 3 / 5 | train wall s |", text)
        knn, popular = (row for row in text.splitlines() if row.startswith(("| knn k=3 |", "| popular |")))
        self.assertEqual(knn.count("|"), popular.count("|"))
        self.assertTrue(knn.startswith("| knn k=3 |"), "the better method comes first")

    def test_shows_every_figure(self):
        text = self.report([line()], "--metrics", "P@1", "P@3", "P@5", "micro-F1")
        self.assertIn("| method | P@1 / 3 / 5 | micro-F1 |", text)
        self.assertIn("| knn k=3 | 50.00 / 40.00 / - | 30.00 | 12.3 | 1.50 | 7 | 0.2 | 0.011 |", text)
        self.assertIn("Training with 1 thread, prediction with 1 thread.", text)
        self.assertIn("xylem 0.1.0; commit abc1234; GNU 12.2.0 Release; Some CPU.", text)

    def test_shows_the_gap_between_training_and_test_rows(self):
        lines = [line(), line(method="glas", settings={}, training_rows={"P@1": 98.5, "P@3": 60.0})]
        text = self.report(lines, "--rows", "gap", "--metrics", "P@1", "P@3")
        self.assertIn("## toy, given split, training rows", text)
        self.assertIn("| method | P@1 / 3 | P@1 / 3: gap | train wall s |", text)
        self.assertIn("| glas | 98.50 / 60.00 | 48.50 / 20.00 | 12.3 |", text)
        self.assertNotIn("knn", text)

    def test_gives_the_median_and_the_spread(self):
        lines = [line(repeat=number, metrics={"P@1": value}) for number, value in ((1, 10), (2, 40), (3, 20))]
        self.assertIn("| 20.00 (10.00–40.00) | 12.3 |", self.report(lines, "--metrics", "P@1"))

    def test_gives_mean_and_deviation_over_splits(self):
        lines = [line(split=str(number), metrics={"P@1": 10 * number}) for number in range(1, 11)]
        text = self.report(lines, "--metrics", "P@1")
        self.assertIn("| knn k=3 | 55.00 ± 30.28 |", text)
        self.assertIn("knn k=3, only 9 of the splits", self.report(lines[1:], "--metrics", "P@1"))

    def test_takes_the_median_within_a_split_first(self):
        lines = [line(split="1", seed=seed, metrics={"P@1": value}) for seed, value in ((1, 0), (2, 10), (3, 90))]
        lines.append(line(split="2", metrics={"P@1": 30}))
        self.assertIn("| 20.00 ± 14.14 |", self.report(lines, "--metrics", "P@1"))

    def test_a_run_made_again_replaces_the_older(self):
        text = self.report([line(metrics={"P@1": 1}), line(metrics={"P@1": 2})], "--metrics", "P@1")
        self.assertIn("| 2.00 |", text)

    def test_names_what_differs_between_rows(self):
        text = self.report([line(), line(threads=2), line(commit="def5678")])
        self.assertIn("| knn k=3, 2 threads, commit abc1234 |", text)
        self.assertIn("| knn k=3, 1 thread, commit def5678 |", text)
        self.assertNotIn("def5678", self.report([line(), line(commit="def5678")], "--commits", "abc1234"))

    def test_has_a_column_for_noise(self):
        text = self.report([line(), line(noise="missing=0.3", metrics={"P@1": 20})], "--metrics", "P@1")
        self.assertIn("| method | label noise | P@1 |", text)
        self.assertIn("| knn k=3 | - | 50.00 |", text)
        self.assertIn("| knn k=3 | missing=0.3 | 20.00 |", text)
        self.assertNotIn("noise", self.report([line()]))

    def test_shows_failures(self):
        failed = {"error": "xylem: bad", "stage": "train", "exit_code": 2}
        text = self.report([line(), line(seed=2, **failed), line(seed=3, **failed)])
        self.assertIn("- FAILED 2 times: knn k=3: train ended with 2, xylem: bad", text)

    def test_puts_published_figures_beside(self):
        published = self.data / "published.csv"
        published.write_text(
            "# a remark\ndataset,method,source,P@1,P@3\ntoy,sleec,dxml,65.08,\nother,sleec,dxml,1.0,2.0\n"
        )
        text = self.report([line()], "--published", published, "--metrics", "P@1", "P@3")
        self.assertIn("| sleec, published (dxml) | 65.08 / - | - |", text)
        self.assertLess(text.index("sleec"), text.index("knn"))
        self.assertEqual(text.count("sleec"), 1)

    def test_of_tail_rows_has_intervals_and_the_best_first(self):
        lines = [tail_line(10, 8, 12.5), tail_line(20, 17, 23, method="parabel", settings={})]
        text = self.report(lines, "--rows", "tail", "--metrics", "P@1", "P@7")
        self.assertIn("## toy, given split, tail rows\n", text)
        self.assertIn("| knn k=3 | 10.00 [8.00, 12.50] / - | 12.3 |", text)
        self.assertLess(text.index("| parabel | 20.00 [17.00, 23.00] / - |"), text.index("| knn k=3 |"))
        which = "those with tail or unseen labels only, 300 of them with unseen ones only"
        self.assertIn(f"Figures of 1,200 of the 2,500 test rows: {which}. In square brackets 95 % intervals. Tr", text)
        self.assertIn("| P@1 / 3 / 5 | R@1 / 3 / 5 | PSP@1 / 3 / 5 |", self.report(lines, "--rows", "tail"))

    def test_of_tail_rows_gives_the_median_ends_of_several_runs(self):
        runs = ((1, 10, 8, 12), (2, 40, 37, 44), (3, 20, 18, 23))
        lines = [tail_line(value, low, high, seed=seed) for seed, value, low, high in runs]
        text = self.report(lines, "--rows", "tail", "--metrics", "P@1")
        self.assertIn("| 20.00 (10.00–40.00) [18.00, 23.00] |", text)

    def test_of_tail_rows_gives_the_deviation_over_splits(self):
        lines = [tail_line(10 * number, 0, 100, split=str(number), rows=100 * number) for number in range(1, 11)]
        text = self.report(lines, "--rows", "tail", "--metrics", "P@1")
        self.assertIn("| knn k=3 | 55.00 ± 30.28 |", text)
        self.assertIn("Figures of 1,200 of the 100 to 1,000 test rows", text)
        self.assertNotIn("[", text)

    def test_of_tail_rows_passes_over_lines_without_them(self):
        text = self.report([line(), tail_line(1, 0, 2, method="popular")], "--rows", "tail", "--metrics", "P@1")
        self.assertNotIn("knn", text)
        nothing = self.report([line()], "--rows", "tail", status=2)
        self.assertIn("no lines of results with figures for --rows tail", nothing)

    def test_of_data_without_tail_rows_has_no_figures(self):
        self.run_bench("--methods", "popular")
        text = self.call("report", self.out, "--rows", "tail")
        self.assertIn("| popular | - / - / - | - / - / - | - / - / - |", text)
        self.assertIn("Figures of 0 of the 25 test rows", text)

    def test_has_nothing_published_for_tail_rows(self):
        text = self.report([line()], "--rows", "tail", "--published", "some.csv", status=2)
        self.assertIn("papers have no figures for --rows tail", text)

    def test_sets_peers_side_by_side(self):
        columns = (ROOT / "bench" / "peers.csv").read_text().splitlines()[2]
        peers = self.data / "peers.csv"
        peers.write_text(
            f"# a remark\n{columns}\n"
            'toy,"xylem, fast",50.00,40.10,30,20.5,2.1,3.9,283,9.4,0.025,0.02,0.09\n'
            "toy,other,49,39,29,19,,,,,,,\n"
            "more,other,1,2,3,4,5,6,7,8,0.1-0.2,,\n"
        )
        title, _, *rows = self.call("report", "--peers", peers).splitlines()
        self.assertTrue(title.startswith("| data | system | P@1 / 3 / 5 | PSP@5 | train wall s |"))
        self.assertEqual(
            rows,
            [
                "| toy | xylem, fast | 50.00 / 40.10 / 30 | 20.5 | 2.1 | 3.9 | 283 | 9.4 | 0.025 | 0.02 / 0.09 |",
                "| | other | 49 / 39 / 29 | 19 | | | | | | |",
                "| more | other | 1 / 2 / 3 | 4 | 5 | 6 | 7 | 8 | 0.1-0.2 | |",
            ],
        )

    def test_names_the_columns_that_a_file_of_peers_lacks(self):
        peers = self.data / "peers.csv"
        peers.write_text("data,system,P@1\ntoy,other,49\n")
        text = self.call("report", "--peers", peers, status=2)
        self.assertIn("not found: P@3, P@5, PSP@5, train_wall_s", text)
        peers.write_text("")
        self.assertIn("not found: data, system", self.call("report", "--peers", peers, status=2))

    def test_says_so_where_there_is_nothing(self):
        self.assertIn("no lines", self.report([], status=2))
        self.assertIn("no file", self.call("report", self.data / "none.jsonl", status=2))


if __name__ == "__main__":
    unittest.main()
