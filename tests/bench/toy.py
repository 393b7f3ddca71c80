# SPDX-License-Identifier: Apache-2.0
"""A tiny data set in a folder of its own, and calls of the programs in bench/ as a user would make them."""

import json
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
XYLEM = os.environ.get("XYLEM_BINARY", str(ROOT / "build/release/src/cli/xylem"))
N_FEATURES, N_LABELS = 20, 5


def row_text(rng):
    """Four features in five belong to the row's label; some rows have no label."""
    label = rng.randrange(N_LABELS)
    features = sorted({label * 4 + rng.randrange(4), label * 4 + rng.randrange(4), rng.randrange(N_FEATURES)})
    labels = "" if rng.random() < 0.1 else str(label)
    return labels + "".join(f" {feature}:{rng.randrange(1, 9) / 8}" for feature in features)


def write_rows(path, rows):
    path.write_text("".join(line + "\n" for line in [f"{len(rows)} {N_FEATURES} {N_LABELS}", *rows]))


class BenchTest(unittest.TestCase):
    """self.data: the $XYLEM_DATA of the calls, with the data set toy; self.out: where bench/run writes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = Path(folder.name) / "data"
        self.out = Path(folder.name) / "results" / "toy.jsonl"
        rng = random.Random(7)
        (self.data / "toy").mkdir(parents=True)
        write_rows(self.data / "toy/train.txt", [row_text(rng) for _ in range(60)])
        write_rows(self.data / "toy/test.txt", [row_text(rng) for _ in range(25)])

    def call(self, program, *arguments, status=0, **environment):
        """Standard output and standard error together."""
        result = subprocess.run(
            [ROOT / "bench" / program, *map(str, arguments)],
            env={**os.environ, "XYLEM_DATA": str(self.data), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.assertEqual(result.returncode, status, result.stdout)
        return result.stdout

    def run_bench(self, *arguments, status=0):
        return self.call(
            "run", "--xylem", XYLEM, "--data", "toy", "--repeat", "1", "--out", self.out, *arguments, status=status
        )

    def lines(self):
        return [json.loads(text) for text in self.out.read_text().splitlines()]
