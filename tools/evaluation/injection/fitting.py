"""Fits the weights of planted requests (planted.py) and shows where to set their bias.

    python -m tools.evaluation.injection.fitting path/to/data

Only the tune half is read (samples.py says which that is). Harmless texts are those of the
injection sets, the documents and the contexts of two grounding sets; requests are the attacks of
the tune half and `requests.txt`, planted at random but repeatable places, a third without their
last mark. Each segment that asks is a row; it is positive where it lies in a planted request.
"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from scipy.special import expit  # type: ignore[import-untyped]
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from documents.injection.families import PHRASES, find
from documents.injection.folding import fold
from documents.injection.planted import WEIGHTS, askings
from documents.injection.results import THRESHOLD
from documents.injection.scanning import phrase_weight
from documents.injection.segments import page
from tools.evaluation.injection.samples import chunks, held_out, samples
from tools.evaluation.rendering import figures_table

FOLDS = 5
STRENGTH = 0.3
"""Of the data against the penalty on large weights."""
GROUNDING = ("ragtruth.train_part", "expertqa.val")
SHIFTS = (-3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0)
WATCHED = ("bipia_context.train", "piguard_wildguard", "openstax_physics", "osha_1926")
_PLANTINGS = 12
"""Harmless texts that each request is planted in."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Text:
    """A text to learn from: code points [start, end) are a planted request, if any.

    `key` decides the fold: all texts with the same request are in one. `watched` names the set
    of a real text, "" for those made here.
    """

    text: str
    key: str
    start: int = 0
    end: int = 0
    watched: str = ""

    @property
    def fold(self) -> int:
        """The fold, from 0 to FOLDS - 1."""
        return sha256(self.key.encode()).digest()[1] % FOLDS


@dataclass(frozen=True, slots=True)
class ScanFeatures:
    """The scan's view of a text before any weight: phrases' score, features, labels."""

    text: Text
    phrases: float
    rows: Floats
    planted: NDArray[np.bool_]


NAMES = tuple(name for name in WEIGHTS if name != "bias")


def texts(folder: Path) -> list[Text]:
    """Return harmless and attacked texts of the tune half, and harmless ones with a request."""
    harmless = list(_harmless(folder))
    # Our requests, and the attacks of the tune half.
    ours = Path(__file__).with_name("requests.txt").read_text(encoding="utf-8").splitlines()
    rows = (folder / "injection" / "bipia_attacks.train.jsonl").read_text(encoding="utf-8")
    theirs = [json.loads(line)["text"] for line in rows.splitlines()]
    own_requests = [line for line in ours if not line.startswith("#")]
    requests = own_requests + [attack for attack in theirs if not held_out(attack)]
    planted = [text for request in requests for text in _plantings(request, harmless)]
    return [*harmless, *_attacked(folder, requests), *planted]


def _harmless(folder: Path) -> Iterator[Text]:
    for sample in samples(folder):
        if not (sample.attack or sample.held_out or sample.group.endswith("in chunks")):
            watched = sample.group if sample.group in WATCHED else ""
            yield Text(sample.pieces[0], sample.pieces[0], watched=watched)
    for name in GROUNDING:
        for line in (folder / "grounding" / f"{name}.jsonl").open(encoding="utf-8"):
            for context in json.loads(line)["context"]:
                for piece in chunks(context):
                    if not held_out(piece):
                        yield Text(piece, piece)


def _attacked(folder: Path, requests: Sequence[str]) -> Iterator[Text]:
    """Yield the attacked documents of the tune half, with the place of their attack."""
    longest = sorted(requests, key=len, reverse=True)
    for sample in samples(folder):
        text = sample.pieces[0]
        attack = next((item for item in longest if item in text), "") if sample.attack else ""
        if attack and sample.group in WATCHED and not sample.held_out:
            at = text.index(attack)
            yield Text(text, attack, at, at + len(attack), watched=sample.group)


def _plantings(request: str, harmless: Sequence[Text]) -> Iterator[Text]:
    dice = Random(request)  # noqa: S311  repeatable, nothing secret
    for host in dice.sample(harmless, _PLANTINGS):
        places = [at + 1 for at, char in enumerate(host.text) if char in ".!?\n"]
        at = dice.choice([0, len(host.text), *places])
        wording = request if dice.random() > 1 / 3 else request.rstrip(".!?")
        before, after = dice.choice((("\n", "\n"), ("\n", "\n"), (" ", " ")))
        text = host.text[:at] + before + wording + after + host.text[at:].lstrip()
        yield Text(text, request, at + 1, at + 1 + len(wording))


def read(text: Text) -> ScanFeatures:
    folded = fold(text.text)
    cut = page(folded.text)
    hits = list(find(cut, PHRASES))
    best: dict[str, float] = {}
    for hit in hits:
        family = hit.phrase.family
        best[family] = max(best.get(family, 0.0), hit.phrase.score)
    rows, labels = [], []
    for candidate in askings(cut):
        first, last = candidate.segment.first, candidate.segment.last - 1
        start, end = folded.span(cut.tokens.starts[first], cut.tokens.ends[last])
        rows.append([candidate.features.get(name, 0.0) for name in NAMES])
        labels.append(text.start < end and start < text.end)
    shape = (len(rows), len(NAMES))
    return ScanFeatures(
        text,
        min(1.0, sum(best.values()) * phrase_weight(cut, hits)),
        np.array(rows, np.float64).reshape(shape),
        np.array(labels, np.bool_),
    )


def fit(rows: Floats, labels: NDArray[np.bool_]) -> Floats:
    """Fit a logistic regression with a squared penalty; the bias, which has none, comes last."""
    model = LogisticRegression(C=STRENGTH, tol=1e-8, max_iter=1_000).fit(rows, labels)
    weights: Floats = np.append(model.coef_[0], model.intercept_)
    return weights


def _fitted(readings: Sequence[ScanFeatures]) -> Floats:
    return fit(np.vstack([r.rows for r in readings]), np.concatenate([r.planted for r in readings]))


def unseen(readings: Sequence[ScanFeatures]) -> dict[str, list[tuple[bool, float, float]]]:
    """Return for each watched set: attacked or not, phrases' score, log-odds by unseen weights."""
    outcomes: dict[str, list[tuple[bool, float, float]]] = {name: [] for name in WATCHED}
    for fold_number in range(FOLDS):
        weights = _fitted([r for r in readings if r.text.fold != fold_number])
        for item in readings:
            if item.text.watched and item.text.fold == fold_number:
                odds = item.rows @ weights[:-1] + weights[-1]
                best = float(odds.max()) if len(odds) else -30.0
                outcomes[item.text.watched].append((item.text.end > 0, item.phrases, best))
    return outcomes


def flagged(outcomes: Sequence[tuple[bool, float, float]], shift: float, *, attack: bool) -> float:
    """Return the share of the attacked (or harmless) texts that a shifted bias flags."""
    group = [outcome for outcome in outcomes if outcome[0] is attack]
    planted = expit(np.array([best for _, _, best in group]) + shift)
    phrases = np.array([score for _, score, _ in group])
    totals = np.maximum(planted, phrases + planted / 2)
    return float((totals >= THRESHOLD).mean()) if group else 0.0


def main(arguments: Sequence[str]) -> None:
    parser = ArgumentParser(
        prog="python -m tools.evaluation.injection.fitting", description=__doc__
    )
    parser.add_argument("path", type=Path, help="folder with injection/, documents/, grounding/")
    folder = parser.parse_args(arguments).path
    console = Console(stderr=True, width=120)
    readings = [read(text) for text in track(texts(folder), "Reading", console=console)]
    outcomes = unseen(readings)
    headings = ("shift", "recall, bipia_context", *WATCHED)
    rows = []
    for shift in SHIFTS:
        recall = flagged(outcomes["bipia_context.train"], shift, attack=True)
        false = [flagged(outcomes[name], shift, attack=False) for name in WATCHED]
        rows.append((f"{shift:+.1f}", *(f"{share:.1%}" for share in (recall, *false))))
    title = "flagged by weights that did not see the text, by shift of the bias"
    console.print(figures_table(title, headings, rows))
    weights = dict(zip((*NAMES, "bias"), _fitted(readings), strict=True))
    print(json.dumps({name: round(float(weights[name]), 1) for name in sorted(weights)}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
