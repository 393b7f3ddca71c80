# SPDX-License-Identifier: Apache-2.0
"""Inputs that are far too large in some way: memory stays within a stated multiple of them, and there is an end."""
import gzip
import itertools
import os

from command import CommandTest, peak_memory
from samples import FORMATS, SPARSE

MB = 1_000_000
SANITIZED = os.environ.get("XYLEM_SANITIZED") == "ON"  # sanitizers take memory and time of their own
PROGRAM = 60 * MB  # code, threads, two blocks of a file
N_LABELS = 1_000_000

# Three usual rows, then the begin, the repeated middle and the end of a long one.
LONG_LINES = {
    "jsonl": (b'{"text": "b", "labels": "a"}\n' * 3, b'{"labels": ["a"], "text": "', b"some words in a row ", b'"}\n'),
    "tsv": (b"a\tb\n" * 3, b"a\t", b"some words in a row ", b"\n"),
    "csv": (b"labels,text\n" + b"a,b\n" * 3, b'a,"', b"some words\nin a row ", b'"\n'),
    "libsvm": (b"0 0:1\n" * 3, b"0", b" 5:0.25 7:1", b"\n"),
}
# Peak memory for each byte of a long line. A text is cut into words and pairs of words as a whole: 16 bytes for each
# word, three times over, beside the text and its words.
TIMES = {"jsonl": 20, "tsv": 20, "csv": 20, "libsvm": 6}


class Limits(CommandTest):
    def train(self, *arguments, within, code=0, during=None):
        arguments = ("train", "-m", "m.xylem", "--force", "--method", "popular", "--set", "text.min_df=1", *arguments)
        result, peak = peak_memory(*arguments, cwd=self.folder, during=during)
        self.assertEqual(result.code, code, str(result))
        if not SANITIZED:
            self.assertLess(peak / MB, within / MB, f"MB of memory for {arguments}")
        return result

    def write_pieces(self, name, pieces):
        with open(self.path(name), "wb") as file:
            for piece, times in pieces:
                for _ in range(times):
                    file.write(piece)
        return os.path.getsize(self.path(name))

    def test_a_long_line_takes_a_multiple_of_itself(self):
        wanted = (10 if SANITIZED else 100) * MB
        for form, (rows, begin, middle, end) in LONG_LINES.items():
            with self.subTest(form):
                piece = middle * (MB // len(middle))
                size = self.write_pieces("long", [(rows + begin, 1), (piece, wanted // len(piece) + 1), (end, 1)])
                self.assertGreater(size, wanted)
                result = self.train("-i", "long", "--input-format", form, within=TIMES[form] * size + PROGRAM)
                self.assertRegex(result.err, r"(^|\n)read 4 (texts|rows)")

    def test_a_long_line_of_nothing_takes_little(self):
        size = self.write_pieces("long", [(b"x" * MB, 30)])
        for form in ("xmlrepo", "libsvm", "tsv", "jsonl", "csv"):  # for fasttext it is a text
            with self.subTest(form):
                result = self.train("-i", "long", "--input-format", form, code=3, within=3 * size + PROGRAM)
                self.assertRegex(result.err, r"^xylem: long:1: found .{0,99}, expected")

    def test_a_million_labels_on_a_row(self):
        # A usual row and the begin of the wide one, a label, the end.
        lists = {"libsvm": (b"0 0:1\n", b"%d,", b"0 0:1\n"),
                 "fasttext": (b"__label__0 b\n", b"__label__%d ", b"a\n"),
                 "tsv": (b"0\tb\n", b"%d,", b"\ta\n"),
                 "jsonl": (b'{"text": "b", "labels": [0]}\n{"text": "a", "labels": [', b"%d,", b"0]}\n"),
                 "csv": (b'labels,text\n0,b\n"', b"%d,", b'",a\n')}
        for form, (begin, label, end) in lists.items():
            with self.subTest(form):
                labels = ((label % i, 1) for i in range(N_LABELS))
                size = self.write_pieces("wide", itertools.chain([(begin, 1)], labels, [(end, 1)]))
                result = self.train("-i", "wide", "--input-format", form, within=20 * size + PROGRAM)
                self.assertRegex(result.err, r"(^|\n)read 2 .*, 1000000 labels")

    def test_a_bomb_ends_early(self):
        for unit in (b"0", b"\n"):
            with gzip.open(self.path("bomb"), "wb") as file:
                for _ in range(300):
                    file.write(unit * MB)
            for form in FORMATS:
                with self.subTest(form, unit=unit):
                    # An empty row takes 16 bytes, once where it is parsed and once where it is kept.
                    rows = 17 * 32 * MB if form in SPARSE and unit == b"\n" else 40 * MB
                    result = self.train("-i", "bomb", "--input-format", form, code=3, within=PROGRAM + rows)
                    self.assertRegex(result.err, r"bomb: found .* that inflate to more than .*, expected at most 1000")

    def test_a_file_that_grows_is_read_as_it_was(self):
        rows = {"libsvm": b"0,3 1:0.5 7:0.25\n", "tsv": b"a,b\tsome words in a row\n"}
        for form, row in rows.items():
            with self.subTest(form):
                piece = row * (MB // len(row))
                n_rows = self.write_pieces("growing", [(piece, 20)]) // len(row)
                path = os.path.realpath(self.path("growing"))

                def append(process):
                    while path not in open_files(process) and not ended(process):
                        pass
                    with open(path, "ab") as file:
                        while not ended(process) and file.tell() < 400 * MB:
                            file.write(piece)

                result = self.train("-i", "growing", "--input-format", form, "--set", "text.max_df=1",
                                    within=40 * 20 * MB + PROGRAM, during=append)
                self.assertRegex(result.err, rf"^read {n_rows} ")

    def test_standard_input_without_an_end_is_exit_6(self):
        endless = {"libsvm": b"0,3 1:0.5 7:0.25\n", "jsonl": b'{"text": "some words", "labels": ["a"]}\n', "tsv": b"x"}
        for form, row in endless.items():
            def write(process, row=row):
                piece = row * (MB // len(row))
                try:
                    while True:
                        os.write(process.stdin.fileno(), piece)
                except BrokenPipeError:
                    pass

            with self.subTest(form):
                result = self.train("-i", "-", "--input-format", form, "--max-memory", "50MB", code=6, during=write,
                                    within=3 * 50 * MB + PROGRAM)
                self.assertRegex(result.err, r"xylem: standard input: .* 50.0 MB( are)? allowed")


def ended(process):
    """Leaves it to be waited for."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def open_files(process):
    folder = f"/proc/{process.pid}/fd"
    try:
        return {os.readlink(os.path.join(folder, name)) for name in os.listdir(folder)}
    except OSError:  # it has ended, or closed one meanwhile
        return set()
