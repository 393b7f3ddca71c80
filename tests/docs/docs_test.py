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
SET_UP = ("./test", "cmake ", "export ")  # what made the program that is tested here


def sessions(document):
    """Commands with the output shown below them, from the blocks marked `console`."""
    for block in re.findall(r"```console\n(.*?)```", document, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def comparable(text):
    """Without times, and scores to four digits: the last ones are the compiler's."""
    text = re.sub(r"\d+\.\d+ (s|CPU ms)\b", r"# \1", text).rstrip()
    return re.sub(r"\d\.\d{5,}(e-\d+)?", lambda found: f"{float(found[0]):.4f}", text)


def in_table(text):
    return text.replace("|", "\\|")


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

    def test_every_method_and_option_has_its_place_in_the_docs(self):
        text = (ROOT / "docs" / "methods.md").read_text()
        listed = json.loads(subprocess.run([BINARY, "methods", "--json"], capture_output=True, check=True).stdout)
        sections = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
        self.assertEqual(sections, [method["name"] for method in listed])
        for method in listed:
            for option in method["options"]:
                values = ", ".join(part for part in (option["type"], option["range"]) if part)
                row = f"| `{option['name']}` | {option['default']} | {in_table(values)} | {option['help']} |"
                self.assertIn(row, text)

    def test_every_option_of_texts_has_its_place_in_the_docs(self):
        text = (ROOT / "docs" / "data-format.md").read_text()
        printed = subprocess.run([BINARY, "methods"], capture_output=True, check=True, text=True).stdout
        options = re.findall(r"^  (text\.\w+) = (.*?)  \((.*?)\) (.*)$", printed, flags=re.MULTILINE)
        self.assertTrue(options)
        for name, default, values, meaning in options:
            self.assertIn(f"| `{name}` | {default} | {in_table(values)} | {meaning} |", text)

    def test_links_between_documents_lead_somewhere(self):
        for document in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("bench/*.md")]:
            for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
                self.assertTrue((document.parent / target).exists(), f"{document.name}: {target}")


if __name__ == "__main__":
    unittest.main()
