# SPDX-License-Identifier: Apache-2.0
"""`predict --continue`: whatever ended a run, the next one goes on to the same bytes, or says why it cannot."""
import os
import signal
import stat
import subprocess
import time
import unittest

from command import CommandTest, limit_file_size, random_rows, start, with_header
from stream_test import PATIENCE, StreamTest


class Killed(StreamTest):
    N = 60_000 if os.environ.get("XYLEM_SANITIZED") == "ON" else 300_000  # some blocks of input

    def arguments(self, *more):
        return ["predict", "-q", "-m", "m.xylem", "-i", "large.jsonl", "-o", "out.jsonl", *more]

    def kill_after(self, n_states, signal_number=signal.SIGKILL):
        """Starts predicting and sends a signal when the state file has so many lines."""
        process = start(*self.arguments(*(["--continue"] if os.path.exists(self.path("out.jsonl.part")) else [])),
                        cwd=self.folder, stderr=subprocess.PIPE)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and process.poll() is None:
            try:
                if self.read("out.jsonl.part.state").count(b"\n") >= n_states:
                    break
            except FileNotFoundError:
                pass
        process.send_signal(signal_number)
        process.wait()
        err = process.stderr.read().decode()
        process.stderr.close()
        return process.returncode, err

    def setUp(self):
        super().setUp()
        self.train_texts("knn")
        self.large_texts(self.N)

    def test_goes_on_after_kills_to_the_same_bytes(self):
        self.xylem(*self.arguments())
        expected = self.read("out.jsonl")
        os.remove(self.path("out.jsonl"))
        kills = 0
        for n_states in (4, 5) if self.N < 100_000 else (4, 6, 5):  # three lines tell whose run it is; the last kill comes at once
            kills += self.kill_after(n_states)[0] == -signal.SIGKILL
        self.assertGreater(kills, 0)
        self.assertNotIn("out.jsonl", self.files())
        self.xylem(*self.arguments("--continue"))
        self.assertEqual(self.read("out.jsonl"), expected)
        self.assertEqual([name for name in self.files() if ".part" in name], [])

    def test_ctrl_c_says_how_to_go_on(self):
        process_code, _ = self.kill_after(4, signal.SIGINT)
        self.assertEqual(process_code, 130)
        self.fails(2, r"out\.jsonl\.part was left by an interrupted run; --continue goes on with it, --force starts over\n",
                   *self.arguments())
        self.xylem(*self.arguments("--continue"))

    def test_refuses_what_would_mix_two_runs(self):
        self.kill_after(4)
        self.fails(2, "begun with other options", *self.arguments("--continue", "-k", "2"))
        self.xylem("train", "-q", "-i", "train.jsonl", "-m", "m.xylem", "--method", "popular", "--force")
        self.fails(2, "begun with another model", *self.arguments("--continue"))
        self.train_texts("knn")
        text = self.read("large.jsonl").replace(b"red shoes 5 ", b"red boots 5 ")
        self.write("large.jsonl", text)
        self.fails(2, r"the input does not begin with the \d+ rows", *self.arguments("--continue"))
        self.assertIn("out.jsonl.part", self.files())
        self.xylem(*self.arguments("--force"))

    def test_an_input_that_can_be_read_once_leaves_nothing(self):
        self.fails(2, "standard input can be read only once", "predict", "-m", "m.xylem", "-i", "-", "-o", "o",
                   "--continue")
        self.fails(2, "needs -o FILE", "predict", "-m", "m.xylem", "-i", "large.jsonl", "--continue")
        self.fails(2, "there is no o.part", "predict", "-m", "m.xylem", "-i", "large.jsonl", "-o", "o", "--continue")
        self.fails(3, "standard input:", "predict", "-m", "m.xylem", "-i", "-", "-o", "o", "--input-format", "jsonl",
                   stdin='{"text": "a"}\nnot this\n')
        self.assertEqual([name for name in self.files() if name.startswith("o")], [])


class StoppedRuns(StreamTest):
    """Runs that end at a place that is known: where the disk is full, or after the last row."""

    def predict(self, inputs, *more, **options):
        several = [word for path in inputs for word in ("-i", path)]
        return self.xylem("predict", "-m", "m.xylem", *several, "-o", "out", *more, **options)

    def finished(self, inputs, *more):
        """What a run gives that nothing stops."""
        self.predict(inputs, *more)
        expected = self.read("out")
        os.remove(self.path("out"))
        return expected

    def stop_after(self, n_bytes, inputs, *more):
        """A run with a disk that is full after so many bytes of the output."""
        result = self.predict(inputs, *more, code=5, preexec=limit_file_size(n_bytes))
        self.assertRegex(result.err, r"out\.part has \d+ rows; --continue goes on with them\n")
        return result

    def stop_after_last_row(self, inputs, *more):
        """What a kill before the renaming leaves: a whole run whose working files have second names."""
        names = ("out.part", "out.part.state")
        for name in names:
            self.write(name, b"")
            os.link(self.path(name), self.path("kept." + name))
        self.predict(inputs, *more, "--force")
        os.remove(self.path("out"))
        for name in names:
            os.rename(self.path("kept." + name), self.path(name))

    def places(self):
        """Rows and bytes of the output after each block, as the state file has them."""
        lines = self.read("out.part.state").decode().splitlines()[3:]
        return [(int(rows), int(n_bytes)) for rows, _, n_bytes, _ in map(str.split, lines)]

    def check_continues(self, expected, inputs, *more):
        result = self.predict(inputs, *more, "--continue")
        self.assertEqual(self.read("out"), expected)
        self.assertEqual([name for name in self.files() if ".part" in name], [])
        os.remove(self.path("out"))
        return result.err


class Stopped(StoppedRuns):
    ROWS = 6000  # some blocks of input
    INPUTS = (["headed.txt"], ["blank_end.txt"], ["bare.txt"], ["a.txt", "b.txt"])

    def setUp(self):
        super().setUp()
        self.train_rows("knn")
        lines = random_rows(self.ROWS, seed=3)
        half = self.ROWS // 2
        self.write("headed.txt", with_header(lines))
        self.write("blank_end.txt", with_header(lines[:-1] + [""]))
        self.write("bare.txt", "\n".join(lines) + "\n")
        self.write("a.txt", with_header(lines[:half]))
        self.write("b.txt", with_header(lines[half:]))

    def test_in_the_middle(self):
        for inputs in self.INPUTS:
            for form in ("xmlrepo", "jsonl"):
                with self.subTest(inputs=inputs, form=form):
                    expected = self.finished(inputs, "--format", form)
                    for share in (0.3, 0.9):  # of two files, in the first and in the second
                        self.stop_after(int(share * len(expected)), inputs, "--format", form)
                        rows = self.places()[-1][0]
                        self.assertTrue(0 < rows < self.ROWS, rows)
                        self.assertIn(f"continuing after {rows} rows\n",
                                      self.check_continues(expected, inputs, "--format", form))

    def test_twice(self):
        expected = self.finished(["headed.txt"])
        self.stop_after(int(0.3 * len(expected)), ["headed.txt"])
        self.stop_after(int(0.9 * len(expected)), ["headed.txt"], "--continue")
        self.check_continues(expected, ["headed.txt"])

    def test_after_the_last_row(self):
        self.write("labels.txt", "".join(f"label {i}\n" for i in range(20)))
        self.xylem("train", "-q", "-i", "train.txt", "-m", "m.xylem", "--method", "popular", "--force", "--label-names",
                   "labels.txt")
        for inputs in self.INPUTS:
            for form in ("xmlrepo", "jsonl"):
                with self.subTest(inputs=inputs, form=form):
                    expected = self.finished(inputs, "--format", form)
                    self.stop_after_last_row(inputs, "--format", form)
                    self.assertEqual(self.places()[-1][0], self.ROWS)
                    self.check_continues(expected, inputs, "--format", form)

    def test_with_other_files_is_refused(self):
        for before, after in ((["a.txt"], ["a.txt", "b.txt"]), (["a.txt", "b.txt"], ["a.txt"])):
            self.stop_after(60_000, before)
            self.assertIn(f"it was begun with other options: number of -i files {len(before)} then, {len(after)} now; ",
                          self.predict(after, "--continue", code=2).err)
            self.predict(before, "--continue")
            os.remove(self.path("out"))

    def test_with_other_options_is_refused(self):
        self.stop_after(100_000, ["bare.txt"])
        self.write("list.txt", "3\n")
        for options, change in ((["-k", 4], "-k 5 then, 4 now"),
                                (["-k", 5, "--threshold", 0.5], "--threshold none then, 0.5 now"),
                                (["--format", "jsonl"], "--format 'xmlrepo' then, 'jsonl' now"),
                                (["--only", "list.txt"], r"--only or --without none then, '1 labels \(hash \w{16}\)' now"),
                                (["--label-separator", ","], "--label-separator none then, ',' now"),
                                (["--text-column", "a", "-k", 4], "--text-column none then, 'a' now; -k 5 then, 4 now")):
            self.assertRegex(self.predict(["bare.txt"], "--continue", *options, code=2).err,
                             rf"it was begun with other options: {change}; --force without --continue starts over\n$")
        self.predict(["bare.txt"], "--continue")

    def test_when_the_end_of_the_output_is_lost(self):
        """As after a power cut: the state was written, the output was not."""
        expected = self.finished(["bare.txt"])
        for damage in ("cut", "zeros"):
            with self.subTest(damage=damage):
                self.stop_after(int(0.9 * len(expected)), ["bare.txt"])
                (rows, kept), (_, lost) = self.places()[-2:]
                part = self.read("out.part")
                self.assertGreater(len(part), lost)
                middle = (kept + lost) // 2
                self.write("out.part", part[:middle] + (b"" if damage == "cut" else bytes(len(part) - middle)))
                self.assertIn(f"continuing after {rows} rows\n", self.check_continues(expected, ["bare.txt"]))

    def test_when_all_of_the_output_is_lost(self):
        expected = self.finished(["bare.txt"])
        self.stop_after(int(0.9 * len(expected)), ["bare.txt"])
        self.write("out.part", "")
        self.assertNotIn("continuing", self.check_continues(expected, ["bare.txt"]))

    def test_when_the_end_of_the_state_is_torn(self):
        expected = self.finished(["bare.txt"])
        for tail in (b"5990 00", bytes(40), b"garbage\n5990 0 0 0\n"):
            self.stop_after(int(0.9 * len(expected)), ["bare.txt"])
            rows = self.places()[-1][0]
            self.write("out.part.state", self.read("out.part.state") + tail)
            self.assertIn(f"continuing after {rows} rows\n", self.check_continues(expected, ["bare.txt"]))

    def test_never_empties_what_another_program_wrote(self):
        self.stop_after(100_000, ["bare.txt"])
        self.write("out.part", "notes of mine\n" * 20_000)
        self.assertRegex(self.predict(["bare.txt"], "--continue", code=2).err,
                         r"out\.part: it is not as it was left; --force without --continue starts over")
        self.assertEqual(self.read("out.part"), b"notes of mine\n" * 20_000)

    def test_needs_the_state(self):
        self.stop_after(100_000, ["bare.txt"])
        os.remove(self.path("out.part.state"))
        self.assertRegex(self.predict(["bare.txt"], code=2).err,
                         r"out\.part was left by an interrupted run; --force starts over\n$")
        self.assertRegex(self.predict(["bare.txt"], "--continue", code=2).err,
                         r"--continue: there is no out\.part\.state, .*; --force without --continue starts over\n$")
        self.predict(["bare.txt"], "--force")

    def test_is_offered_only_if_it_will_work(self):
        self.stop_after(100_000, ["bare.txt"])
        self.write("other.txt", self.read("bare.txt").replace(b"0", b"1", 3))
        result = self.predict(["other.txt"], "--continue", code=2)
        self.assertRegex(result.err, "the input does not begin with the .* --force without --continue starts over")
        self.assertNotIn("goes on with them", result.err)
        self.assertEqual(self.read("out.part.state").count(b"\n"), 3 + len(self.places()))

    def test_is_offered_with_the_name_of_the_file_behind_a_link(self):
        os.mkdir(self.path("disk"))
        os.symlink("disk/real", self.path("out"))
        result = self.predict(["bare.txt"], code=5, preexec=limit_file_size(100_000))
        self.assertRegex(result.err, r"(^|\n)disk/real\.part has \d+ rows; --continue goes on with them\n")
        self.assertEqual(sorted(os.listdir(self.path("disk"))), ["real.part", "real.part.state"])

    def test_leaves_a_file_with_the_permissions_of_the_one_it_replaces(self):
        self.write("out", "old")
        for mode, part_mode in ((0o600, 0o600), (0o640, 0o640), (0o444, 0o644)):
            os.chmod(self.path("out"), mode)
            self.stop_after(100_000, ["bare.txt"], "--force")
            for name in ("out.part", "out.part.state"):
                self.assertEqual(stat.S_IMODE(os.stat(self.path(name)).st_mode), part_mode, name)
            self.predict(["bare.txt"], "--continue", "--force")
            self.assertEqual(stat.S_IMODE(os.stat(self.path("out")).st_mode), mode)


class BlocksWithoutRows(StoppedRuns):
    """A block of input may hold no row at all; the rows behind it, or the end, come all the same."""
    def check(self, name, *more):
        self.train_texts()
        expected = self.finished([name], *more)
        self.stop_after_last_row([name], *more)
        self.check_continues(expected, [name], *more)

    def test_of_blank_lines(self):
        self.write("blank.jsonl", '{"text": "red shoes"}\n' * 9 + "\n" * 400_000)
        self.check("blank.jsonl")

    def test_of_one_long_record(self):
        self.train_texts()
        start_of_file = "text,labels\nred shoes,a\n\"" + "wine and cheese\n" * 100_000 + "\",b\n"
        self.write("long.csv", start_of_file + "wine,c\n")
        expected = self.finished(["long.csv"])
        self.write("long.csv", start_of_file + "wine\n")  # found bad after some blocks that are within the record
        self.assertIn("out.part has 1 rows; --continue goes on", self.predict(["long.csv"], code=3).err)
        self.write("long.csv", start_of_file + "wine,c\n")
        self.check_continues(expected, ["long.csv"])

    def test_of_skipped_lines(self):
        self.write("bad.jsonl", '{"text": "red shoes"}\n' * 9 + "no JSON\n" * 100_000)
        self.check("bad.jsonl", "--max-bad-lines", 100_000)


class Leftovers(CommandTest):
    def test_of_a_pipe_cannot_be_continued(self):
        self.write("train.jsonl", '{"text": "red shoes", "labels": ["shoes"]}\n' * 3)
        self.xylem("train", "-q", "-i", "train.jsonl", "-m", "m.xylem", "--method", "popular")
        process = start("predict", "-q", "-m", "m.xylem", "-i", "-", "-o", "out", cwd=self.folder, stdin=subprocess.PIPE)
        self.addCleanup(process.kill)
        process.stdin.write(b"red shoes\n")
        process.stdin.flush()
        end = time.monotonic() + PATIENCE
        while not (os.path.exists(self.path("out.part")) and self.read("out.part")) and time.monotonic() < end:
            time.sleep(0.01)
        process.kill()
        process.wait()
        process.stdin.close()
        predict = ["predict", "-q", "-m", "m.xylem", "-i", "train.jsonl", "-o", "out"]
        self.fails(2, r"xylem: out\.part was left by an interrupted run; --force starts over\n$", *predict)
        self.fails(2, r"there is no out\.part\.state", *predict, "--continue")
        self.xylem(*predict, "--force")
        self.assertNotIn("out.part", self.files())

    def test_of_a_file_do_not_outlive_a_pipe(self):
        self.write("train.jsonl", '{"text": "red shoes", "labels": ["shoes"]}\n' * 3)
        self.xylem("train", "-q", "-i", "train.jsonl", "-m", "m.xylem", "--method", "popular")
        self.write("out.part", "x")
        self.write("out.part.state", "x")
        self.xylem("predict", "-q", "-m", "m.xylem", "-i", "-", "-o", "out", "--force", stdin="red shoes\n")
        self.assertEqual(self.files(), ["m.xylem", "out", "train.jsonl"])


if __name__ == "__main__":
    unittest.main()
