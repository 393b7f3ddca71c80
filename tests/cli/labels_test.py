# SPDX-License-Identifier: Apache-2.0
"""`xylem labels`: all labels of a model, and those near to one."""
import json

from command import TINY, CommandTest
from names_test import shifted

# Three and three of the first six labels go together; chess is always alone, and no row has the last.
NAMES = ["cooking", "baking", "eating", "sailing", "racing", "rowing", "chess", "nothing"]
ROWS = ["0,1,2 0:1 1:0.5", "0,1,2 0:0.8 2:0.1", "0,1,2 1:1", "3,4,5 3:0.9 1:0.1", "3,4,5 3:1 4:0.2", "3,4,5 3:0.4 4:0.4",
        "2,5 0:1 3:1", "6 5:1"]
COUNTS = [3, 3, 4, 3, 3, 4, 1, 0]
SMALL = ["--method", "dxml", "--set", "dim=4", "--set", "hidden=4", "--set", "epochs=2", "--set", "k=3"]


class Labels(CommandTest):
    def trained(self, names=None, model="m.xylem", rows=ROWS, first=0):
        self.write("train.txt", f"{len(ROWS)} 6 8\n" + "\n".join(rows) + "\n")
        if names:
            self.write("names.tsv", "".join(f"{label}\t{name}\n" for label, name in enumerate(names)))
        self.xylem("train", "-q", "-i", "train.txt", "-m", model, *SMALL, "--first-id", first,
                   *(["--label-names", "names.tsv"] if names else []))
        return model

    def near(self, model, name, *options):
        out = self.xylem("labels", "-m", model, "--near", name, *options).out
        return [line.split("\t") for line in out.splitlines()]

    def test_are_listed_with_their_training_rows(self):
        result = self.xylem("labels", "-m", self.trained(NAMES))
        self.assertEqual(result.out, "".join(f"{name}\t{rows}\n" for name, rows in zip(NAMES, COUNTS)))
        self.assertEqual(result.err, "")
        out = self.xylem("labels", "-m", "m.xylem", "--json").out
        self.assertEqual([json.loads(line) for line in out.splitlines()],
                         [{"label": name, "training_rows": rows} for name, rows in zip(NAMES, COUNTS)])

    def test_without_names_have_the_numbers_of_the_data(self):
        for first, rows in enumerate((ROWS, shifted(ROWS))):
            model = self.trained(model=f"{first}.xylem", rows=rows, first=first)
            self.assertEqual(self.xylem("labels", "-m", model).out,
                             "".join(f"{label}\t{count}\n" for label, count in enumerate(COUNTS, first)))
            self.assertEqual(self.xylem("labels", "-m", model, "--json").out.splitlines()[2],
                             '{"label":%d,"training_rows":4}' % (2 + first))
            self.assertEqual(self.near(model, first, "-k", 1)[0][0], str(2 + first))

    def test_of_any_method_are_listed(self):
        for method in ("parabel", "knn", "popular"):
            model = self.train_tiny(method + ".xylem", TINY, method)
            self.assertEqual(self.xylem("labels", "-m", model).out, "0\t3\n1\t3\n2\t3\n3\t2\n", method)

    def test_near_to_one_are_the_nearest_first(self):
        model = self.trained(NAMES)
        near = self.near(model, "cooking")
        self.assertEqual([name for name, _ in near[:2]], ["eating", "baking"])
        # The label itself is left out, and so are those that share no row with another.
        self.assertEqual(sorted(name for name, _ in near), sorted(NAMES[1:6]))
        cosines = [float(cosine) for _, cosine in near]
        self.assertEqual(cosines, sorted(cosines, reverse=True))
        for name, cosine in near:
            self.assertRegex(cosine, r"^-?[01]\.\d{4}$")
            self.assertIn(["cooking", cosine], self.near(model, name))
        self.assertEqual(self.near(model, "cooking", "-k", 2), near[:2])
        entry = self.xylem("labels", "-m", model, "--near", "cooking", "--json").json
        self.assertEqual(list(entry), ["label", "training_rows", "near"])
        self.assertEqual((entry["label"], entry["training_rows"]), ("cooking", 3))
        self.assertEqual([[part["label"], f"{part['cosine']:.4f}"] for part in entry["near"]], near)

    def test_near_to_one_that_never_met_another_are_not_known(self):
        model = self.trained(NAMES)
        for options in ([], ["--json"]):
            result = self.fails(2, r"--near: the model knows no label near to 'nothing': it has no training row",
                                "labels", "-m", model, "--near", "nothing", *options)
            self.assertEqual(result.out, "")
            self.fails(2, r"near to 'chess': it has no training row that ties it to another",
                       "labels", "-m", model, "--near", "chess", *options)

    def test_near_to_a_shared_name_are_given_for_each(self):
        plain = self.trained(NAMES)
        shared = self.trained(["food", "baking", "eating", "food", "racing", "rowing", "food", "nothing"], model="shared.xylem")
        expected = []
        for name in ("cooking", "sailing"):  # chess has no label near to it
            lines = self.xylem("labels", "-m", plain, "--near", name).out
            expected.append(lines.replace("cooking", "food").replace("sailing", "food"))
        result = self.xylem("labels", "-m", shared, "--near", "food")
        self.assertEqual(result.out, "\n".join(expected))
        self.assertEqual(result.err, "2 labels are called 'food': the labels near to each, with an empty line between\n")
        result = self.xylem("labels", "-m", shared, "--near", "food", "--json")
        self.assertEqual([json.loads(line)["label"] for line in result.out.splitlines()], ["food", "food"])
        self.assertEqual(result.err, "")

    def test_need_a_model_with_vectors_and_a_label_that_there_is(self):
        popular = self.train_tiny()
        self.fails(2, r"models of popular have no label vectors; those of dxml, mnn, glas, rank-ae have", "labels", "-m", popular, "--near", 1)
        self.fails(2, r"--near: the model has no label '4', expected a number from 0 to 3", "labels", "-m", popular, "--near", 4)
        model = self.trained(NAMES)
        self.fails(2, r"--near: the model has no label 'ches' \(did you mean 'chess'\?\)", "labels", "-m", model, "--near", "ches")
        self.fails(2, r"--near: the model has no label ''", "labels", "-m", model, "--near", "")
        self.fails(2, r"-k goes with --near", "labels", "-m", model, "-k", 3)
        for k in ("0", "-1", "x"):
            self.fails(2, r"expected a whole number", "labels", "-m", model, "--near", "chess", "-k", k)

    def test_with_odd_names_stay_on_their_lines(self):
        odd = ["a\tb", "\x1b[31mred", "ümläut 漢字", '"quoted"', "d", "e", "f", "g"]
        model = self.trained(odd)
        out = self.xylem("labels", "-m", model).out
        self.assertEqual([line.split("\t")[0] for line in out.splitlines()], ["a b", " [31mred", *odd[2:]])
        self.assertEqual([line[0] for line in self.near(model, "a\tb", "-k", 2)], ["ümläut 漢字", " [31mred"])
        out = self.xylem("labels", "-m", model, "--json").out
        self.assertEqual([json.loads(line)["label"] for line in out.splitlines()], odd)
