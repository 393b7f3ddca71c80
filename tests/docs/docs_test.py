# SPDX-License-Identifier: Apache-2.0
"""The documents are true: the commands of README and tutorial print what they say, and the tables of options are the program's."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ["XYLEM_BINARY"])
SET_UP = ("./demo", "./test", "cmake ", "export ")  # what made the program that is tested here, or needs a network
LONGEST_IN_README = 10  # lines of a transcript


def sessions(document):
    """Commands with the output shown below them, from the blocks marked `console`."""
    for block in re.findall(r"```console\n(.*?)```", document, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def comparable(text):
    """Without times, and scores to four digits: the last ones are the compiler's."""
    text = re.sub(r"\d+\.\d+ (s|ms)\b", r"# \1", text).rstrip()
    return re.sub(r"\d\.\d{5,}(e-\d+)?", lambda found: f"{float(found[0]):.4f}", text)


def headings(document):
    """As links name them."""
    titles = re.findall(r"^#+ (.*)$", document.read_text(), flags=re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]


def in_table(text):
    return text.replace("|", "\\|")


def printed(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, check=True, text=True).stdout


def described_methods():
    return json.loads(printed("methods", "--json"))


def lists_of(names, text):
    """Two names in a row may be any two; three or more are a list."""
    name = "`(?:" + "|".join(map(re.escape, names)) + ")`"
    for found in re.finditer(rf"{name}(?:(?:,| and| or|, and|, or)\s+{name}){{2,}}", text):
        yield set(re.findall(r"`(.*?)`", found[0]))


class Documents(unittest.TestCase):
    maxDiff = None

    def check_commands(self, document):
        text = document.read_text()
        commands = list(sessions(text))
        self.assertTrue(commands)
        self.assertNotRegex(text, r"(?m)^[A-Z]{4,}$")  # nothing is left to be filled in
        with tempfile.TemporaryDirectory() as folder:
            for name in ("tests", "bench"):
                Path(folder, name).symlink_to(ROOT / name)
            environment = {**os.environ, "PATH": f"{BINARY.parent}:{os.environ['PATH']}"}
            for command, expected in commands:
                if command.startswith(SET_UP):
                    continue
                result = subprocess.run(
                    command, shell=True, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                )
                self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}")
                self.assertEqual(comparable(result.stdout), comparable(expected), command)

    def test_readme_commands_print_what_the_readme_says(self):
        self.check_commands(ROOT / "README.md")

    def test_tutorial_commands_print_what_the_tutorial_says(self):
        self.check_commands(ROOT / "docs" / "tutorial.md")

    def test_readme_fits_on_two_screens(self):
        text = (ROOT / "README.md").read_text()
        self.assertLessEqual(text.count("\n"), 120)
        for block in re.findall(r"```.*?\n(.*?)```", text, re.DOTALL):
            self.assertLessEqual(block.count("\n"), LONGEST_IN_README, block)

    def test_readme_has_the_table_of_peers(self):
        report = [ROOT / "bench" / "report", "--peers", ROOT / "bench" / "peers.csv"]
        table = subprocess.run(report, capture_output=True, check=True, text=True).stdout
        self.assertIn(f"\n\n{table}\n", (ROOT / "README.md").read_text())

    def test_tutorial_shows_the_steps_that_the_demo_takes(self):
        demo = (ROOT / "demo").read_text()
        values = {"$xylem": "build/release/src/cli/xylem", "$folder": "build/demo/tags", "$task": "tags"}
        for name, value in values.items():
            demo = demo.replace(name, value)
        shown = dict(sessions((ROOT / "docs" / "tutorial.md").read_text()))["./demo"]
        steps = re.findall(r"^== .*", shown, flags=re.MULTILINE)
        self.assertEqual(steps, re.findall(r"== [^\"\n]*", demo))
        self.assertIn(shown.partition("== next\n")[2], demo)

    def test_every_document_is_on_the_map(self):
        text = (ROOT / "docs" / "README.md").read_text()
        for document in ROOT.glob("docs/*.md"):
            if document.name != "README.md":
                self.assertIn(f"]({document.name})", text)

    def test_every_command_and_exit_code_has_its_place_in_the_docs(self):
        text = (ROOT / "docs" / "commands.md").read_text()
        usage = printed("--help")
        commands = re.findall(r"^  ([a-z]+) {2}", usage.partition("Subcommands:")[2], flags=re.MULTILINE)
        self.assertIn("train", commands)
        for command in commands:
            self.assertIn(f"| `{command}` |", text)
        for code in re.findall(r"(\d+) ", usage.partition("Exit codes:")[2]):
            self.assertIn(f"| {code} |", text)

    def test_every_method_and_option_has_its_place_in_the_docs(self):
        text = (ROOT / "docs" / "methods.md").read_text()
        listed = described_methods()
        sections = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
        self.assertEqual(sections, [method["name"] for method in listed])
        for method in listed:
            for option in method["options"]:
                values = ", ".join(part for part in (option["type"], option["range"]) if part)
                row = f"| `{option['name']}` | {option['default']} | {in_table(values)} | {option['help']} |"
                self.assertIn(row, text)

    def test_lists_of_methods_are_those_of_the_program(self):
        methods = described_methods()
        names = {method["name"] for method in methods}
        learn = {method["name"] for method in methods if "learn_options" in method}
        having = {option: {method["name"] for method in methods if option in (o["name"] for o in method["options"])}
                  for option in ("epochs", "k")}
        kinds = [names, learn, names - learn, *having.values()]
        n_lists = 0
        history = ROOT / "CHANGELOG.md"
        for document in {*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")} - {history}:
            for listed in lists_of(names, document.read_text()):
                n_lists += 1
                self.assertIn(listed, kinds, document.name)
        self.assertGreater(n_lists, 5)

    def test_every_method_has_figures_on_every_data_set(self):
        text = (ROOT / "docs" / "methods.md").read_text()
        table = re.search(r"^\| data \| method .*\n(?:\|.*\n)+", text, flags=re.MULTILINE)[0]
        rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in table.splitlines()[2:]]
        by_data = {}
        for data, method in rows:
            by_data.setdefault(data or next(reversed(by_data)), set()).add(method.partition(",")[0])
        for data, names in by_data.items():
            self.assertEqual(names, {method["name"] for method in described_methods()}, data)

    def test_every_option_of_texts_has_its_place_in_the_docs(self):
        text = (ROOT / "docs" / "data-format.md").read_text()
        options = re.findall(r"^  (text\.\w+) = (.*?)  \((.*?)\) (.*)$", printed("methods"), flags=re.MULTILINE)
        self.assertTrue(options)
        for name, default, values, meaning in options:
            self.assertIn(f"| `{name}` | {default} | {in_table(values)} | {meaning} |", text)

    def test_links_between_documents_lead_somewhere(self):
        for document in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("bench/*.md")]:
            for path, heading in re.findall(r"\]\(([^)#:]*)#?([^):]*)\)", document.read_text()):
                target = document.parent / path if path else document
                self.assertTrue(target.exists(), f"{document.name}: {path}")
                if heading:
                    self.assertIn(heading, headings(target), f"{document.name}: {path}#{heading}")


if __name__ == "__main__":
    unittest.main()
