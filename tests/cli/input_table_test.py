# SPDX-License-Identifier: Apache-2.0
"""The table of inputs, every line of it with every format it can occur in. `python3 input_table_test.py` prints what is
covered."""
import ctypes
import dataclasses
import gzip
import os
import re
import subprocess

from command import CommandTest, limit_file_size
from samples import FORMATS, SPARSE, TEXTS, header, line, rows_of, sample

# What an input has: the exit code, and the formats in which it can be.
TABLE = {
    "CRLF": (0, FORMATS), "BOM": (0, FORMATS), "no last newline": (0, FORMATS), "blank lines at the end": (0, FORMATS),
    "gzip": (0, FORMATS), "concatenated gzip": (0, FORMATS), "zstd": (0, FORMATS), "standard input": (0, FORMATS),
    "row without labels": (0, FORMATS), "row without features or text": (0, FORMATS),
    "unsorted ids": (0, SPARSE), "missing value": (0, SPARSE), "missing header": (0, ["xmlrepo"]),
    "duplicate feature": (0, SPARSE), "duplicate label": (0, FORMATS), "replaced UTF-8": (0, TEXTS),
    "NaN": (3, SPARSE), "infinity": (3, SPARSE), "overflow": (3, SPARSE), "negative id": (3, SPARSE),
    "id out of range": (3, SPARSE), "broken number": (3, SPARSE), "broken row": (3, TEXTS),
    "NUL byte": (3, FORMATS), "invalid UTF-8": (3, TEXTS), "header that lies": (3, ["xmlrepo", "csv"]),
    "truncated gzip": (3, FORMATS), "damaged gzip": (3, FORMATS), "truncated zstd": (3, FORMATS),
    "inflated size": (3, FORMATS), "empty file": (3, FORMATS),
    "missing file": (5, FORMATS), "folder": (5, FORMATS), "no permission": (5, FORMATS), "disk full": (5, FORMATS),
    "damaged model": (4, FORMATS), "truncated model": (4, FORMATS), "foreign model": (4, FORMATS),
    "newer model": (4, FORMATS), "memory": (6, FORMATS),
}


@dataclasses.dataclass
class Case:
    line: str                   # of the table
    format: str
    content: bytes
    words: str = ""             # on standard error, after the name of the file
    arguments: tuple = ()
    stdin: bool = False
    without: bytes = b""        # the content without its one bad row


def zstd(content):
    """One frame with one block that is stored as it is: Python's library has no zstd."""
    return b"\x28\xb5\x2f\xfd\x00\x58" + (len(content) << 3 | 1).to_bytes(3, "little") + content


def see_no_secrets():
    """For preexec: root, too, must have permission to read a file."""
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        if os.geteuid() == 0 and ctypes.CDLL(None, use_errno=True).prctl(24, capability, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "cannot give up the right to read every file")


# Changes to the bytes of a file that change nothing else.
FORMS = {
    "CRLF": lambda plain: plain.replace(b"\n", b"\r\n"),
    "BOM": lambda plain: b"\xef\xbb\xbf" + plain,
    "no last newline": lambda plain: plain[:-1],
    "blank lines at the end": lambda plain: plain + b"\n\r\n\n",
    "gzip": gzip.compress,
    "concatenated gzip": lambda plain: gzip.compress(plain[:50]) + gzip.compress(b"") + gzip.compress(plain[50:]),
    "zstd": zstd,
}
ONCE = r": duplicate labels, taken once: 1\n"
SAME_ROWS = [  # line, formats, what is written otherwise, how, words
    ("unsorted ids", SPARSE, b"1,2 1:0.7 3:0.9", b"2,1 3:0.9 1:0.7", ""),
    ("unsorted ids", SPARSE, b"1,2 1:0.7 3:0.9", b"1,2 \t 1:7e-1\t3:.9 ", ""),
    ("missing value", SPARSE, b"0,1 0:1 ", b"0,1 0 ", ""),
    ("missing header", ["xmlrepo"], b"8 6 4\n", b"", ""),
    ("duplicate feature", SPARSE, b"0,1 0:1 1:0.5", b"0,1 0:0.5 1:0.5 0:0.5", r": duplicate features, summed: 1\n"),
    ("duplicate label", SPARSE, b"0,1 0:1", b"0,1,0 0:1", ONCE),
    ("duplicate label", ["fasttext"], b"__label__baking bake", b"__label__baking __label__cooking bake", ONCE),
    ("duplicate label", ["tsv", "csv"], b"cooking,baking", b"cooking, baking,cooking ,", ONCE),
    ("duplicate label", ["jsonl"], b'"cooking", ', b'"cooking", "baking", ', ONCE),
    ("replaced UTF-8", TEXTS, b"bake bread", b"bake\xff bread", r": bytes that are not UTF-8, replaced: 1\n"),
]
FINITE = r", expected a feature as id:value with a finite value"
TEXT = r"expected text"
BAD_ROWS = [  # line, formats, row, words
    ("NaN", SPARSE, b"0 1:nan", "found '1:nan'" + FINITE),
    ("infinity", SPARSE, b"0 1:-inf", "found '1:-inf'" + FINITE),
    ("overflow", SPARSE, b"0 1:1e39", "found '1:1e39'" + FINITE),
    ("overflow", SPARSE, b"0 1:3e38 1:3e38", "found feature 1 more than once with a sum of 6e.38, expected"),
    ("negative id", SPARSE, b"0 -1:1", "found '-1:1', expected a feature as id:value"),
    ("negative id", SPARSE, b"-1 1:1", "found '-1', expected a label: a whole number"),
    ("id out of range", ["xmlrepo"], b"0 7:1", "found '7:1', expected a feature id from 0 to [56], as the header"),
    ("id out of range", ["xmlrepo"], b"5 1:1", "found '5', expected a label id from 0 to [34], as the header"),
    ("id out of range", ["libsvm"], b"0 2147483648:1", "found '2147483648:1', expected a feature id from 0 to"),
    ("id out of range", ["libsvm"], b"2147483648 1:1", "found '2147483648', expected a label id from 0 to"),
    ("id out of range", SPARSE, b"0 99999999999999999999:1", "found '99999999999999999999:1', expected a feature id"),
    ("broken number", SPARSE, b"0 1:abc", "found '1:abc', expected a feature as id:value"),
    ("broken number", SPARSE, b"0 1:1:1", "found '1:1:1', expected a feature as id:value"),
    ("broken number", SPARSE, b"0,x 1:1", "found 'x', expected a label"),
    ("broken number", SPARSE, b"0,,1 1:1", "found '0,,1', expected labels: whole numbers"),
    ("NUL byte", SPARSE, b"0 1:\0001", r"found '1:\\x001', expected a feature as id:value"),
    ("NUL byte", ["fasttext"], b"__label__a b\0c", "found a NUL byte at byte 13, " + TEXT),
    ("NUL byte", ["tsv"], b"a\tb\0c", "found a NUL byte at byte 4, " + TEXT),
    ("NUL byte", ["jsonl"], b'{"text": "\0"}', "found a NUL byte at byte 11, " + TEXT),
    ("NUL byte", ["jsonl"], b'{"text": "\\u0000"}', r"found '\\u0000' within a string, expected text without NUL"),
    ("NUL byte", ["csv"], b"a,b\0c", "found a NUL byte at byte 4, " + TEXT),
    ("invalid UTF-8", ["fasttext"], b"__label__a \xc0\xaf", r"found invalid UTF-8 '\\xc0' at byte 12, expected UTF-8"),
    ("invalid UTF-8", ["tsv"], b"\xed\xa0\x80\tb", r"found invalid UTF-8 '\\xed' at byte 1, expected UTF-8"),
    ("invalid UTF-8", ["jsonl"], b'{"text": "\xe2\x82"}', r"found invalid UTF-8 '\\xe2\\x82' at byte 11, expected"),
    ("invalid UTF-8", ["csv"], b"a,\xff", r"found invalid UTF-8 '\\xff' at byte 3, expected UTF-8"),
    ("broken row", ["fasttext"], b"__label__ b", "found '__label__' without a name, expected a label like"),
    ("broken row", ["tsv"], b"no tab", "found no TAB in 'no tab', expected labels, TAB and text"),
    ("broken row", ["jsonl"], b'{"text": "a', "found the end of the line within a string, expected '\"'"),
    ("broken row", ["jsonl"], b'{"text": 7}', "found '7}', expected a string for \"text\""),
    ("broken row", ["jsonl"], b'{"labels": []}', "found no text, expected the key"),
    ("broken row", ["csv"], b"a,b,c", "found 3 fields, expected 2 as in the header"),
    ("broken row", ["csv"], b'a,"b"c', "found 'c' after a closing quote, expected ','"),
]
BAD_FILES = [  # line, formats, content, words
    ("empty file", FORMATS, lambda form: b"", ":1: found an empty file, expected "),
    ("empty file", FORMATS, lambda form: b"\xef\xbb\xbf\r\n\n", ":1: found an empty file, expected "),
    ("header that lies", ["xmlrepo"], lambda form: b"9" + sample(form)[1:], ":1: found 8 rows, expected the 9 "),
    ("header that lies", ["xmlrepo"], lambda form: b"7" + sample(form)[1:], ":9: found more rows, expected the 7 "),
    ("header that lies", ["xmlrepo"], lambda form: b"1 6 9999999999\n0 0:1\n", ":1: found '9999999999' in the header"),
    ("header that lies", ["csv"], lambda form: b"labels,story\na,b\n", ":1: found the columns .*, expected a header"),
    ("header that lies", ["csv"], lambda form: b"text,text\na,b\n", ":1: found two columns called 'text', expected"),
    ("header that lies", ["csv"], lambda form: b"sep=;\n", ":1: found no record, expected a header and rows"),
    ("truncated gzip", FORMATS, lambda form: gzip.compress(sample(form))[:-9], ": found the end of the file .*, exp"),
    ("truncated zstd", FORMATS, lambda form: zstd(sample(form))[:-9], ": found the end of the file .* expected"),
    ("damaged gzip", FORMATS, lambda form: gzip.compress(sample(form))[:-5] + b"12345", ": found damaged gzip data"),
    ("inflated size", FORMATS, lambda form: gzip.compress(bytes(20_000_000)), ": found .* inflate to more than .*, ex"),
]


OUT_OF_REACH = [  # line, input, words, what is done to the process
    ("missing file", "nowhere", "cannot open nowhere: No such file", None),
    ("folder", "folder", "cannot read folder: it is a folder", None),
    ("no permission", "secret", "cannot open secret: Permission denied", see_no_secrets),
    ("disk full", "plain", "cannot write new.xylem: File too large", limit_file_size(10)),
]
FOREIGN = (32).to_bytes(8, "little") + b'{"__metadata__":{"format":"pt"}}'
BAD_MODELS = [  # line, what becomes of a good model, words
    ("damaged model", lambda model: model[:-1] + bytes([model[-1] ^ 1]), "damaged: its checksum is"),
    ("truncated model", lambda model: model[:-1], "damaged"),
    ("truncated model", lambda model: model[:40], "not a xylem model, or cut off"),
    ("foreign model", lambda model: b"1,2 1:1\n" * 20, "not a xylem model"),
    ("foreign model", lambda model: FOREIGN, "not a xylem model: its format is 'pt'"),
    ("newer model", lambda model: model.replace(b'"format_version":"1"', b'"format_version":"7"'),
     "written by a newer version of xylem: its format is 7"),
]
TOO_LARGE = [("memory", "10K", "plain: .* memory, 10.0 KB are allowed")]  # line, --max-memory, words


def accepted():
    for form in FORMATS:
        plain = sample(form)
        yield Case("row without labels", form, plain)
        yield Case("row without features or text", form, plain)
        yield from (Case(name, form, change(plain)) for name, change in FORMS.items())
        yield from (Case("standard input", form, content, stdin=True) for content in (plain, gzip.compress(plain)))
    for name, formats, before, after, words in SAME_ROWS:
        for form in formats:
            assert sample(form).count(before) == 1, (form, before)
            arguments = ("--bad-utf8", "replace") if name == "replaced UTF-8" else ()
            yield Case(name, form, sample(form).replace(before, after), words, arguments)


def refused():
    for name, formats, bad, words in BAD_ROWS:
        for form in formats:
            good = rows_of(form)[:3]
            first, *rest = [line(form, row) + b"\n" for row in good]
            content = header(form, 4) + first + bad + b"\n" + b"".join(rest)
            number = 3 if header(form, 4) else 2
            yield Case(name, form, content, f":{number}: {words}", without=sample(form, good))
    for name, formats, make, words in BAD_FILES:
        yield from (Case(name, form, make(form), words) for form in formats)


class InputTable(CommandTest):
    def train(self, name, form, *arguments):
        return ("train", "-i", name, "-m", "new.xylem", "--force", "--input-format", form, "--method", "knn", "--set", "k=2",
                *(["--set", "text.min_df=1"] if form in TEXTS else []), *arguments)

    def predict(self, model, name, form):
        return ("predict", "-q", "-m", model, "-i", name, "--input-format", form)

    def model_of(self, content, form, *arguments):
        self.write("plain", content)
        self.xylem(*self.train("plain", form, *arguments))
        return self.read("new.xylem")

    def case(self, case):
        return self.subTest(case.line, format=case.format, stdin=case.stdin)

    def test_what_is_accepted_gives_the_model_of_the_plain_file(self):
        expected = {}
        for form in FORMATS:
            model = self.write(form + ".xylem", self.model_of(sample(form), form))
            expected[form] = (self.read(model), self.xylem(*self.predict(model, "plain", form)).out)
        for case in accepted():
            with self.case(case):
                self.write("other", case.content)
                name, options = ("-", {"stdin": case.content}) if case.stdin else ("other", {})
                result = self.xylem(*self.train(name, case.format, *case.arguments), **options)
                if case.line != "replaced UTF-8":
                    predict = self.predict(case.format + ".xylem", name, case.format)
                    predicted = self.xylem(*predict, **options).out
                    self.assertEqual((self.read("new.xylem"), predicted), expected[case.format])
                warnings = re.findall(r"warning: .*\n", result.err)
                self.assertEqual(len(warnings), 1 if case.words else 0)
                self.assertRegex("".join(warnings), f"^warning: {name}{case.words}$" if case.words else "^$")

    def test_what_is_refused_is_told_with_its_place(self):
        models = {form: self.write(form + ".xylem", self.model_of(sample(form), form)) for form in FORMATS}
        os.remove(self.path("new.xylem"))
        for case in refused():
            with self.case(case):
                self.write("bad", case.content)
                self.refuse(case, self.train("bad", case.format))
                for verb in (["eval"], ["learn", "-o", "new.xylem"]):
                    self.refuse(case, (*verb, "-m", models[case.format], "-i", "bad", "--input-format", case.format))
                # Answers to rows that were right may be out by the time that a later one proves wrong.
                for verb in (["predict", "--force", "-o", "new.xylem"], ["explain"]):
                    self.fails(3, "(^|\n)xylem: bad" + case.words, *verb, "-m", models[case.format], "-i", "bad",
                               "--input-format", case.format)
                if case.without:
                    self.skip(case)
                self.assertNotIn("new.xylem", self.files())

    def refuse(self, case, command):
        result = self.fails(3, "^xylem: bad" + case.words, *command)
        self.assertEqual((result.out, result.err.count("\n")), ("", 1))

    def skip(self, case):
        """Where it is allowed, a bad row is as good as none."""
        command = ("train", "-i", "bad", "-m", "new.xylem", "--input-format", case.format, "--method", "popular",
                   "--set", "text.min_df=1")
        result = self.xylem(*command, "--max-bad-lines", 1)
        self.assertIn("warning: bad: bad lines, skipped: 1\n", result.err)
        skipped = self.read("new.xylem")
        self.write("bad", case.without)
        self.xylem(*command, "--force")
        self.assertEqual(self.read("new.xylem"), skipped)
        os.remove(self.path("new.xylem"))

    def test_what_is_out_of_reach_is_exit_5(self):
        os.mkdir(self.path("folder"))
        self.write("secret", b"")
        os.chmod(self.path("secret"), 0)
        for form in FORMATS:
            model = self.write("old.xylem", self.model_of(sample(form), form))
            os.remove(self.path("new.xylem"))
            for what, name, words, preexec in OUT_OF_REACH:
                with self.subTest(what, format=form):
                    for command in (self.train(name, form), (*self.predict(model, name, form), "-o", "new.xylem"),
                                    ("eval", "-m", model, "-i", name, "--per-label", "new.xylem"),
                                    ("learn", "-m", model, "-i", name, "--input-format", form, "-o", "new.xylem")):
                        try:
                            self.assertEqual(self.fails(5, words, *command, preexec=preexec).out, "")
                        except subprocess.SubprocessError:
                            self.skipTest("root may read everything here")
                    self.assertEqual(self.files(), ["folder", "old.xylem", "plain", "secret"])

    def test_models_that_are_none_are_exit_4(self):
        for form in FORMATS:
            model = self.model_of(sample(form), form)
            for what, spoil, words in BAD_MODELS:
                with self.subTest(what, format=form):
                    self.write("bad.xylem", spoil(model))
                    for verb in (["predict", "-i", "plain"], ["eval", "-i", "plain"], ["info"],
                                 ["learn", "-i", "plain", "-o", "no.xylem"]):
                        self.assertEqual(self.fails(4, "bad.xylem: " + words, *verb, "-m", "bad.xylem").out, "")

    def test_too_little_memory_is_exit_6(self):
        for form in FORMATS:
            self.write("plain", sample(form, 400 * rows_of(form)))
            for what, allowed, words in TOO_LARGE:
                with self.subTest(what, format=form):
                    self.fails(6, words, *self.train("plain", form, "--max-memory", allowed))

    def test_covers_every_line(self):
        self.assertEqual(covered(), {(name, form) for name, (_, formats) in TABLE.items() for form in formats})


def covered():
    """Pairs of a line and a format for which there is a case above."""
    names = ["row without labels", "row without features or text", "standard input", *FORMS]
    names += [name for table in (OUT_OF_REACH, BAD_MODELS, TOO_LARGE) for name, *_ in table]
    cases = [(name, FORMATS) for name in names]
    cases += [(name, formats) for table in (SAME_ROWS, BAD_ROWS, BAD_FILES) for name, formats, *_ in table]
    return {(name, form) for name, formats in cases for form in formats}


if __name__ == "__main__":
    done = covered()
    for name, (code, formats) in TABLE.items():
        marks = ["yes" if (name, form) in done else "-" if form not in formats else "NO" for form in FORMATS]
        print(f"exit {code}  {name:30}" + "".join(f"{form} {mark:5}" for form, mark in zip(FORMATS, marks)))
