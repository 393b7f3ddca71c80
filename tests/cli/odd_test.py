# SPDX-License-Identifier: Apache-2.0
"""Files as people have them: each is read as it is meant, or refused with a sentence that says what to do. What is to
come of them stands in tests/data/odd/table.json; `python3 odd_test.py` prints the table of docs/data-format.md."""
import json
from pathlib import Path

from command import CommandTest

ROOT = Path(__file__).resolve().parents[2]
ODD = ROOT / "tests" / "data" / "odd"
TABLE = json.loads((ODD / "table.json").read_text())


def in_table(text):
    return text.replace("|", "\\|")


def outcome(case):
    if "exit" in case:
        return f"refused: {case['says']}"
    return "read" + (f"; said: {case['says']}" if case["says"] else "")


def document():
    """The table as Markdown."""
    lines = ["| file | what it has | what happens |", "|---|---|---|"]
    for case in TABLE:
        options = "".join(f" `{option}`" for option in [" ".join(case.get("options", []))] if option)
        lines.append(f"| `{case['file']}`{in_table(options)} | {in_table(case['odd'])} | {in_table(outcome(case))} |")
    return "\n".join(lines) + "\n"


class OddFiles(CommandTest):
    def check_rows(self, case):
        result = self.xylem("convert", "-i", ODD / case["file"], "-o", "-", "--to", "jsonl", *case.get("options", []))
        found = [json.loads(line) for line in result.out.splitlines()]
        self.assertEqual(found, case["rows"], case["file"])
        self.check_said(case, result.err)

    def check_sparse(self, case):
        result = self.xylem("convert", "-i", ODD / case["file"], "-o", "-", "--to", "libsvm")
        self.assertEqual(len(result.out.splitlines()), case["sparse_rows"], case["file"])
        self.check_said(case, result.err)

    def check_said(self, case, err):
        if case["says"]:
            self.assertIn(case["says"], err, case["file"])
        else:  # nothing but what was written
            self.assertRegex(err, r"\Awrote -, \d+ texts\n\Z", case["file"])

    def test_are_read_as_meant_or_refused_with_a_way_out(self):
        for case in TABLE:
            with self.subTest(file=case["file"], options=case.get("options")):
                if "exit" in case:
                    result = self.xylem("convert", "-i", ODD / case["file"], "-o", "-", "--to", "jsonl",
                                        *case.get("options", []), code=case["exit"])
                    self.assertIn(case["says"], result.err)
                    self.assertEqual(result.out, "")
                elif "rows" in case:
                    self.check_rows(case)
                else:
                    self.check_sparse(case)

    def test_are_at_least_fifty_and_all_in_the_table(self):
        listed = {case["file"] for case in TABLE}
        self.assertEqual(listed, {path.name for path in ODD.iterdir()} - {"table.json"})
        self.assertGreaterEqual(len(listed), 50)

    def test_are_in_the_documents(self):
        self.assertIn(document(), (ROOT / "docs" / "data-format.md").read_text())


if __name__ == "__main__":
    print(document(), end="")
