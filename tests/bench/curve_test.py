# SPDX-License-Identifier: Apache-2.0
import unittest

from toy import BenchTest


class Curve(BenchTest):
    def test_sets_a_figure_against_the_rate(self):
        self.run_bench("--methods", "popular", "knn", "--noise", "missing=0", "missing=0.5", "invalid=0.5")
        values = {(line["noise"], line["method"]): f"{line['metrics']['P@1']:.2f}" for line in self.lines()}
        text = self.call("curve", self.out)
        for kind in ("missing", "invalid"):
            rows = [
                f"## toy, {kind} labels: P@1",
                "",
                "| rate | knn | popular |",
                "|---|--:|--:|",
                f"| 0 | {values['missing=0', 'knn']} | {values['missing=0', 'popular']} |",
                f"| 0.5 | {values[f'{kind}=0.5', 'knn']} | {values[f'{kind}=0.5', 'popular']} |",
            ]
            self.assertIn("\n".join(rows), text)
        plot = self.call("curve", self.out, "--csv", "--metric", "P@3").splitlines()
        self.assertEqual(plot[0], "data,noise,rate,method,P@3,low,high")
        self.assertEqual(len(plot), 9)

    def test_says_what_is_missing(self):
        self.run_bench("--methods", "popular")
        self.assertIn("no lines with noise", self.call("curve", self.out, status=2))
        self.run_bench("--methods", "popular", "--noise", "missing=0")
        self.assertIn("no metric 'Q'; known are P@1", self.call("curve", self.out, "--metric", "Q", status=2))


if __name__ == "__main__":
    unittest.main()
