# SPDX-License-Identifier: Apache-2.0
"""Verbs, options, configuration files and help: what is understood, and what is answered where it is not."""
import re
import shlex

from command import CommandTest, methods, run

VERBS = ["train", "learn", "predict", "eval", "explain", "info", "labels", "convert", "methods"]


class Help(CommandTest):
    def test_of_every_verb_shows_an_example(self):
        for verb in ([], *([verb] for verb in VERBS)):
            result = self.xylem(*verb, "--help")
            self.assertRegex(result.out, r"\nExamples?:\n  xylem ")
            self.assertEqual(result.err, "")

    def test_examples_work(self):
        self.train_tiny("tiny.xylem", method="knn")
        tiny = self.read("tiny.txt")
        for name in ("train.txt", "test.txt", "new.txt"):
            self.write(name, tiny)
        self.train_tiny("other.xylem")
        self.write("train.jsonl", "".join('{"text": "word%d", "labels": ["a"]}\n' % (i % 3) for i in range(9)))
        for name in ("mine.txt", "theirs.txt"):
            self.xylem("predict", "-m", "tiny.xylem", "-i", "tiny.txt", "-o", name)
        count = 0
        for verb in ([], *([verb] for verb in VERBS)):
            for line in re.findall(r"^  (xylem .*)$", self.xylem(*verb, "--help").out, re.MULTILINE):
                for command in line.split(" && "):
                    words = shlex.split(command)
                    force = ["--force"] if words[1] in ("train", "learn", "predict", "convert") else []
                    self.xylem(*words[1:], *force)
                    count += 1
        self.assertGreaterEqual(count, 8)

    def test_version_is_a_number(self):
        self.assertRegex(self.xylem("--version").out, r"^xylem \d+\.\d+\.\d+\n$")

    def test_is_shown_with_exit_2_where_there_is_no_verb(self):
        result = run(cwd=self.folder)
        self.assertEqual((result.code, result.out), (2, ""))
        self.assertEqual(result.err, self.xylem("--help").out)


class Misspellings(CommandTest):
    def test_are_answered_with_the_nearest_name(self):
        self.train_tiny(method="knn")
        train = ["train", "-i", "tiny.txt", "-m", "m.xylem"]
        evaluate = ["eval", "-m", "tiny.xylem", "-i", "tiny.txt"]
        self.write("key.toml", 'seed = 3\nmehtod = "knn"\n')
        self.write("option.toml", "method = 'knn'\n[options]\nkk = 3\n")
        listed = ", ".join(methods()) + "\n"
        cases = [
            (["trian"], r"unknown command 'trian' \(did you mean 'train'\?\)\n"),
            (["trian", "-i", "rows.txt"], r"unknown command 'trian' \(did you mean 'train'\?\)\n"),
            (["predict", "--modle", "x"], r"unknown option '--modle' \(did you mean '--model'\?\)\n"),
            (["methods", "--jsno"], r"unknown option '--jsno' \(did you mean '--json'\?\)\n"),
            ([*train, "--method", "knn", "--set", "kk=3"], r"xylem: the method knn has no option 'kk' \(did you mean 'k'\?\)\n"),
            ([*train, "--method", "knn", "--set", "frobnicate=3"], r"the method knn has no option 'frobnicate'; there are k\n"),
            ([*train, "--method", "popular", "--set", "k=3"], r"the method popular has no option 'k'; it has none\n"),
            ([*train, "--set", "text.ngram=3"], r"the reader of texts has no option 'text.ngram' \(did you mean 'text.ngrams'\?\)\n"),
            ([*train, "--method", "knnn"], r"unknown method 'knnn' \(did you mean 'knn'\?\), there are " + listed),
            ([*train, "--config", "key.toml"], r"key.toml:2: unknown name 'mehtod' \(did you mean 'method'\?\)\n"),
            ([*train, "--config", "option.toml"],
             r"option.toml:3: the method knn has no option 'kk' \(did you mean 'k'\?\)\n"),
            ([*evaluate, "--min", "p@1=3"], r"no figure 'p@1' \(did you mean 'P@1'\?\)"),
        ]
        for arguments, pattern in cases:
            with self.subTest(" ".join(arguments)):
                self.assertEqual(self.fails(2, pattern, *arguments).out, "")
        self.assertNotIn("m.xylem", self.files())

    def test_without_a_near_name_point_to_help(self):
        self.fails(2, r"unknown command 'frobnicate'; see `xylem --help`", "frobnicate")
        self.fails(2, r"unknown option '--frobnicate'; see `xylem info --help`", "info", "--frobnicate")
        self.fails(2, r"unexpected 'b'; see `xylem info --help`", "info", "a", "b")
        self.fails(2, r"unknown method 'frobnicate', there are " + ", ".join(methods()) + r"\n",
                   "train", "-i", "x", "-m", "y", "--method", "frobnicate")


class WrongValues(CommandTest):
    def test_are_refused_before_any_work(self):
        self.train_tiny(method="knn")
        self.write("bad.txt", "x\n")  # exit 3 if it were read
        train = ["train", "-i", "bad.txt", "-m", "m.xylem"]
        learn = ["learn", "-m", "tiny.xylem", "-i", "bad.txt", "-o", "m.xylem"]
        predict = ["predict", "-m", "tiny.xylem", "-i", "bad.txt"]
        evaluate = ["eval", "-m", "tiny.xylem", "-i", "bad.txt"]
        cases = [
            (["train"], r"-i FILE is needed"),
            (["train", "-i"], r"--input needs a value"),
            (["train", "-i", "bad.txt"], r"-m MODEL is needed"),
            (["learn", "-i", "bad.txt", "-o", "m.xylem"], r"-m MODEL is needed"),
            (["learn", "-m", "tiny.xylem", "-o", "m.xylem"], r"-i FILE is needed"),
            (["learn", "-m", "tiny.xylem", "-i", "bad.txt"], r"-o MODEL is needed"),
            ([*learn, "--set", "epochs=3"], r"unknown option 'epochs'; learning has none for models of knn"),
            ([*learn, "--set", "k=3"], r"unknown option 'k'; learning has none for models of knn"),
            ([*learn, "--set", "k"], r"--set 'k': expected name=value"),
            ([*learn, "--max-memory", "many"], r"--max-memory 'many': expected a size like"),
            ([*learn, "--input-format", "jsonl"], r"--input-format jsonl: the model was trained on sparse rows"),
            (["predict"], r"-i FILE is needed"),
            (["info"], r"-m MODEL is needed"),
            (["labels"], r"-m MODEL is needed"),
            (["explain"], r"-i FILE is needed"),
            (["explain", "-i", "bad.txt"], r"-m MODEL is needed"),
            (["explain", "-m", "tiny.xylem", "-i", "bad.txt", "-k", "0"], r"-k: found '0', expected a whole number from 1 to"),
            (["explain", "-m", "tiny.xylem", "-i", "bad.txt", "--label", "9"], r"--label: the model has no label '9'"),
            (["eval"], r"either -m MODEL -i FILE or --predictions FILE"),
            (["eval", "-m", "tiny.xylem"], r"-i FILE is needed"),
            (["eval", "--predictions", "p"], r"--truth FILE is needed"),
            (["eval", "--predictions", "p", "--truth", "t"], r"--train FILE or -m MODEL is needed"),
            ([*train, "--valid", "2"], r"--valid 2: expected a file, or a share between 0 and 1"),
            ([*train, "--valid", "-0.1"], r"--valid -0.1: expected a file, or a share"),
            ([*train, "--seed", "-1"], r"--seed: found '-1', expected a whole number from 0"),
            ([*train, "--seed", "1.5"], r"--seed: found '1.5', expected a whole number"),
            ([*train, "--seed", "99999999999999999999"],
             r"--seed: found '99999999999999999999', expected a whole number"),
            ([*train, "-j", "-1"], r"--threads: found '-1', expected a whole number from 0 to 1024"),
            ([*train, "--max-bad-lines", "-1"], r"--max-bad-lines: found '-1', expected a whole number"),
            ([*train, "--set", "k"], r"--set 'k': expected name=value"),
            ([*train, "--method", "knn", "--set", "k=3", "--set", "k=4"], r"--set 'k': found the option twice, expected it once"),
            ([*train, "--method", "knn", "--set", "k=many"], r"option k is 'many', expected integer in 0 .. 1000000"),
            ([*train, "--method", "knn", "--set", "k=-1"], r"option k is '-1', expected integer in 0"),
            ([*train, "--input-format", "foo"], r"--input-format: found 'foo', expected one of auto, xmlrepo, libsvm, fasttext, tsv, jsonl, csv, lines\n"),
            ([*train, "--input-format", "json"], r"--input-format: found 'json', expected one of .*, lines \(did you mean 'jsonl'\?\)\n"),
            ([*train, "--bad-utf8", "ignore"], r"--bad-utf8: found 'ignore', expected either refuse or replace\n"),
            ([*train, "--first-id", "2"], r"--first-id: found '2', expected one of auto, 0, 1\n"),
            ([*train, "--label-separator", "ab"], r"--label-separator: found 'ab', expected one character\n"),
            ([*train, "--method", "knn", "--method", "popular"], r"--method takes one value, found 2: 'knn', 'popular'\n"),
            ([*train, "--seed", "1", "--seed", "1"], r"--seed takes one value, found 2: '1', '1'\n"),
            ([*train, "--seed"], r"--seed needs a value\n"),
            ([*train, "--seed", "--force"], r"--seed: found '--force', expected a whole number"),
            (["train", "-i", "bad.txt", "-m", "--force"], r"--model needs a value, found the option --force\n"),
            ([*predict, "-o", "-k"], r"--output needs a value, found the option -k\n"),
            ([*train, "--set"], r"--set needs a value\n"),
            ([*train, "--force=maybe"], r"--force: found 'maybe', expected nothing, or true or false\n"),
            (["train", "-m", "m.xylem", "-i"], r"--input needs a value\n"),
            (["convert", "-i", "bad.txt", "-o", "o", "--to", "jsnol"], r"--to: found 'jsnol', expected one of .* \(did you mean 'jsonl'\?\)\n"),
            (["explain", "-k"], r"-k needs a value\n"),
            (["labels", "-k", "1", "-k", "2"], r"-k takes one value, found 2: '1', '2'\n"),
            ([*train, "--resume"], r"--resume needs --checkpoint"),
            ([*predict, "-k", "0"], r"-k: found '0', expected a whole number from 1 to"),
            ([*predict, "--threshold", "nan"], r"--threshold: found 'nan', expected a number"),
            ([*predict, "--format", "xml"], r"--format: found 'xml', expected one of xmlrepo, jsonl, fasttext"),
            ([*evaluate, "--at", "0"], r"--at: found '0', expected a whole number from 1 to"),
            ([*evaluate, "--at", "-1"], r"--at: found '-1', expected a whole number from 1 to"),
            ([*evaluate, "--at"], r"--at needs a value"),
            ([*evaluate, "--at="], r"--at needs a value"),
            ([*evaluate, "--propensity", "1"], r"--propensity takes 2 values, found 1: '1'\n"),
            ([*evaluate, "--propensity"], r"--propensity needs 2 values\n"),
            ([*evaluate, "--propensity", "1,2,3"], r"--propensity takes 2 values, found 3: '1', '2', '3'\n"),
            ([*evaluate, "--propensity", "a,b"], r"--propensity: found 'a', expected a number\n"),
            ([*evaluate, "--json", "--json=x"], r"--json: found .*'x', expected nothing, or true or false\n"),
            ([*evaluate, "--propensity", "1,0"], r"propensity constants a = 1 and b = 0: .* b above 0"),
            ([*evaluate, "--threshold", "nan"], r"--threshold: found 'nan', expected a number"),
            ([*evaluate, "--bootstrap", "-1"], r"--bootstrap: found '-1', expected a whole number"),
            ([*evaluate, "--bootstrap", "0", "--versus", "p"], r"--versus compares on resamples"),
            ([*evaluate, "--min", "P@1"], r"--min 'P@1': expected a figure and a number, like P@1=80"),
            ([*evaluate, "--min", "P@1=high"], r"--min 'P@1=high': expected a figure and a number"),
            ([*evaluate, "--min", "P@2=80"], r"no figure 'P@2'.*there are P@1, P@3"),
        ]
        for arguments, pattern in cases:
            with self.subTest(" ".join(arguments)):
                self.assertEqual(self.fails(2, pattern, *arguments).out, "")
        self.assertEqual(self.files(), ["bad.txt", "tiny.txt", "tiny.xylem"])


class Configuration(CommandTest):
    def setUp(self):
        super().setUp()
        self.train_tiny(method="knn")

    def settings(self, *arguments):
        self.xylem("train", "-q", *arguments, "-m", "m.xylem", "--force")
        card = self.xylem("info", "m.xylem", "--json").json
        return card["method"], card["card"]["seed"], card["card"]["settings"]

    def test_of_a_file_is_used(self):
        self.write("c.toml", 'input = "tiny.txt"\nmethod = "knn"\nseed = 9\nvalid = 0.25\nno-refit = true\n[options]\nk = 3\n')
        self.assertEqual(self.settings("--config", "c.toml"), ("knn", 9, {"k": "3"}))
        self.assertEqual(self.xylem("info", "m.xylem", "--json").json["card"]["held_out"], 2)

    def test_of_the_command_line_comes_first(self):
        self.write("c.toml", 'input = "nowhere"\nseed = 9\nmethod = "popular"\n[options]\nk = 3\n')
        flags = ["-i", "tiny.txt", "--method", "knn", "--seed", "4", "--set", "k=5"]
        self.assertEqual(self.settings("--config", "c.toml", *flags), ("knn", 4, {"k": "5"}))

    def test_that_is_printed_can_be_fed_back(self):
        arguments = ["-i", "tiny.txt", "--method", "knn", "--set", "k=3", "--seed", "007", "--valid", ".3", "--no-refit",
                     "--max-memory", "1G"]
        printed = self.xylem("train", *arguments, "--print-config").out
        self.write("c.toml", printed)
        self.assertEqual(self.xylem("train", "--config", "c.toml", "--print-config").out, printed)
        self.xylem("train", "-q", *arguments, "-m", "direct.xylem")
        self.xylem("train", "-q", "--config", "c.toml", "-m", "fed.xylem")
        self.assertEqual(self.read("direct.xylem"), self.read("fed.xylem"))

    def test_of_every_method_is_printed_with_its_options(self):
        for method in self.xylem("methods", "--json").json:
            printed = self.xylem("train", "--method", method["name"], "--print-config").out
            for option in method["options"]:
                self.assertIn(option["name"].split(".")[-1] + " = ", printed)
            self.write("c.toml", printed)
            self.assertEqual(self.xylem("train", "--config", "c.toml", "--print-config").out, printed)

    def test_that_is_broken_is_refused_with_its_line(self):
        cases = [
            ("seed = 3\nmethod = \n", r"c.toml:2: "),
            ("seed = 3\nseed = 4\n", r"c.toml:2: "),
            ("\nseed = -1\n", r"c.toml:2: --seed: found '-1', expected a whole number"),
            ("threads = 5000\n", r"c.toml:1: --threads: found '5000', expected .* 1024"),
            ("seed = [1, 2]\n", r"c.toml:1: 'seed' is neither text, number nor truth value"),
            ('quiet = "maybe"\n', r"c.toml:1: quiet is 'maybe', expected true or false"),
            ('config = "x"\n', r"c.toml:1: unknown name 'config'"),
            ("label-separator = 'ab'\n", r"c.toml:1: --label-separator: found 'ab', expected one character"),
            ("input-format = 'foo'\n", r"c.toml:1: --input-format: found 'foo', expected one of auto, "),
            ("options = 3\n", r"c.toml:1: 'options' must be a table"),
            ("[options]\ntrees = 'x'\n", r"option trees is 'x', expected integer"),
            ("[options.linear]\ncost = 2\n", r"c.toml:2: the method parabel has no option 'linear.cost'"),
        ]
        for content, pattern in cases:
            with self.subTest(content):
                self.write("c.toml", content)
                self.fails(2, pattern, "train", "-i", "tiny.txt", "-m", "m.xylem", "--config", "c.toml")


class Methods(CommandTest):
    def test_are_listed_with_their_options(self):
        text = self.xylem("methods").out
        for method in self.xylem("methods", "--json").json:
            learns = "learn_options" in method
            self.assertEqual(list(method), ["name", "summary", "options"] + ["learn_options"] * learns)
            self.assertTrue(learns or method["name"] != "knn")
            self.assertIn(method["name"], text)
            self.assertIn(method["summary"], text)
            for option in method["options"] + method.get("learn_options", []):
                self.assertEqual(list(option), ["name", "type", "default", "range", "help"])
                self.assertIn(f"{option['name']} = {option['default']}", text)
