# SPDX-License-Identifier: Apache-2.0
import random
import shutil
import subprocess
import unittest

from toy import N_FEATURES, N_LABELS, BenchTest


class Splits(BenchTest):
    def test_ten_splits_are_those_of_the_protocol(self):
        self.run_bench("--methods", "popular", "--splits", "ten")
        self.assertEqual([line["split"] for line in self.lines()], [str(seed) for seed in range(1, 11)])
        train = (self.data / "toy/train.txt").read_text().splitlines()
        test = (self.data / "toy/test.txt").read_text().splitlines()
        for seed in range(1, 11):
            rows = train[1:] + test[1:]
            random.Random(seed).shuffle(rows)
            folder = self.data / "splits/toy" / str(seed)
            self.assertEqual((folder / "train.txt").read_text().splitlines(), [train[0], *rows[:60]])
            self.assertEqual((folder / "test.txt").read_text().splitlines(), [test[0], *rows[60:]])

    def test_splits_are_made_once_and_leave_nothing_else(self):
        self.run_bench("--methods", "popular", "--splits", "valid")
        train = self.data / "splits/toy/valid/train.txt"
        made = train.stat().st_mtime_ns
        self.run_bench("--methods", "popular", "--splits", "valid", "--again")
        self.assertEqual(train.stat().st_mtime_ns, made)
        self.assertEqual(sorted(path.name for path in self.data.iterdir()), ["splits", "toy"])
        self.assertEqual([path.name for path in (self.data / "splits/toy").iterdir()], ["valid"])

    def test_held_out_rows_are_a_tenth_of_the_training_rows(self):
        self.run_bench("--methods", "popular", "--splits", "valid")
        kept, held_out = (
            (self.data / "splits/toy/valid" / name).read_text().splitlines() for name in ("train.txt", "test.txt")
        )
        self.assertEqual(kept[0], f"54 {N_FEATURES} {N_LABELS}")
        self.assertEqual(held_out[0], f"6 {N_FEATURES} {N_LABELS}")
        train = (self.data / "toy/train.txt").read_text().splitlines()
        self.assertEqual(sorted(kept[1:] + held_out[1:]), sorted(train[1:]))

    def test_a_wrong_header_is_found(self):
        (self.data / "toy/train.txt").write_text("3 20 5\n1 2:1\n")
        said = self.run_bench("--methods", "popular", "--splits", "ten", status=2)
        self.assertIn("the header promises 3 rows, 1 are there", said)


class Data(BenchTest):
    def setUp(self):
        super().setUp()
        self.packed = self.data.parent / "packed"
        self.packed.mkdir()

    def unpack(self, *names, status=0):
        return self.call("data", *names, status=status, XYLEM_PACKED=str(self.packed))

    @unittest.skipUnless(shutil.which("zstd"), "zstd is not installed")
    def test_unpacks_what_is_not_there(self):
        rows = (self.data / "toy/train.txt").read_text()
        tar = subprocess.run(["tar", "c", "-C", self.data, "toy"], stdout=subprocess.PIPE, check=True).stdout
        for name in ("toy", "other"):
            subprocess.run(["zstd", "-q", "-o", self.packed / f"{name}.tar.zst"], input=tar, check=True)
        self.assertIn("toy: there already", self.unpack("toy"))
        self.assertFalse((self.data / "other").exists())
        self.assertIn("other: unpacked", self.unpack())
        self.assertEqual((self.data / "other/train.txt").read_text(), rows)
        self.assertIn("known are other, toy", self.unpack("nothing", status=2))

    @unittest.skipUnless(shutil.which("zstd"), "zstd is not installed")
    def test_a_damaged_archive_leaves_no_folder(self):
        (self.packed / "other.tar.zst").write_bytes(b"this is no archive")
        self.assertIn("could not be unpacked", self.unpack("other", status=2))
        self.assertEqual([path.name for path in self.data.iterdir()], ["toy"])

    def test_says_so_where_nothing_is_packed(self):
        self.assertIn("holds no packed data", self.unpack())
        self.assertIn("other: skipped", self.unpack("other"))


if __name__ == "__main__":
    unittest.main()
