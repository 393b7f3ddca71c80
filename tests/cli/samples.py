# SPDX-License-Identifier: Apache-2.0
"""The same few rows in every format that xylem reads."""
import csv
import io
import json

SPARSE = ("xmlrepo", "libsvm")
TEXTS = ("fasttext", "tsv", "jsonl", "csv")
FORMATS = SPARSE + TEXTS

# Labels and text; one row has no labels, one no text.
TEXT_ROWS = [
    (["cooking", "baking"], "bake bread with flour and yeast"),
    (["cooking"], "boil salt water for the soup"),
    (["sailing"], "hoist the sail against the wind"),
    ([], "nobody knows what bread and wind have in common"),
    (["sailing", "racing"], "steer the boat before the wind and win"),
    (["racing"], ""),
    (["baking"], "yeast and flour, a little salt"),
    (["racing"], "run and win the cup"),
]
# Labels, features and values; one row has no labels, one no features.
SPARSE_ROWS = [
    ([0, 1], [(0, "1"), (1, "0.5")]),
    ([0], [(0, "0.8"), (2, "0.1")]),
    ([1], [(1, "1")]),
    ([], [(1, "0.25"), (3, "1")]),
    ([1, 2], [(1, "0.7"), (3, "0.9")]),
    ([3], []),
    ([2], [(3, "0.4"), (4, "0.4")]),
    ([0, 3], [(0, "0.3"), (5, "0.6")]),
]


def rows_of(form):
    return SPARSE_ROWS if form in SPARSE else TEXT_ROWS


def line(form, row):
    """A row as the bytes of a line, without its end."""
    labels, rest = row
    if form in SPARSE:
        return (",".join(map(str, labels)) + "".join(f" {feature}:{value}" for feature, value in rest)).encode()
    if form == "fasttext":
        return " ".join(["__label__" + label for label in labels] + [rest] * bool(rest)).encode()
    if form == "tsv":
        return (",".join(labels) + "\t" + rest).encode()
    if form == "jsonl":
        return json.dumps({"text": rest, "labels": labels}).encode()
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([",".join(labels), rest])
    return out.getvalue().encode()


def header(form, n_rows):
    return {"xmlrepo": b"%d 6 4\n" % n_rows, "csv": b"labels,text\n"}.get(form, b"")


def sample(form, rows=None):
    rows = rows_of(form) if rows is None else rows
    return header(form, len(rows)) + b"".join(line(form, row) + b"\n" for row in rows)
