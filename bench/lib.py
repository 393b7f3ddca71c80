# SPDX-License-Identifier: Apache-2.0
"""What the programs of this folder share: where things are, splits of the data sets, lines of results."""

import json
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The splits of each protocol. A split made here has a folder of its name; the numbers are also the seeds.
PROTOCOLS = {
    "given": ["given"],
    "ten": [str(seed) for seed in range(1, 11)],
    "valid": ["valid"],
}
VALID_SEED = 1
VALID_PART = 10  # one row in ten

# Equal in two lines: the same measurement, made twice.
KEY = ("data", "split", "method", "settings", "threads", "seed", "repeat", "commit", "compiler", "cpu")


class Failure(Exception):
    """What a user can cause; the text is the whole message."""


def run_program(main):
    """Calls main and turns a Failure into a sentence and exit status 2."""
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"{Path(sys.argv[0]).name}: {failure}", file=sys.stderr)
        sys.exit(2)


def data_root():
    return Path(os.environ.get("XYLEM_DATA") or ROOT / "build" / "data")


def data_files(data, split):
    """The training and test file of a split; sparse rows end in .txt, texts in .jsonl."""
    folder = data_root() / data if split == "given" else data_root() / "splits" / data / split
    for suffix in (".txt", ".jsonl"):
        files = folder / f"train{suffix}", folder / f"test{suffix}"
        if all(file.exists() for file in files):
            return files
    raise Failure(f"no train.txt and test.txt in {folder}; `bench/data {data}` unpacks them")


def make_split(data, split):
    """Writes the two files of a split, unless they are there."""
    folder = data_root() / "splits" / data / split
    if folder.exists():
        return
    train, test = data_files(data, "given")
    sizes, rows = read_rows(train)
    if split == "valid":
        seed, n_train = VALID_SEED, len(rows) - len(rows) // VALID_PART
    else:
        seed, n_train = int(split), len(rows)
        test_sizes, test_rows = read_rows(test)
        if test_sizes != sizes:
            raise Failure(f"{train} and {test} differ in their numbers of features or labels")
        rows += test_rows
    random.Random(seed).shuffle(rows)
    with new_folder(folder) as temporary:
        write_rows(temporary / train.name, sizes, rows[:n_train])
        write_rows(temporary / test.name, sizes, rows[n_train:])


def read_rows(path):
    """The features and labels that a header promises (nothing for texts), and the rows as they stand in the file."""
    rows = path.read_bytes().split(b"\n")
    if rows[-1] == b"":
        rows.pop()
    if path.suffix != ".txt":
        return [], rows
    n_rows, *sizes = rows.pop(0).split()
    if int(n_rows) != len(rows):
        raise Failure(f"{path}: the header promises {int(n_rows)} rows, {len(rows)} are there")
    return sizes, rows


def write_rows(path, sizes, rows):
    header = [b" ".join([b"%d" % len(rows), *sizes])] if sizes else []
    path.write_bytes(b"".join(row + b"\n" for row in header + rows))


class new_folder:
    """A folder under a temporary name, which gets its own when all went well: it is there as a whole or not at all."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self.temporary = Path(tempfile.mkdtemp(prefix=f".{self.folder.name}.", dir=self.folder.parent))
        self.temporary.chmod(0o755)
        return self.temporary

    def __exit__(self, kind, error, trace):
        try:
            if kind is None and not self.folder.exists():
                self.temporary.rename(self.folder)
        finally:
            shutil.rmtree(self.temporary, ignore_errors=True)


def key_of(line):
    return json.dumps([line[name] for name in KEY], sort_keys=True)


def read_lines(path):
    """The lines of a file of results. A line that a killed run left half written is passed over."""
    lines = []
    for number, text in enumerate(path.read_text().splitlines(), 1):
        try:
            lines.append(json.loads(text))
        except json.JSONDecodeError:
            print(f"{path}:{number}: half a line, passed over", file=sys.stderr)
    return lines


def append_line(path, line):
    """Adds a line and waits until it is on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "ab+") as file:
        if file.tell() > 0:
            file.seek(-1, os.SEEK_END)
            if file.read() != b"\n":
                file.write(b"\n")  # after half a line
        file.write(json.dumps(line).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def settings_text(settings):
    return " ".join(f"{name}={value}" for name, value in settings.items())
