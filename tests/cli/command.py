# SPDX-License-Identifier: Apache-2.0
"""What all modules share: running the real command, folders that go away, tiny data."""
import json
import os
import random
import resource
import shutil
import subprocess
import tempfile
import unittest

BINARY = os.environ.get("XYLEM_BINARY", "xylem")
DATA = os.environ.get("XYLEM_DATA", "")
TIMEOUT = 120  # seconds: a command that hangs is a failure

# Six features, four labels; every row is recognised by its own features.
TINY_ROWS = [
    "0,1 0:1 1:0.5",
    "0 0:0.8 2:0.1",
    "1 1:1",
    "1,2 1:0.7 3:0.9",
    "2 3:1 4:0.2",
    "2 3:0.4 4:0.4",
    "3 5:1",
    "0,3 0:0.3 5:0.6",
]
TINY = "8 6 4\n" + "\n".join(TINY_ROWS) + "\n"


class Result:
    def __init__(self, code, out, err):
        self.code = code
        self.out_bytes = out
        self.err = err.decode(errors="replace")

    @property
    def out(self):
        return self.out_bytes.decode()

    @property
    def json(self):
        return json.loads(self.out)

    def __str__(self):
        return f"exit {self.code}\n--- stdout\n{self.out_bytes[:2000]!r}\n--- stderr\n{self.err[:4000]}"


def start(*arguments, **options):
    return subprocess.Popen([BINARY, *map(str, arguments)], **options)


def run(*arguments, stdin=b"", stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=None, preexec=None, timeout=TIMEOUT,
        env=None):
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run([BINARY, *map(str, arguments)], input=data, stdout=stdout, stderr=stderr, cwd=cwd,
                          preexec_fn=preexec, timeout=timeout, check=False, env=env)
    return Result(done.returncode, done.stdout or b"", done.stderr or b"")


def methods():
    """What `xylem methods --json` says of each method, by name."""
    return {method["name"]: method for method in run("methods", "--json").json}


def limit_file_size(n_bytes):
    """For preexec: a disk that is full after n_bytes of any file."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))


def random_rows(n_rows, n_features=50, n_labels=20, features_a_row=8, seed=1):
    """Rows whose labels follow from their features, as lines without a header."""
    draw = random.Random(seed)
    lines = []
    for _ in range(n_rows):
        topic = int(n_labels * draw.random() ** 2)
        labels = {topic} | {draw.randrange(n_labels) for _ in range(draw.randrange(3))}
        features = {(topic * 3 + i) % n_features for i in range(3)}
        while len(features) < features_a_row:
            features.add(draw.randrange(n_features))
        pairs = " ".join(f"{feature}:{draw.uniform(0.1, 1):.3f}" for feature in sorted(features))
        lines.append(",".join(map(str, sorted(labels))) + " " + pairs)
    return lines


def with_header(lines, n_features=50, n_labels=20):
    return f"{len(lines)} {n_features} {n_labels}\n" + "\n".join(lines) + "\n"


def peak_memory(*arguments, cwd, during=None):
    """Runs the command, meanwhile calls during(process), and returns the result and the peak memory in bytes. What this
    process holds itself counts, too: large files must be written piece by piece."""
    with tempfile.TemporaryFile() as err:
        process = start(*arguments, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=err)
        if during:
            during(process)
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return Result(process.returncode, b"", err.read()), usage.ru_maxrss * 1024


class CommandTest(unittest.TestCase):
    """A test with a folder of its own, in which all of its commands run."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="xylem-cli-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return name

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self):
        return sorted(os.listdir(self.folder))

    def xylem(self, *arguments, code=0, **options):
        """Runs the command; its exit code must be `code`, and where it fails it must say why in one sentence."""
        result = run(*arguments, cwd=self.folder, **options)
        self.assertEqual(result.code, code, f"xylem {' '.join(map(str, arguments))}: {result}")
        if code != 0 and options.get("stderr", subprocess.PIPE) == subprocess.PIPE:
            self.assertRegex(result.err, r"(^|\n)xylem: \S[^\n]*\n$", f"no sentence: {result}")
        return result

    def fails(self, code, pattern, *arguments, **options):
        """Runs a command that must fail with `code` and a sentence that matches `pattern`."""
        result = self.xylem(*arguments, code=code, **options)
        self.assertRegex(result.err, pattern)
        return result

    def train_tiny(self, model="tiny.xylem", content=TINY, method="popular"):
        """A model of the tiny rows, which lie in tiny.txt beside it."""
        self.write("tiny.txt", content)
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", model, "--method", method,
                   *(["--set", "k=2"] if method == "knn" else []))
        return model
