# SPDX-License-Identifier: Apache-2.0
"""`xylem learn`: new rows and new labels for a model that is there."""
import json
import os

from command import TINY, TINY_ROWS, CommandTest, limit_file_size, methods, random_rows, with_header
from names_test import NAMES, lines, shifted
from samples import FORMATS, TEXTS, rows_of, sample

KNN = ["--method", "knn", "--set", "k=2"]
# A new label, 5, behind a gap.
NEW_ROWS = ["5 2:1 4:1", "0,5 2:1", "1 1:0.3 5:0.1"]


class Learn(CommandTest):
    def train(self, data, model="old.xylem", *options):
        self.xylem("train", "-q", "-i", data, "-m", model, "--force", *KNN, *options)
        return model

    def learn(self, data, *options, old="old.xylem", new="new.xylem", **others):
        return self.xylem("learn", "-m", old, "-i", data, "-o", new, *options, **others)

    def predict(self, model, data="test.txt", *options):
        return self.xylem("predict", "-q", "-m", model, "-i", data, *options).out

    def card(self, model):
        return self.xylem("info", "--json", model).json["card"]

    def setUp(self):
        super().setUp()
        self.write("tiny.txt", TINY)
        self.write("new.txt", "\n".join(NEW_ROWS) + "\n")
        self.train("tiny.txt")

    def test_gives_what_training_on_all_rows_gives(self):
        rows = random_rows(900)
        for name, part in (("all", rows[:800]), ("a", rows[:500]), ("b", rows[500:650]), ("c", rows[650:800]),
                           ("bc", rows[500:800]), ("test", rows[800:])):
            self.write(name + ".txt", with_header(part))
        self.train("all.txt", "all.xylem")
        self.train("a.txt", "a.xylem")
        self.learn("bc.txt", old="a.xylem", new="once.xylem")
        self.learn("b.txt", old="a.xylem", new="ab.xylem")
        self.learn("c.txt", old="ab.xylem", new="twice.xylem")
        figures = []
        for model in ("all.xylem", "once.xylem", "twice.xylem"):
            self.assertEqual(self.predict(model), self.predict("all.xylem"), model)
            found = self.xylem("eval", "-m", model, "-i", "test.txt", "--json").json
            figures.append({name: value for name, value in found.items() if not name.startswith(("load", "predict"))})
            self.assertEqual(self.xylem("labels", "-m", model).out, self.xylem("labels", "-m", "all.xylem").out)
        self.assertEqual(figures[1], figures[0])  # propensities, too
        self.assertEqual(figures[2], figures[0])
        self.assertNotEqual(self.predict("a.xylem"), self.predict("all.xylem"))

    def test_adds_labels_and_tells(self):
        before = self.read("old.xylem")
        result = self.learn("new.txt")
        self.assertRegex(result.err, r"^learned 3 rows, 2 new labels in \d+\.\d s; now 11 rows, 6 labels\n"
                                     r"wrote new.xylem, [\d.]+ KB\n$")
        self.assertEqual((result.out, self.read("old.xylem")), ("", before))
        self.assertEqual(self.xylem("labels", "-m", "new.xylem").out, "0\t4\n1\t4\n2\t3\n3\t2\n4\t0\n5\t2\n")
        self.assertEqual(self.predict("new.xylem", "new.txt", "-k", 1).splitlines()[1].split(":")[0], "5")
        self.assertIn("row 1: label 5, score 1, rank 1\n", self.xylem("explain", "-m", "new.xylem", "-i", "new.txt").out)
        self.assertIn("learned\n", self.xylem("info", "new.xylem").out)
        self.learn("new.txt", "-q", old="new.xylem", new="newer.xylem")
        first, second = self.card("new.xylem")["learned"], self.card("newer.xylem")["learned"]
        self.assertEqual((first["times"], first["rows"], first["labels"]), (1, 3, 2))
        self.assertEqual((second["times"], second["rows"], second["labels"]), (2, 6, 2))

    def test_adds_labels_by_their_names_alone(self):
        self.write("names.txt", lines(NAMES))
        self.write("more.txt", "slow travel\nchess\nquux\n")
        glas = ["--method", "glas", "--set", "dim=8", "--set", "epochs=30", "--label-names", "names.txt"]
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "plain.xylem", *glas)
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "named.xylem", *glas, "--set", "label_text=yes")
        result = self.xylem("learn", "-m", "named.xylem", "--labels", "more.txt", "-o", "more.xylem")
        self.assertRegex(result.err, r"names that the model has already, or that came before, left out: 1\n"
                                     r"learned 0 rows, 2 new labels in \d+\.\d s; now 8 rows, 6 labels\n")
        self.assertIn("slow travel\t0\nquux\t0\n", self.xylem("labels", "-m", "more.xylem").out)
        best = [json.loads(row)["labels"] for row in self.predict("more.xylem", "tiny.txt", "--format", "jsonl", "-k", 6).splitlines()]
        found = {pair["label"] for row in best for pair in row}
        self.assertIn("slow travel", found)
        self.assertNotIn("quux", found)  # no word of it is known
        card = self.card("more.xylem")["learned"]
        self.assertEqual((card["times"], card["rows"], card["labels"]), (1, 0, 2))
        # Rows of it may follow.
        self.write("rows.txt", "4 2:1 4:1\n")
        self.learn("rows.txt", old="more.xylem", new="both.xylem")
        self.fails(3, "none of the 3 labels is new", "learn", "-m", "more.xylem", "--labels", "more.txt", "-o", "no.xylem")
        for model, message in (("plain.xylem", "cannot use the names of labels; train glas with label_text=yes"), ("old.xylem", "have no names")):
            self.fails(2, message, "learn", "-m", model, "--labels", "more.txt", "-o", "no.xylem")

    def test_has_its_report_as_json(self):
        report = self.learn("new.txt", "--json", "-q").json
        self.assertEqual((report["model"], report["method"], report["rows"], report["new_labels"]), ("new.xylem", "knn", 3, 2))
        self.assertEqual(report["card"], self.card("new.xylem"))
        self.assertEqual(report["model_bytes"], len(self.read("new.xylem")))
        self.assertEqual(set(report["wall_seconds"]), {"load", "read", "learn", "save"})

    def test_gives_the_same_bytes_whatever_the_number_of_threads(self):
        self.write("a.txt", with_header(random_rows(500)))
        self.write("b.txt", with_header(random_rows(300, seed=2)))
        self.train("a.txt", "a.xylem")
        models = []
        for threads in (1, 2, 3):
            self.learn("b.txt", "-j", threads, "--force", old="a.xylem")
            models.append(self.read("new.xylem"))
        self.assertEqual(models[1:], models[:2])

    def test_takes_every_format(self):
        for form in FORMATS:
            with self.subTest(form):
                half = len(rows_of(form)) // 2
                texts = ["--set", "text.min_df=1"] if form in TEXTS else []
                self.write("first", sample(form, rows_of(form)[:half]))
                self.write("second", sample(form, rows_of(form)[half:]))
                self.train("first", "old.xylem", "--input-format", form, *texts)
                result = self.learn("second", "--input-format", form, "--force")
                self.assertIn("learned 4 rows", result.err)
                self.assertEqual(self.card("new.xylem")["learned"]["rows"], 4)
                detected = self.learn("second", "--force", new="detected.xylem")
                self.assertEqual(self.read("detected.xylem"), self.read("new.xylem"), detected.err)

    def test_counts_as_the_model_does(self):
        self.write("one.txt", "\n".join(shifted(TINY_ROWS)) + "\n")
        self.train("one.txt", "one.xylem")
        self.write("new_one.txt", "\n".join(shifted(NEW_ROWS)) + "\n")
        self.learn("new.txt")
        self.learn("new_one.txt", old="one.xylem", new="new_one.xylem")
        zero, one = [[line.split("\t") for line in self.xylem("labels", "-m", model).out.splitlines()]
                     for model in ("new.xylem", "new_one.xylem")]
        self.assertEqual([[str(int(label) + 1), rows] for label, rows in zero], one)
        # Without label 0 or feature 0, and all the same counted from 0.
        self.write("late.txt", "5 2:1 4:1\n")
        self.learn("late.txt", new="late.xylem")
        self.assertEqual(self.xylem("labels", "-m", "late.xylem").out.splitlines()[-1], "5\t1")
        self.fails(3, r"tiny.txt:\d+: found '0.*', expected a .* id from 1", "learn", "-m", "one.xylem", "-i", "tiny.txt", "-o", "no.xylem")
        self.learn("tiny.txt", "--first-id", "0", old="one.xylem", new="said.xylem")
        self.assertEqual(self.xylem("labels", "-m", "said.xylem").out, "1\t6\n2\t6\n3\t6\n4\t4\n")

    def test_follows_a_header(self):
        self.write("header.txt", "1 3 9\n5 2:1\n")
        self.learn("header.txt")
        self.assertEqual(len(self.xylem("labels", "-m", "new.xylem").out.splitlines()), 9)
        self.write("small.txt", "1 3 1\n0 2:1\n")
        self.learn("small.txt", "--force")
        self.assertEqual(len(self.xylem("labels", "-m", "new.xylem").out.splitlines()), 4)
        self.write("huge.txt", "1 3 2000000000\n0 2:1\n")
        self.fails(6, r"learning with knn needs .* GB", "learn", "-m", "old.xylem", "-i", "huge.txt", "-o", "no.xylem",
                   "--max-memory", "1G")

    def test_counts_only_rows_with_labels_as_learned(self):
        self.write("odd.txt", "0 0:1\n 1:1\n1 1:1\n 0:1\n")
        result = self.learn("odd.txt", "--json")
        self.assertIn("rows without labels, not learned: 2\nlearned 2 of 4 rows, 0 new labels in", result.err)
        self.assertEqual((result.json["rows"], result.json["card"]["learned"]["rows"]), (2, 2))
        self.assertRegex(self.xylem("info", "new.xylem").out, r"\nlearned\n(  .*\n)*  rows +2\n")

    def test_remarks_on_rows_that_it_knows(self):
        again = "the same rows were learned before: they count {} times now\n"
        self.assertNotIn("count", self.learn("new.txt").err)
        self.write("other.txt", "7 2:1\n")  # a label more
        self.assertNotIn("count", self.learn("other.txt", old="new.xylem", new="2.xylem").err)
        # Whatever the file and its format.
        self.write("copy.txt", "3 6 6\n" + "\n".join(NEW_ROWS) + "\n")
        self.assertIn(again.format(2), self.learn("copy.txt", old="2.xylem", new="3.xylem").err)
        self.assertIn(again.format(3), self.learn("-", old="3.xylem", new="4.xylem", stdin="\n".join(NEW_ROWS)).err)
        trained = "these are the rows that the model was trained on: they count twice now\n"
        self.assertIn(trained, self.learn("tiny.txt", old="4.xylem", new="5.xylem").err)
        self.assertNotIn("count", self.learn("new.txt", "--force").err)
        self.assertEqual(len(self.card("5.xylem")["learned"]["parts"]), 5)

    def test_warns_of_a_file_that_is_given_twice(self):
        os.symlink("new.txt", self.path("link.txt"))
        warning = "warning: link.txt is given twice with -i, so its rows count twice\n"
        self.assertIn(warning, self.learn("new.txt", "-i", "link.txt", "-q").err)
        self.write("copy.txt", self.read("new.txt"))
        self.assertNotIn("given twice", self.learn("new.txt", "-i", "copy.txt", "--force").err)
        self.assertIn(warning, self.xylem("train", "-q", "-i", "new.txt", "-i", "link.txt", "-m", "m.xylem", *KNN).err)

    def test_remarks_on_texts_that_it_knows(self):
        self.write("a.tsv", "cooking\tbake bread\ncooking\tboil soup\nsailing\tsail the boat\nsailing\tthe wind\n")
        self.write("b.tsv", "chess\tthe board\n")
        self.train("a.tsv", "a.xylem")
        self.assertNotIn("count", self.learn("b.tsv", old="a.xylem", new="b.xylem").err)
        self.assertIn("count 2 times now\n", self.learn("b.tsv", old="b.xylem", new="bb.xylem").err)
        self.assertIn("count twice now\n", self.learn("a.tsv", old="b.xylem", new="ba.xylem").err)

    def test_remarks_on_what_it_leaves_out(self):
        self.write("odd.txt", "0 0:1 77:5\n1 88:1\n 0:1\n")
        result = self.learn("odd.txt")
        for remark in ("values of features that the model does not have, ignored: 2\n", "rows without labels, not learned: 1\n",
                       "rows without any feature that the model knows: 1\n"):
            self.assertIn(remark, result.err)
        self.write("unlabelled.txt", " 0:1\n 1:1\n")
        self.fails(3, r"none of the 2 training rows has a label", "learn", "-m", "old.xylem", "-i", "unlabelled.txt", "-o", "no.xylem")

    def test_is_refused_where_a_method_cannot(self):
        for method in [name for name, method in methods().items() if "learn_options" not in method]:
            self.train_tiny(method + ".xylem", method=method)
            # Before anything is read.
            self.fails(2, f"models of {method} cannot learn more rows and must be retrained; those of .*knn.* can",
                       "learn", "-m", method + ".xylem", "-i", "nowhere.txt", "-o", "no.xylem")

    def test_never_overwrites_by_accident(self):
        before = self.read("old.xylem")
        self.write("bad.txt", "x\n")
        self.fails(2, r"old.xylem exists already; --force replaces it", "learn", "-m", "old.xylem", "-i", "bad.txt", "-o", "old.xylem")
        for output in ("new.txt", "./new.txt"):
            self.fails(2, r"new.txt is what is read: write to another file",
                       "learn", "-m", "old.xylem", "-i", "new.txt", "-o", output, "--force")
        self.fails(2, r"-o -: a model needs a file of its own", "learn", "-m", "old.xylem", "-i", "new.txt", "-o", "-")
        self.fails(3, r"bad.txt:1: ", "learn", "-m", "old.xylem", "-i", "bad.txt", "-o", "old.xylem", "--force",
                   "--input-format", "libsvm")
        self.fails(5, r"cannot write old.xylem: File too large", "learn", "-m", "old.xylem", "-i", "new.txt", "-o", "old.xylem",
                   "--force", preexec=limit_file_size(100))
        self.assertEqual(self.read("old.xylem"), before)
        self.learn("new.txt")
        self.learn("new.txt", "--force", new="old.xylem")
        self.assertEqual(self.read("old.xylem"), self.read("new.xylem"))
        self.assertEqual(self.files(), ["bad.txt", "new.txt", "new.xylem", "old.xylem", "tiny.txt"])

    def test_stays_within_the_memory_it_is_given(self):
        self.write("rows.txt", with_header(random_rows(3000)))
        self.fails(6, r"rows.txt: .* memory, 10.0 KB are allowed", "learn", "-m", "old.xylem", "-i", "rows.txt", "-o", "no.xylem",
                   "--max-memory", "10K")
        self.fails(6, r"learning with knn needs .* beside .* of program and data, and 16.4 MB are allowed in all",
                   "learn", "-m", "old.xylem", "-i", "rows.txt", "-o", "no.xylem", "--max-memory", "16.4MB")
        self.learn("rows.txt", "--max-memory", "50MB")

    def test_reads_standard_input(self):
        self.learn("new.txt")
        self.learn("-", new="stdin.xylem", stdin="\n".join(NEW_ROWS) + "\n")
        self.assertEqual(self.read("stdin.xylem"), self.read("new.xylem"))


class LearnNames(CommandTest):
    def learn(self, data, *options, **others):
        return self.xylem("learn", "-m", "old.xylem", "-i", data, "-o", "new.xylem", "--force", *options, **others)

    def labels(self):
        out = self.xylem("labels", "-m", "new.xylem").out
        return [tuple(line.split("\t")) for line in out.splitlines()]

    def refused(self, code, pattern, data, *options):
        self.fails(code, pattern, "learn", "-m", "old.xylem", "-i", data, "-o", "no.xylem", *options)

    def test_of_texts_are_known_or_new(self):
        self.write("train.tsv", "cooking\tbake bread\ncooking\tboil soup\nsailing\tsail the boat\nsailing\tthe wind\n")
        self.xylem("train", "-q", "-i", "train.tsv", "-m", "old.xylem", *KNN)
        self.write("new.jsonl", "".join(json.dumps({"text": text, "labels": labels}) + "\n" for text, labels in (
            ("soup on the boat", ["galley", "sailing"]), ("xyzzy", ["chess"]), ("bake", []))))
        result = self.learn("new.jsonl")
        self.assertIn("rows without labels, not learned: 1\nrows without any word that the model knows: 1\n", result.err)
        self.assertEqual(self.labels(), [("cooking", "2"), ("sailing", "3"), ("galley", "1"), ("chess", "1")])
        out = self.xylem("predict", "-m", "new.xylem", "-i", "-", "-k", 2, stdin="soup boat\n").json
        self.assertIn("galley", [pair["label"] for pair in out["labels"]])
        self.refused(2, r"--input-format libsvm: the model was trained on texts", "new.jsonl", "--input-format", "libsvm")
        self.write("rows.txt", TINY)
        self.refused(3, r"rows.txt", "rows.txt")

    def test_of_numbers_come_from_the_list(self):
        for first, rows, new in ((0, TINY_ROWS, "4 0:1 2:1\n"), (1, list(shifted(TINY_ROWS)), "5 1:1 3:1\n")):
            with self.subTest(first=first):
                self.write("tiny.txt", "\n".join(rows) + "\n")
                self.write("names.txt", lines(NAMES))
                self.xylem("train", "-q", "-i", "tiny.txt", "-m", "old.xylem", "--force", *KNN, "--label-names", "names.txt")
                self.write("new.txt", new)
                self.refused(3, rf"found label {4 + first}, which the model does not have, expected a name for it", "new.txt")
                self.refused(3, r"names.txt: found names for labels", "new.txt", "--label-names", "names.txt")
                # Whether the model counts from 0 or 1 is known; the list need not tell.
                self.write("more.txt", lines([*NAMES, "gardening", "weaving"]))
                self.learn("new.txt", "--label-names", "more.txt")
                self.assertEqual(self.labels()[3:], [("time travel", "2"), ("gardening", "1"), ("weaving", "0")])
                self.write("moved.txt", lines(["first", *NAMES, "gardening"]))
                self.refused(3, rf"found 'first' as the name of label {first}, expected 'cooking', as in the model", "new.txt",
                             "--label-names", "moved.txt")

    def test_cannot_be_given_to_a_model_without_any(self):
        self.write("tiny.txt", TINY)
        self.write("names.txt", lines(NAMES))
        self.xylem("train", "-q", "-i", "tiny.txt", "-m", "old.xylem", *KNN)
        self.refused(2, r"the labels of the model have no names, so new ones can have none", "tiny.txt", "--label-names", "names.txt")

    def test_of_numbers_in_texts_come_from_the_list(self):
        def write_texts(name, rows):
            self.write(name, "".join(json.dumps({"content": text, "title": "", "target_ind": labels}) + "\n" for text, labels in rows))
        write_texts("train.jsonl", [("bake bread", [0]), ("sail boat", [1]), ("king check", [2]), ("past future", [3])] * 2)
        self.write("names.txt", lines(NAMES))
        self.xylem("train", "-q", "-i", "train.jsonl", "-m", "old.xylem", *KNN, "--set", "text.max_df=1", "--label-names", "names.txt")
        write_texts("new.jsonl", [("bread future", [4, 0]), ("boat", [1])])
        self.refused(3, r"found label '4', which the model does not have, expected a list of names", "new.jsonl")
        self.write("more.txt", lines([*NAMES, "gardening"]))
        self.learn("new.jsonl", "--label-names", "more.txt")
        self.assertEqual(self.labels(), list(zip([*NAMES, "gardening"], "33221")))
        out = self.xylem("predict", "-m", "new.xylem", "-i", "-", "-k", 5, "--format", "xmlrepo",
                         "--write-label-names", "written.txt", stdin="bread future\n").out
        self.assertIn("4:", out)
        write_texts("known.jsonl", [("bread", [0]), ("boat", [1])])
        self.learn("known.jsonl")
        self.assertEqual(self.labels(), list(zip(NAMES, "3322")))


class LearnOutOfReach(CommandTest):
    def test_is_exit_5(self):
        self.train_tiny(method="knn")
        os.mkdir(self.path("folder"))
        for name, words in (("nowhere", "No such file"), ("folder", "is a folder")):
            self.fails(5, f"{name}.*{words}", "learn", "-m", "tiny.xylem", "-i", name, "-o", "new.xylem")
            self.fails(5, name, "learn", "-m", name, "-i", "tiny.txt", "-o", "new.xylem")
        self.fails(5, "cannot write folder", "learn", "-m", "tiny.xylem", "-i", "tiny.txt", "-o", "folder", "--force")
        self.fails(5, "cannot write no/m.xylem", "learn", "-m", "tiny.xylem", "-i", "tiny.txt", "-o", "no/m.xylem")
        self.fails(5, "cannot open names", "learn", "-m", "tiny.xylem", "-i", "tiny.txt", "-o", "new.xylem", "--label-names", "names")
        self.assertEqual(self.files(), ["folder", "tiny.txt", "tiny.xylem"])
