# SPDX-License-Identifier: Apache-2.0
"""Model files: never overwritten by accident, never trusted, the same bytes whatever the number of threads."""
import json
import os
import random
import stat

from command import TINY, CommandTest, random_rows, with_header


class Overwriting(CommandTest):
    def test_is_refused_and_leaves_the_old_model_as_it_was(self):
        self.train_tiny()
        before = self.read("tiny.xylem")
        self.fails(2, r"tiny.xylem exists already; --force replaces it",
                   "train", "-i", "tiny.txt", "-m", "tiny.xylem", "--method", "knn", "--set", "k=1")
        self.assertEqual(self.read("tiny.xylem"), before)
        self.assertEqual(self.files(), ["tiny.txt", "tiny.xylem"])

    def test_is_refused_before_any_reading(self):
        self.train_tiny()
        self.write("bad.txt", "x\n")
        self.fails(2, r"exists already", "train", "-i", "bad.txt", "-m", "tiny.xylem")

    def test_of_what_is_read_is_refused_even_with_force(self):
        self.train_tiny("m.xylem")
        before = self.read("tiny.txt"), self.read("m.xylem")
        refused = "is what is read: write to another file"
        self.fails(2, f"tiny.txt {refused}", "train", "-i", "tiny.txt", "-m", "tiny.txt", "--force")
        predict = ["predict", "-m", "m.xylem", "-i", "tiny.txt", "--force", "-o"]
        self.fails(2, f"tiny.txt {refused}", *predict, "tiny.txt")
        self.fails(2, f"m.xylem {refused}", *predict, "./m.xylem")
        self.assertEqual((self.read("tiny.txt"), self.read("m.xylem")), before)

    def test_of_any_of_several_inputs_is_refused_even_with_force(self):
        self.train_tiny("m.xylem", method="knn")
        for name in ("a.txt", "b.txt"):
            self.write(name, self.read("tiny.txt"))
        self.write("c.toml", 'method = "popular"\n')
        refused = "is what is read: write to another file"
        several = ["-i", "a.txt", "-i", "b.txt", "--force"]
        self.fails(2, f"b.txt {refused}", "train", *several, "-m", "b.txt")
        self.fails(2, f"c.toml {refused}", "train", *several, "-m", "c.toml", "--config", "c.toml")
        self.fails(2, f"b.txt {refused}", "learn", *several, "-m", "m.xylem", "-o", "b.txt")
        self.fails(2, f"b.txt {refused}", "predict", *several, "-m", "m.xylem", "-o", "b.txt")
        self.assertEqual(self.read("b.txt"), self.read("tiny.txt"))

    def test_of_tables_and_of_what_is_converted_is_refused_too(self):
        for name in ("m.xylem", "other.xylem"):
            self.train_tiny(name)
        self.xylem("predict", "-q", "-m", "m.xylem", "-i", "tiny.txt", "-o", "p.txt")
        self.write("names.txt", "a\nb\nc\nd\n")
        for name in ("truth.txt", "train.txt"):
            self.write(name, self.read("tiny.txt"))
        self.write("p2.txt", self.read("p.txt"))
        self.write("texts.jsonl", '{"text": "bake bread", "labels": ["cooking"]}\n' * 4)
        self.xylem("train", "-q", "-i", "texts.jsonl", "-m", "texts.xylem", "--method", "popular")
        before = {name: self.read(name) for name in self.files()}
        model = ["eval", "-m", "m.xylem", "-i", "tiny.txt", "--versus-model", "other.xylem"]
        files = ["eval", "--predictions", "p.txt", "--truth", "truth.txt", "--train", "train.txt", "--versus", "p2.txt"]
        names = [*files, "--label-names", "names.txt"]
        second_names = [*files, "--versus-label-names", "names.txt"]
        texts = ["convert", "-i", "texts.jsonl", "--to", "xmlrepo", "-m", "texts.xylem", "-o"]
        for arguments, read in ((model, ("m.xylem", "tiny.txt", "other.xylem")),
                                (files, ("p.txt", "truth.txt", "train.txt", "p2.txt")),
                                (names, ("names.txt",)), (second_names, ("names.txt",))):
            for name in read:
                self.fails(2, f"{name} is what is read: write to another file", *arguments, "--per-label", name, "--force")
        for name in ("texts.jsonl", "texts.xylem"):
            for output in ([name], ["o", "--write-label-names", name], ["o", "--write-features", name]):
                self.fails(2, f"{name} is what is read: write to another file", *texts, *output, "--force")
        self.fails(2, "names.txt is what is read: write to another file", "convert", "-i", "texts.jsonl", "--to", "csv",
                   "--label-names", "names.txt", "-o", "names.txt", "--force")
        self.assertEqual({name: self.read(name) for name in self.files()}, before)

    def test_of_predictions_does_not_begin_in_what_is_read(self):
        self.train_tiny("m.xylem")
        for name in ("x.part", "x.part.state"):
            self.write(name, self.read("tiny.txt"))
            for arguments in (["-i", name], ["-i", "tiny.txt", "--only", name]):
                self.fails(2, rf"-o x is written as {name} until it is complete, and that is what is read: write to another",
                           "predict", "-m", "m.xylem", *arguments, "-o", "x", "--force")
            self.assertEqual(self.read(name), self.read("tiny.txt"))
        self.xylem("predict", "-q", "-m", "m.xylem", "-i", "x.part", "-o", "y")

    def test_is_done_with_force(self):
        self.train_tiny()
        self.xylem("train", "-i", "tiny.txt", "-m", "tiny.xylem", "--method", "knn", "--set", "k=1", "--force")
        self.assertEqual(self.xylem("info", "tiny.xylem", "--json").json["method"], "knn")
        self.assertEqual(self.files(), ["tiny.txt", "tiny.xylem"])

    def test_does_not_happen_when_training_fails(self):
        self.train_tiny()
        before = self.read("tiny.xylem")
        self.write("bad.txt", "x\n")
        self.xylem("train", "-i", "bad.txt", "-m", "tiny.xylem", "--force", code=3)
        self.assertEqual(self.read("tiny.xylem"), before)

    def test_of_predictions_and_tables_needs_force_too(self):
        self.train_tiny()
        self.write("out.txt", "mine\n")
        predict = ["predict", "-m", "tiny.xylem", "-i", "tiny.txt", "-o", "out.txt"]
        table = ["eval", "-m", "tiny.xylem", "-i", "tiny.txt", "--per-label", "out.txt"]
        for command in (predict, table):
            self.fails(2, r"out.txt exists already; --force replaces it", *command)
            self.assertEqual(self.read("out.txt"), b"mine\n")
        for command in (predict, table):
            self.xylem(*command, "--force")
            self.assertNotEqual(self.read("out.txt"), b"mine\n")

    def test_a_model_goes_into_a_file_of_its_own(self):
        self.write("tiny.txt", TINY)
        self.fails(2, r"a model needs a file of its own", "train", "-i", "tiny.txt", "-m", "-")
        self.fails(2, r"a model needs a file of its own", "train", "-i", "tiny.txt", "-m", "/dev/null")


class LinksAndPermissions(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("tiny.txt", TINY)
        self.write("bad.txt", "x\n")  # exit 3 if it were read
        os.mkdir(self.path("store"))

    def link(self, target, name="m.xylem"):
        os.symlink(target, self.path(name))

    def train(self, *options, data="tiny.txt", **others):
        return self.xylem("train", "-q", "-i", data, "-m", "m.xylem", "--method", "popular", *options, **others)

    def mode(self, name):
        return stat.S_IMODE(os.stat(self.path(name)).st_mode)

    def test_a_link_stays_one_and_what_it_names_is_written(self):
        self.link("store/one.xylem")
        self.train()  # there is no such file yet
        self.assertEqual(os.readlink(self.path("m.xylem")), "store/one.xylem")
        first = self.read("store/one.xylem")
        self.train(code=2)
        self.train("--force", "--seed", "2")
        self.assertEqual(os.readlink(self.path("m.xylem")), "store/one.xylem")
        self.assertNotEqual(self.read("store/one.xylem"), first)
        self.assertEqual(os.listdir(self.path("store")), ["one.xylem"])

    def test_a_link_to_a_link_is_followed_to_the_end(self):
        os.mkdir(self.path("elsewhere"))
        self.link(self.path("store/two"))
        self.link("../elsewhere/model", "store/two")
        self.train()
        self.assertEqual((os.listdir(self.path("elsewhere")), os.listdir(self.path("store"))), (["model"], ["two"]))

    def test_a_link_that_cannot_be_written_is_refused_before_training(self):
        self.link("nowhere/model")
        for options in ([], ["--force"]):
            result = self.train(*options, data="bad.txt", code=5)
            self.assertIn("cannot write m.xylem, a link to nowhere/model: No such file or directory", result.err)
        os.remove(self.path("m.xylem"))
        self.link("m.xylem")
        self.assertIn("cannot write m.xylem: ", self.train(data="bad.txt", code=5).err)

    def test_permissions_of_a_replaced_file_stay(self):
        self.train()
        for mode in (0o600, 0o640, 0o664):
            os.chmod(self.path("m.xylem"), mode)
            self.train("--force")
            self.assertEqual(self.mode("m.xylem"), mode)
        self.xylem("predict", "-m", "m.xylem", "-i", "tiny.txt", "-o", "p.txt")
        os.chmod(self.path("p.txt"), 0o600)
        self.xylem("predict", "-m", "m.xylem", "-i", "tiny.txt", "-o", "p.txt", "--force")
        self.assertEqual(self.mode("p.txt"), 0o600)

    def test_a_new_file_has_those_that_the_user_gives_new_files(self):
        for mask in (0o022, 0o077):
            self.train("--force", preexec=lambda: os.umask(mask))
            self.assertEqual(self.mode("m.xylem"), 0o666 & ~mask)
            os.remove(self.path("m.xylem"))


class DamagedModels(CommandTest):
    def setUp(self):
        super().setUp()
        self.train_tiny(method="knn")
        self.good = self.read("tiny.xylem")

    def refuse(self, content, pattern):
        self.write("bad.xylem", content)
        for verb in (["predict", "-i", "tiny.txt"], ["explain", "-i", "tiny.txt"], ["eval", "-i", "tiny.txt"], ["info"],
                     ["info", "--verify"], ["labels"], ["learn", "-i", "tiny.txt", "-o", "no.xylem"]):
            result = self.fails(4, pattern, *verb, "-m", "bad.xylem")
            self.assertEqual(result.out, "")

    def test_a_changed_byte_is_noticed_wherever_it_is(self):
        draw = random.Random(1)
        for _ in range(25):
            at = draw.randrange(len(self.good))
            changed = bytearray(self.good)
            changed[at] ^= 1 << draw.randrange(8)
            self.write("bad.xylem", bytes(changed))
            self.fails(4, r"bad.xylem: ", "info", "--verify", "bad.xylem")
        changed = bytearray(self.good)
        changed[-1] ^= 1
        self.refuse(bytes(changed), r"bad.xylem: damaged: its checksum is [0-9a-f]{16}, the content gives")

    def test_a_cut_file_is_noticed_wherever_it_ends(self):
        for size in (0, 1, 7, 8, 9, 64, len(self.good) // 2, len(self.good) - 1):
            self.write("bad.xylem", self.good[:size])
            self.fails(4, r"bad.xylem: ", "info", "bad.xylem")
        self.refuse(self.good[:-1], r"bad.xylem: damaged")

    def test_a_file_with_something_behind_is_noticed(self):
        self.refuse(self.good + b"\0", r"bad.xylem: damaged")

    def test_foreign_files_are_no_models(self):
        self.refuse(TINY.encode(), r"bad.xylem: not a xylem model")
        header = json.dumps({"__metadata__": {"format": "pt"},
                             "w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})
        header += " " * (-(8 + len(header)) % 64)
        foreign = len(header).to_bytes(8, "little") + header.encode() + b"\0" * 4
        self.refuse(foreign, r"bad.xylem: not a xylem model: its format is 'pt'")

    def test_a_newer_model_is_refused_with_both_versions(self):
        newer = self.good.replace(b'"format_version":"1"', b'"format_version":"7"')
        self.assertNotEqual(newer, self.good)
        self.refuse(newer,
                    r"bad.xylem: written by a newer version of xylem: its format is 7, this program reads up to 1")


class SameSeedSameBytes(CommandTest):
    def setUp(self):
        super().setUp()
        lines = random_rows(1500)
        self.write("train.txt", with_header(lines[:1200]))
        self.write("test.txt", with_header(lines[1200:]))

    def models(self, *options):
        models = []
        for threads in (1, 2, 3):
            self.xylem("train", "-q", "-i", "train.txt", "-m", f"{threads}.xylem", "--force", "-j", threads, *options)
            models.append(self.read(f"{threads}.xylem"))
        return models

    def test_whatever_the_number_of_threads(self):
        for options in ([], ["--valid", "0.2"], ["--valid", "test.txt"], ["--method", "popular"], ["--method", "knn", "--set", "k=7"],
                        ["--seed", "5", "--no-refit"]):
            with self.subTest(" ".join(options)):
                first, second, third = self.models(*options)
                self.assertEqual(first, second)
                self.assertEqual(first, third)

    def test_predictions_and_figures_do_not_depend_on_threads(self):
        self.models("--method", "knn", "--set", "k=7")
        predict = [self.xylem("predict", "-m", "1.xylem", "-i", "test.txt", "-j", threads).out for threads in (1, 2, 3)]
        self.assertEqual(predict[0], predict[1])
        self.assertEqual(predict[0], predict[2])

        def figures(threads):
            result = self.xylem("eval", "-m", "1.xylem", "-i", "test.txt", "--json", "-j", threads).json
            return {name: value for name, value in result.items() if not name.startswith(("load", "predict"))}
        self.assertEqual(figures(1), figures(3))

    def test_another_seed_holds_out_other_rows(self):
        cards = []
        for seed in (1, 2):
            self.xylem("train", "-q", "-i", "train.txt", "-m", f"{seed}.xylem", "--valid", "0.2", "--seed", seed)
            cards.append(self.xylem("info", f"{seed}.xylem", "--json").json["card"])
        self.assertEqual(cards[0]["data"], cards[1]["data"])
        self.assertNotEqual(cards[0]["validation"], cards[1]["validation"])
