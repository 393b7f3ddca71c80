# SPDX-License-Identifier: Apache-2.0
"""What the programs of this folder share: where things are, splits of the data sets, lines of results."""

import json
import os
import random
import re
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

# What becomes of a label of a training row, with the rate that is given: it is left out, or another one takes its place.
NOISES = ("missing", "invalid")
NOISE_SEED = 1

# Equal in two lines: the same measurement, made twice.
KEY = ("data", "split", "noise", "method", "settings", "threads", "seed", "repeat", "commit", "compiler", "cpu")


class Failure(Exception):
    """What a user can cause; the text is the whole message."""


def run_program(main):
    """Calls main and turns a Failure, or a file that cannot be had, into a sentence and exit status 2."""
    try:
        sys.exit(main())
    except Failure as failure:
        complaint = failure
    except OSError as error:
        if error.filename is None:
            raise
        complaint = f"{error.filename}: {error.strerror}"
    print(f"{Path(sys.argv[0]).name}: {complaint}", file=sys.stderr)
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


def noisy_files(data, split, noise):
    """A training file with noise in its labels, and the rows held out of it, which have their own."""
    train, _ = data_files(data, split)
    folder = data_root() / "splits" / data / f"{split},{noise}"
    return folder / train.name, folder / f"valid{train.suffix}"


def make_noise(data, split, noise):
    """Writes the two files, unless they are there. What is noisy with some rate is so with every higher one."""
    noisy, valid = noisy_files(data, split, noise)
    if noisy.parent.exists():
        return
    kind, rate = parse_noise(noise)
    sizes, rows = read_rows(data_files(data, split)[0])
    random.Random(VALID_SEED).shuffle(rows)
    n_train = len(rows) - len(rows) // VALID_PART
    codec = SparseLabels(sizes) if sizes else TextLabels(rows)
    noise_of = random.Random(NOISE_SEED)
    changed = [codec.with_labels(row, noisy_labels(codec, row, kind, rate, noise_of)) for row in rows[:n_train]]
    with new_folder(noisy.parent) as temporary:
        write_rows(temporary / noisy.name, sizes, changed)
        write_rows(temporary / valid.name, sizes, rows[n_train:])


def parse_noise(text):
    """missing=0.3 is ("missing", 0.3)."""
    kind, _, rate = text.partition("=")
    try:
        rate = float(rate)
    except ValueError:
        rate = -1
    if kind not in NOISES or not 0 <= rate <= 1:
        raise Failure(f"--noise '{text}': expected {' or '.join(f'{kind}=RATE' for kind in NOISES)}, a rate from 0 to 1")
    return kind, rate


def noisy_labels(codec, row, kind, rate, noise_of):
    labels = codec.labels(row)
    kept, dropped = [], 0
    for label in labels:
        if noise_of.random() < rate:
            dropped += 1
        else:
            kept.append(label)
    # Drawn from a generator of their own, so that the first one goes on in the same way for every kind and rate.
    strangers = random.Random(noise_of.getrandbits(64))
    taken = set(labels)
    for _ in range(min(dropped, codec.n_labels - len(taken)) if kind == "invalid" else 0):
        stranger = codec.random_label(strangers)
        while stranger in taken:
            stranger = codec.random_label(strangers)
        taken.add(stranger)
        kept.append(stranger)
    return sorted(kept)


class SparseLabels:
    """Labels are numbers in front of the first blank."""

    def __init__(self, sizes):
        self.n_labels = int(sizes[1])

    def labels(self, row):
        return [int(label) for label in row.partition(b" ")[0].split(b",") if label]

    def with_labels(self, row, labels):
        return b",".join(b"%d" % label for label in labels) + b" " + row.partition(b" ")[2]

    def random_label(self, rng):
        return rng.randrange(self.n_labels)


class TextLabels:
    """Labels are names in a JSON object; there are those that some row has."""

    def __init__(self, rows):
        self.names = sorted({label for row in rows for label in self.labels(row)})
        self.n_labels = len(self.names)

    def labels(self, row):
        return json.loads(row)["labels"]

    def with_labels(self, row, labels):
        return json.dumps({**json.loads(row), "labels": labels}, ensure_ascii=False).encode()

    def random_label(self, rng):
        return rng.choice(self.names)


def read_rows(path):
    """The features and labels that a header promises (nothing for texts), and the rows as they stand in the file."""
    rows = path.read_bytes().split(b"\n")
    if rows[-1] == b"":
        rows.pop()
    if path.suffix != ".txt":
        return [], rows
    header = rows.pop(0) if rows else b""
    if not re.fullmatch(rb"\d+ \d+ \d+\s*", header):
        raise Failure(f"{path}: expected sparse rows with a header: rows, features, labels")
    n_rows, *sizes = header.split()
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
    return json.dumps([line.get(name) for name in KEY], sort_keys=True)  # most lines have no noise


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
