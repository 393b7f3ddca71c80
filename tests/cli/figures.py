# SPDX-License-Identifier: Apache-2.0
"""The figures of docs/metrics.md once more, in plain Python from the files alone: a second opinion on `xylem eval`."""
import math


def read_labels(path):
    """The label sets of a sparse file with a header, ids from 0."""
    with open(path, encoding="ascii") as file:
        next(file)
        rows = []
        for line in file:
            first = line.split(" ")[0].strip()
            rows.append(set() if ":" in first or not first else {int(label) for label in first.split(",")})
        return rows


def read_predictions(path):
    """The labels of each row, best first; equal scores stay in the order of the file."""
    with open(path, encoding="ascii") as file:
        next(file)
        rows = []
        for line in file:
            pairs = [pair.split(":") for pair in line.split()]
            rows.append([int(label) for label, score in sorted(pairs, key=lambda pair: -float(pair[1]))])
        return rows


def inverse_propensities(train, a=0.55, b=1.5):
    counts = {}
    for labels in train:
        for label in labels:
            counts[label] = counts.get(label, 0) + 1
    c = (math.log(len(train)) - 1) * (b + 1) ** a
    return lambda label: 1 + c * (counts.get(label, 0) + b) ** -a


def figures(truth, predictions, train, ks=(1, 3, 5)):
    worth = inverse_propensities(train)
    result = {}
    for k in ks:
        precision = ndcg = recall = psp = best_psp = psndcg = best_psndcg = hits = pairs = 0.0
        tallies = {}  # label: [positives, predicted, correct]
        for labels, ranking in zip(truth, predictions):
            top = ranking[:k]
            right = [label in labels for label in top]
            discounts = [1 / math.log2(rank + 1) for rank in range(1, k + 1)]
            precision += sum(right) / k
            gain = sum(d for d, hit in zip(discounts, right) if hit)
            ideal = sum(discounts[:len(labels)])
            ndcg += gain / ideal if labels else 0
            recall += sum(right) / len(labels) if labels else 0
            worths = sorted((worth(label) for label in labels), reverse=True)[:k]
            psp += sum(worth(label) for label, hit in zip(top, right) if hit)
            best_psp += sum(worths)
            psndcg += sum(worth(label) * d for label, d, hit in zip(top, discounts, right) if hit)
            best_psndcg += sum(w * d for w, d in zip(worths, discounts))
            hits += sum(right)
            pairs += len(top) + len(labels)
            for label in labels | set(top):
                tally = tallies.setdefault(label, [0, 0, 0])
                tally[0] += label in labels
                tally[1] += label in top
                tally[2] += label in labels and label in top
        n = len(truth)
        in_truth = [tally for tally in tallies.values() if tally[0] > 0]
        result[f"P@{k}"] = precision / n
        result[f"nDCG@{k}"] = ndcg / n
        result[f"PSP@{k}"] = psp / best_psp
        result[f"PSnDCG@{k}"] = psndcg / best_psndcg
        result[f"R@{k}"] = recall / n
        result[f"microF1@{k}"] = 2 * hits / pairs
        result[f"macroF1@{k}"] = sum(2 * c / (p + q) for p, q, c in tallies.values()) / len(tallies)
        result[f"coverage@{k}"] = sum(c > 0 for _, _, c in in_truth) / len(in_truth)
    return {name: 100 * value for name, value in result.items()}
