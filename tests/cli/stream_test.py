# SPDX-License-Identifier: Apache-2.0
"""Inputs larger than memory: answers come while rows are read."""
import json
import os
import pty
import select
import subprocess
import time
import unittest

import command
from command import CommandTest, methods, peak_memory, random_rows, start, with_header

PATIENCE = 60  # seconds until something that should come at once counts as missing
SMALL = {"knn": ["k=3"], "dxml": ["epochs=1", "hidden=8", "dim=8"], "mnn": ["epochs=1", "dim=8"],
         "glas": ["epochs=1", "dim=8"], "rank-ae": ["epochs=1", "dim=8", "code=8", "hidden=8"]}


def read_line(stream):
    """The next line of a pipe, or what is there of it when patience ends."""
    line = b""
    end = time.monotonic() + PATIENCE
    while not line.endswith(b"\n") and time.monotonic() < end:
        if select.select([stream], [], [], 0.1)[0]:
            byte = os.read(stream.fileno(), 1)
            if not byte:
                break
            line += byte
    return line.decode()


class StreamTest(CommandTest):
    def train_texts(self, method="popular", n=40):
        topics = ["shoes and boots", "wine and cheese", "bicycle wheels", "garden tools"]
        lines = [json.dumps({"text": f"{topics[i % 4]} number {i % 7}", "labels": [topics[i % 4].split()[0]]})
                 for i in range(n)]
        self.write("train.jsonl", "\n".join(lines) + "\n")
        settings = [word for option in SMALL.get(method, []) for word in ("--set", option)]
        self.xylem("train", "-q", "-i", "train.jsonl", "-m", "m.xylem", "--method", method, "--force", *settings)

    def train_rows(self, method="popular"):
        self.write("train.txt", with_header(random_rows(100)))
        settings = [word for option in SMALL.get(method, []) for word in ("--set", option)]
        self.xylem("train", "-q", "-i", "train.txt", "-m", "m.xylem", "--method", method, "--force", *settings)

    def large_texts(self, n, name="large.jsonl"):
        with open(self.path(name), "w") as file:
            for i in range(n):
                file.write(json.dumps({"id": f"d{i}", "text": f"red shoes {i % 977} and wine {i % 31}"}) + "\n")
        return name


class Pipe(StreamTest):
    def check_answers_at_once(self, arguments, lines, shown):
        process = start(*arguments, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                        stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        for line in lines:
            process.stdin.write(line.encode())
            process.stdin.flush()
            self.assertIn(shown, read_line(process.stdout), f"no answer to {line!r} while the pipe is open")
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertEqual(process.stdout.read(), b"")
        process.stdout.close()

    def test_every_text_is_answered_as_soon_as_it_is_there(self):
        self.train_texts("parabel")
        for threads in ("1", "2"):
            self.check_answers_at_once(["predict", "-q", "-m", "m.xylem", "-i", "-", "-j", threads],
                                       ["red shoes\n", "a wheel of a bicycle\n", "wine\n"], '"labels":[{')

    def test_every_row_is_answered_as_soon_as_it_is_there(self):
        self.train_rows("parabel")
        self.check_answers_at_once(["predict", "-q", "-m", "m.xylem", "-i", "-", "--format", "jsonl"],
                                   [line + "\n" for line in random_rows(3, seed=2)], '"labels":[{')

    def test_every_row_of_a_table_is_answered_as_soon_as_it_is_there(self):
        self.train_texts("parabel")
        rows = {",": ["text,id\nred shoes,1\n", '"wine, red",2\n', '"a" wheel,3\n'],
                "\t": ["text\tid\nred shoes\t1\n", '"wine" and cheese\t2\n']}
        predict = ["predict", "-q", "-m", "m.xylem", "-i", "-"]
        self.check_answers_at_once(predict + ["--input-format", "csv"], rows[","], '"labels":[{')
        self.check_answers_at_once(predict + ["--text-column", "text"], rows[","], '"labels":[{')
        self.check_answers_at_once(predict + ["--input-format", "tsv"], rows["\t"], '"labels":[{')
        self.check_answers_at_once(predict + ["--delimiter", ";", "--text-column", "Story"],
                                   ["id;Story\n1;red shoes\n", "2;wine\n"], '"labels":[{')

    def test_explanations_come_as_soon_as_a_text_is_there(self):
        self.train_texts("knn")
        self.check_answers_at_once(["explain", "-q", "--json", "-m", "m.xylem", "-i", "-"], ["red shoes\n", "wine\n"],
                                   '"label":')

    def test_lines_one_by_one_give_the_bytes_of_a_file(self):
        lines = [line + "\n" for line in random_rows(30, seed=5)]
        self.write("test.txt", "".join(lines))
        for method in methods():
            self.train_rows(method)
            arguments = ["predict", "-q", "-m", "m.xylem", "--format", "jsonl", "-k", "20", "-i"]
            whole = self.xylem(*arguments, "test.txt").out
            process = start(*arguments, "-", cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
            self.addCleanup(process.kill)
            answers = []
            for line in lines:
                process.stdin.write(line.encode())
                process.stdin.flush()
                answers.append(read_line(process.stdout))
            process.stdin.close()
            process.wait(PATIENCE)
            process.stdout.close()
            self.assertEqual("".join(answers), whole, method)

    def piped_slowly(self, arguments, lines):
        process = start(*arguments, "-", cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        for line in lines:
            process.stdin.write(line.encode())
            process.stdin.flush()
            time.sleep(0.02)
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out.decode(), err.decode().replace("standard input:", "table:")

    def test_a_slow_table_is_laid_out_by_more_than_its_first_line(self):
        self.train_texts("knn")
        texts = [f"red shoes number {i} and wine\t" for i in range(20)]
        tables = {"uris.tsv": ("tsv", 0, ["wine\t\n"] + [text + "<http://x/shoes>\n" for text in texts]),
                  # Contradicts the order that the name of the format stands for.
                  "turned.tsv": ("tsv", 3, ["wine\tshoes\n"] + [text + "shoes\n" for text in texts]),
                  "open.tsv": ("tsv", 0, ["wine\tshoes\n", "shoes\twine\n", "cheese\tboots\n", "boots\twheel\n"]),
                  "ordinary.csv": ("csv", 0, ['text,id\n', '"red" shoes,1\n', '"wine,2\n', "cheese,3\n"]),
                  "lists.csv": ("csv", 0, ['labels,text\n', '"[\'a\', \'b\']",shoes\n', "['c'],wine\n"]),
                  "late.csv": ("csv", 0, ["\n", "\n", "Text;Id\n", "red shoes, wine;1\n"]),
                  "quoted.csv": ("csv", 0, ['labels,text\n', 'shoes,"red\n', 'shoes"\n', "wine,wine\n"])}
        for name, (form, code, lines) in tables.items():
            self.write("table", "".join(lines))
            arguments = ["predict", "-q", "-m", "m.xylem", "--input-format", form, "-i"]
            whole = self.xylem(*arguments, "table", code=code)
            self.assertEqual(self.piped_slowly(arguments, lines), (code, whole.out, whole.err), name)
            if code != 0:
                self.assertIn("table:1: found a line that may be the labels 'wine' and the text 'shoes', or", whole.err)

    def test_a_blank_line_says_nothing_about_the_next(self):
        self.train_texts("knn")
        process = start("predict", "-q", "-m", "m.xylem", "-i", "-", cwd=self.folder, stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        for line in (b"\n", b'{"id": "x", "text": "red shoes"}\n'):
            process.stdin.write(line)
            process.stdin.flush()
            time.sleep(0.1)
        self.assertIn('"id":"x"', read_line(process.stdout))
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        process.stdout.close()

    def test_only_documents_with_an_id_get_one(self):
        self.train_texts()
        plain = self.xylem("predict", "-q", "-m", "m.xylem", "-i", "-", stdin="red shoes\nwine\n").out.splitlines()
        self.assertEqual([list(json.loads(line)) for line in plain], [["labels"], ["labels"]])
        self.write("some.jsonl", '{"text": "a"}\n{"id": "x", "text": "b"}\n{"text": "c"}\n')
        some = self.xylem("predict", "-q", "-m", "m.xylem", "-i", "some.jsonl").out.splitlines()
        self.assertEqual([json.loads(line).get("id") for line in some], [None, "x", None])

    def test_xmlrepo_without_a_count_in_the_input_is_the_same(self):
        self.train_rows("parabel")
        lines = random_rows(30, seed=5)
        self.write("bare.txt", "\n".join(lines) + "\n")
        self.write("headed.txt", with_header(lines))
        headed = self.xylem("predict", "-q", "-m", "m.xylem", "-i", "headed.txt").out
        self.assertTrue(headed.startswith("30 20\n"))
        self.assertEqual(self.xylem("predict", "-q", "-m", "m.xylem", "-i", "bare.txt").out, headed)
        self.xylem("predict", "-q", "-m", "m.xylem", "-i", "bare.txt", "-o", "out.txt")
        self.assertEqual(self.read("out.txt").decode(), headed)
        self.assertNotIn("out.txt.part", self.files())

    def test_a_bad_line_does_not_wait_for_the_next_one(self):
        self.train_rows()
        process = start("predict", "-q", "-m", "m.xylem", "-i", "-", cwd=self.folder, stdin=subprocess.PIPE,
                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        process.stdin.write(b"0 1:1\n0 1:x\n")
        process.stdin.flush()
        self.assertEqual(process.wait(PATIENCE), 3)
        self.assertIn(b"standard input:2: ", process.stderr.read())
        process.stdin.close()
        process.stderr.close()


class Terminal(StreamTest):
    def test_a_text_is_answered_and_one_ctrl_d_ends(self):
        self.train_texts("parabel")
        master, slave = pty.openpty()
        process = start("predict", "-m", "m.xylem", "-i", "-", cwd=self.folder, stdin=slave, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        os.close(slave)
        self.assertEqual(read_line(process.stderr), "reading texts from the terminal, one per line; Ctrl-D ends\n")
        for text in (b"P\n", b"red shoes\n", b"wine, a comma\n"):
            os.write(master, text)
            self.assertIn('"labels":[', read_line(process.stdout))
        os.write(master, b"\x04")
        self.assertEqual(process.wait(PATIENCE), 0)
        os.close(master)
        process.stdout.close()
        process.stderr.close()

    def test_shows_no_progress_where_the_next_line_is_typed(self):
        self.train_texts("popular")
        for verb in ("predict", "explain"):
            with self.subTest(verb):
                master, slave = pty.openpty()
                process = start(verb, "-m", "m.xylem", "-i", "-", cwd=self.folder, stdin=slave, stdout=subprocess.PIPE,
                                stderr=slave)
                self.addCleanup(process.kill)
                os.close(slave)
                for _ in range(3):
                    os.write(master, b"red shoes\n")
                    read_line(process.stdout)
                    time.sleep(0.12)  # a bar renews itself ten times per second
                os.write(master, b"\x04")
                process.stdout.read()
                self.assertEqual(process.wait(PATIENCE), 0)
                shown = os.read(master, 10_000).decode()
                self.assertIn("Ctrl-D ends", shown)
                self.assertNotIn("row", shown)
                os.close(master)
                process.stdout.close()


class Memory(StreamTest):
    ROWS = 4000

    @unittest.skipIf(os.environ.get("XYLEM_SANITIZED") == "ON", "a sanitizer's memory is not the program's")
    def test_does_not_grow_with_the_input(self):
        self.train_texts("popular")
        few, many = self.large_texts(self.ROWS, "few.jsonl"), self.large_texts(40 * self.ROWS, "many.jsonl")
        verbs = {"predict": ["predict", "-q", "-m", "m.xylem", "-o", "out", "--force", "-i"],
                 "eval": ["eval", "-q", "-m", "m.xylem", "--bootstrap", "10", "-i"],
                 "convert": ["convert", "-q", "-o", "out", "--force", "--to", "csv", "-i"]}
        for verb, arguments in verbs.items():
            (small, at_least), (large, peak) = (peak_memory(*arguments, name, cwd=self.folder) for name in (few, many))
            self.assertEqual((small.code, large.code), (0, 0), f"{verb}: {small}{large}")
            self.assertLess(peak - at_least, 100 * 40 * self.ROWS + 30e6, verb)
            self.assertLess(peak, 120e6, verb)

    @unittest.skipIf(os.environ.get("XYLEM_SANITIZED") == "ON", "a sanitizer's memory is not the program's")
    def test_is_only_for_the_labels_that_reach_the_threshold(self):
        n_labels, n_rows = 2000, 40_000  # 640 MB, if all labels of all rows were held
        self.write("all.txt", f"1 2 {n_labels}\n{','.join(map(str, range(n_labels)))} 0:1\n")
        self.xylem("train", "-q", "-i", "all.txt", "-m", "all.xylem", "--method", "popular")
        self.write("many.txt", "0 0:1\n" * n_rows)
        rows = ["-q", "-i", "many.txt", "-t", "2"]
        for arguments in (["eval", "-m", "all.xylem", "--bootstrap", "0"],
                          ["eval", "-m", "all.xylem", "--versus-model", "all.xylem", "--bootstrap", "1"],
                          ["predict", "-m", "all.xylem", "-o", "out"]):
            result, peak = peak_memory(*arguments, *rows, cwd=self.folder)
            self.assertEqual(result.code, 0, result)
            self.assertLess(peak, 250e6, arguments)

    @unittest.skipIf(os.environ.get("XYLEM_SANITIZED") == "ON", "a sanitizer's memory is not the program's")
    def test_training_does_not_hold_the_texts(self):
        words = "shoes boots wine cheese bicycle wheel garden tool".split()
        with open(self.path("long.jsonl"), "w") as file:
            for i in range(600):
                text = " ".join(words[(i + j) % 8] for j in range(20000))
                file.write(json.dumps({"text": text, "labels": [words[i % 8]]}) + "\n")
        self.assertGreater(os.path.getsize(self.path("long.jsonl")), 70e6)
        arguments = ["train", "-q", "-m", "m.xylem", "--force", "--method", "popular", "--set", "text.max_df=1", "-i"]
        result, peak = peak_memory(*arguments, "long.jsonl", cwd=self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertLess(peak, 210e6)
        model = self.read("m.xylem")

        def send(process):
            with open(self.path("long.jsonl"), "rb") as file:
                while block := file.read(1 << 20):
                    process.stdin.write(block)

        result, peak = peak_memory(*arguments, "-", cwd=self.folder, during=send)
        self.assertEqual(result.code, 0, result)
        self.assertLess(peak, 210e6)
        self.assertEqual(self.read("m.xylem"), model)


class SeveralFiles(StreamTest):
    def test_are_as_one(self):
        rows = random_rows(100)
        parts = {"a.txt": rows[:40], "b.txt": rows[40:41], "c.txt": rows[41:]}
        for name, lines in parts.items():
            self.write(name, with_header(lines))
        self.write("all.txt", with_header(rows))
        several = [word for name in parts for word in ("-i", name)]
        for verb, arguments in {"train": ["-m", "{}.xylem", "--method", "knn", "--set", "k=3"],
                                "predict": ["-m", "one.xylem", "-o", "{}.out"], "explain": ["-m", "one.xylem"],
                                "eval": ["-m", "one.xylem", "--bootstrap", "5"]}.items():
            one = self.xylem(verb, "-q", "-i", "all.txt", *[word.format("one") for word in arguments])
            both = self.xylem(verb, "-q", *several, *[word.format("both") for word in arguments])
            if verb != "eval":
                self.assertEqual(one.out, both.out, verb)
        self.assertEqual(self.read("one.xylem"), self.read("both.xylem"))
        self.assertEqual(self.read("one.out"), self.read("both.out"))

    def test_of_texts_may_have_different_formats(self):
        lines = [json.dumps({"text": f"{word} {i}", "labels": [word]})
                 for i, word in enumerate(["shoes", "wine", "tool"] * 10)]
        self.write("all.jsonl", "\n".join(lines) + "\n")
        self.write("a.jsonl", "\n".join(lines[:10]) + "\n")
        self.write("b.jsonl", "\n".join(lines[10:]) + "\n")
        self.xylem("convert", "-q", "-i", "b.jsonl", "-o", "b.csv", "--to", "csv")
        self.xylem("train", "-q", "-i", "all.jsonl", "-m", "one.xylem")
        self.xylem("train", "-q", "-i", "a.jsonl", "-i", "b.csv", "-m", "both.xylem")
        self.assertEqual(self.read("one.xylem"), self.read("both.xylem"))
        self.assertEqual(self.xylem("predict", "-q", "-m", "one.xylem", "-i", "all.jsonl").out,
                         self.xylem("predict", "-q", "-m", "one.xylem", "-i", "a.jsonl", "-i", "b.csv").out)

    def test_with_other_counts_in_their_headers_may_mean_other_things(self):
        rows = random_rows(20)
        for name, n_features in (("a.txt", 50), ("b.txt", 60), ("c.txt", 50)):
            self.write(name, with_header(rows, n_features))
        self.write("bare.txt", "0 0:1\n1 1:1\n")
        train = ["train", "-m", "m.xylem", "--force", "--method", "popular"]
        self.assertIn("xylem: warning: a.txt has 50 features and 20 labels, b.txt has 60 and 20: do their numbers mean the "
                      "same?\n", self.xylem(*train, "-i", "a.txt", "-i", "c.txt", "-i", "b.txt").err)
        for other in ("c.txt", "bare.txt"):
            self.assertNotIn("mean the same", self.xylem(*train, "-i", "a.txt", "-i", other).err)

    def test_must_be_of_one_kind(self):
        self.write("rows.txt", with_header(random_rows(20)))
        self.write("from1.txt", "\n".join(f"{1 + i % 3} {1 + i % 5}:1" for i in range(20)) + "\n")
        self.write("texts.jsonl", '{"text": "a b", "labels": ["c"]}\n' * 5)
        self.fails(3, r"texts\.jsonl: found texts, expected sparse rows, as in rows\.txt", "train", "-q", "-m", "m",
                   "-i", "rows.txt", "-i", "texts.jsonl")
        self.fails(2, r"--first-id says how they count in both", "train", "-q", "-m", "m", "-i", "rows.txt", "-i",
                   "from1.txt")
        self.fails(2, "standard input can be read only once", "train", "-q", "-m", "m", "-i", "-", "-i", "-")


if __name__ == "__main__":
    unittest.main()
