# SPDX-License-Identifier: Apache-2.0
"""What `xylem doctor` finds in data that was made wrong on purpose, against counts in plain Python."""
import json

from command import TINY, CommandTest, random_rows, with_header


def as_jsonl(rows):
    return "".join(json.dumps({"text": text, "labels": labels}) + "\n" for labels, text in rows)


def good_texts(n=60):
    return [([f"topic {i % 3}"], f"number {i} says {'bread salt boat sail king bishop'.split()[i % 6]} again")
            for i in range(n)]


class Doctor(CommandTest):
    def doctor(self, name, *options):
        return self.xylem("doctor", "-q", "-i", name, "--method", "popular", "--json", *options).json

    def findings(self, name, *options):
        return {finding["name"]: finding for finding in self.doctor(name, *options)["findings"]}

    def test_finds_nothing_in_good_data(self):
        self.write("train.jsonl", as_jsonl(good_texts()))
        self.assertEqual(self.findings("train.jsonl"), {})
        text = self.xylem("doctor", "-i", "train.jsonl", "--method", "popular").out
        self.assertIn("nothing found that needs care", text)
        self.assertRegex(text, r"rows +60\n")
        self.assertRegex(text, r"(?m)^popular +about .*60 of 60 rows$")

    def test_counts_what_sparse_rows_hold(self):
        lines = random_rows(300)
        lines += ["7 3:1 3:2", "7,7 4:1", " 5:1", "8 ", lines[0], "19 " + lines[1].split(" ", 1)[1], "0,21 6:1"]
        self.write("train.txt", with_header(lines, n_labels=23))
        found = self.doctor("train.txt")
        train = found["train"]
        labels = [set(line.split(" ")[0].split(",")) - {""} for line in lines]
        counts = {label: sum(label in row for row in labels) for label in set().union(*labels)}
        self.assertEqual(train["format"], "xmlrepo")
        self.assertEqual((train["rows"], train["features"]), (307, 50))
        self.assertEqual(train["label_pairs"], sum(counts.values()))
        self.assertEqual((train["labels"], train["unused_labels"]), (len(counts), 23 - len(counts)))
        self.assertEqual((train["rows_without_labels"], train["rows_without_features"]), (1, 1))
        self.assertEqual((train["duplicate_features"], train["duplicate_labels"]), (1, 1))
        self.assertEqual((train["repeated_rows"], train["repeated_rows_with_other_labels"]), (2, 1))
        self.assertEqual(train["labels_on_one_row"], sum(n == 1 for n in counts.values()))
        groups = {group["name"]: group["labels"] for group in train["groups"]}
        self.assertEqual(groups, {"head": sum(n > 100 for n in counts.values()),
                                  "torso": sum(6 <= n <= 100 for n in counts.values()),
                                  "tail": sum(n < 6 for n in counts.values())})
        self.assertEqual({finding["name"] for finding in found["findings"]},
                         {"rows_without_labels", "rows_without_features", "duplicate_features", "duplicate_labels",
                          "repeated_rows", "labels_on_one_row", "unused_labels"})

    def test_reads_on_behind_bad_lines(self):
        good = good_texts()
        lines = as_jsonl(good).encode().splitlines()
        lines[3] = b'{"text": 5}'
        lines[7] = b'{"text": "caf\xe9 \xe8", "labels": ["topic 1"]}'
        lines += [b"no json"] * 12
        self.write("train.jsonl", b"\n".join(lines) + b"\n")
        found = self.doctor("train.jsonl")
        self.assertEqual((found["train"]["rows"], found["train"]["bad_lines"]), (59, 13))
        self.assertEqual((found["train"]["invalid_utf8_lines"], found["train"]["invalid_utf8_pieces"]), (1, 2))
        self.assertEqual(found["train"]["replacement_characters"], 0)
        findings = {finding["name"]: finding for finding in found["findings"]}
        self.assertEqual(len(findings["bad_lines"]["examples"]), 10)
        self.assertRegex(findings["bad_lines"]["examples"][0], r"^train.jsonl:4: ")
        self.assertRegex(findings["invalid_utf8"]["examples"][0], r"^train.jsonl:8: found invalid UTF-8 '\\xe9'")
        self.assertIn("--max-bad-lines 13", findings["bad_lines"]["text"])
        self.assertIn("--bad-utf8 replace", findings["invalid_utf8"]["text"])
        text = self.xylem("doctor", "-i", "train.jsonl", "--method", "popular").out
        self.assertIn("\n    train.jsonl:4: ", text)
        # What it recommends is what train needs.
        self.xylem("train", "-q", "-i", "train.jsonl", "-m", "m.xylem", "--max-bad-lines", 13, "--bad-utf8", "replace")
        told = self.findings("train.jsonl", "--max-bad-lines", 13, "--bad-utf8", "replace")
        self.assertIn("skips them", told["bad_lines"]["text"])
        self.assertIn("U+FFFD takes their place", told["invalid_utf8"]["text"])

    def test_sees_traces_of_a_wrong_encoding(self):
        rows = good_texts() + [(["topic 1"], "KÃ¤se"), (["topic 2"], "Caf\ufffd \ufffd")]
        self.write("train.jsonl", as_jsonl(rows))
        findings = self.findings("train.jsonl")
        self.assertEqual({name: finding["count"] for name, finding in findings.items()},
                         {"mojibake": 1, "replacement_characters": 2})

    def test_reads_the_names_of_labels(self):
        rows = good_texts() + [(["Topic 0 "], "one a"), (["x, y"], "two b"), (["u;v"], "three c"), ([" "], "four d")]
        rows += [([label], text + " too") for [label], text in rows[60:]]
        self.write("train.jsonl", as_jsonl(rows))
        found = self.doctor("train.jsonl")["findings"]
        self.assertEqual([(finding["name"], finding["count"], finding["examples"]) for finding in found],
                         [("separator_in_label_names", 1, ["x, y"]), ("separator_in_label_names", 1, ["u;v"]),
                          ("blank_label_names", 1, [" "]),
                          ("similar_label_names", 1, ["'topic 0' and 'Topic 0 '"])])
        self.assertIn("--label-separator ',' splits it in a string; in a list, write each label by itself", found[0]["text"])
        self.write("train.tsv", "".join(f"a;b\t{i} word\n" for i in range(8)) + "c\tother\nc\tother too\n" * 9)
        self.assertIn("--label-separator ';'", self.findings("train.tsv")["separator_in_label_names"]["text"])
        self.assertNotIn("separator_in_label_names", self.findings("train.tsv", "--label-separator", ";"))

    def test_names_labels_that_are_everywhere(self):
        self.write("train.jsonl", as_jsonl([(labels + ["all"], text) for labels, text in good_texts()]))
        finding = self.findings("train.jsonl")["labels_on_most_rows"]
        self.assertEqual(finding["examples"], ["'all' (100 %)"])

    def test_compares_training_and_test_texts(self):
        train = good_texts()
        test = [train[0], (["new"], train[1][1]), (["new", "topic 1"], "something else"), ([], "unlabelled"),
                (["topic 2"], "")]
        self.write("train.jsonl", as_jsonl(train))
        self.write("test.jsonl", as_jsonl(test))
        found = self.doctor("train.jsonl", "--test", "test.jsonl")
        self.assertEqual({key: found["test"][key] for key in
                          ("rows", "rows_in_training", "labels_unseen_in_training", "pairs_unseen_in_training",
                           "rows_with_unseen_labels_only", "rows_without_labels", "empty_texts")},
                         {"rows": 5, "rows_in_training": 2, "labels_unseen_in_training": 1,
                          "pairs_unseen_in_training": 2, "rows_with_unseen_labels_only": 1, "rows_without_labels": 1,
                          "empty_texts": 1})
        self.assertEqual({finding["data"] for finding in found["findings"]}, {"test"})
        text = self.xylem("doctor", "-i", "train.jsonl", "--test", "test.jsonl", "--method", "popular").out
        self.assertIn("- test: 2 of 5 rows are also in the training data (40.0 %)", text)

    def test_compares_sparse_rows_with_the_ids_of_training(self):
        self.write("train.txt", "1 1:1\n2 2:1\n3 3:1\n")  # counts from 1
        self.write("test.txt", "1 2:1\n4 3:2\n")
        found = self.doctor("train.txt", "--test", "test.txt")["test"]
        self.assertEqual((found["rows_in_training"], found["labels_unseen_in_training"]), (1, 1))
        self.write("texts.jsonl", as_jsonl(good_texts()))
        self.fails(3, "found texts, expected sparse rows", "doctor", "-i", "train.txt", "--test", "texts.jsonl")

    def test_estimates_the_methods_that_were_named(self):
        self.write("tiny.txt", TINY)
        every = self.xylem("doctor", "-q", "-i", "tiny.txt", "--json").json["methods"]
        listed = self.xylem("methods", "--json").json
        self.assertEqual([method["name"] for method in every], [method["name"] for method in listed])
        two = self.xylem("doctor", "-q", "-i", "tiny.txt", "--json", "--method", "popular", "--method", "knn").json
        self.assertEqual([method["name"] for method in two["methods"]], ["popular", "knn"])
        for method in two["methods"]:
            self.assertEqual((method["measured_rows"], method["labelled_rows"]), (8, 8))
            self.assertGreater(method["memory_bytes"], method["model_bytes"])
        self.fails(2, r"unknown method 'popula' \(did you mean 'popular'\?\)", "doctor", "-i", "tiny.txt", "--method", "popula")

    def test_says_where_training_would_fail(self):
        self.write("train.txt", " 0:1\n 1:1\n")
        found = self.doctor("train.txt")
        self.assertEqual(found["methods"][0]["problem"], "no row has a label")
        self.assertNotIn("seconds", found["methods"][0])
        self.assertIn("no row has a label", self.xylem("doctor", "-i", "train.txt", "--method", "popular").out)

    def test_gives_the_same_for_any_number_of_threads(self):
        self.write("train.txt", with_header(random_rows(500)))
        answers = []
        for threads in (1, 3):
            found = self.doctor("train.txt", "-j", threads)
            del found["threads"], found["train"]["read_seconds"]
            for method in found["methods"]:
                del method["seconds"], method["train_seconds"], method["measured_rows"]
            answers.append(found)
        self.assertEqual(*answers)

    def test_reads_standard_input(self):
        result = self.xylem("doctor", "-q", "-i", "-", "--json", "--method", "popular", stdin=TINY).json
        self.assertEqual(result["train"]["rows"], 8)

    def test_fails_where_there_is_nothing_to_examine(self):
        self.fails(2, "-i FILE is needed", "doctor")
        self.fails(5, "nowhere", "doctor", "-i", "nowhere.txt")
        self.write("empty.txt", "")
        self.fails(3, "empty", "doctor", "-i", "empty.txt")
        self.write("bad.jsonl", "{\n{\n")
        self.fails(3, r"bad.jsonl:1: .*all lines are bad", "doctor", "-i", "bad.jsonl")
        self.write("cut.txt", "9 6 4\n0 0:1\n")
        self.fails(3, "found 1 rows", "doctor", "-i", "cut.txt")

    def test_keeps_names_from_steering_the_terminal(self):
        self.write("train.jsonl", as_jsonl(good_texts() + [(["\x1b[2J,"], "one a"), (["\x1b[2J,"], "two b")]))
        self.assertNotIn("\x1b", self.xylem("doctor", "-i", "train.jsonl", "--method", "popular").out)
