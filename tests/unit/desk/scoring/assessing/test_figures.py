"""Figures of reviewed checks: the sample apart, all with intervals, nothing where nothing is."""

import json

import pytest

from analysis.engine.codec import decode, encode
from desk.scoring.assessing.figures import document
from desk.scoring.assessing.stored import Reviewed
from tests.unit.desk.scoring.scored import scored


def one(at: int, *, label: bool, flagged: bool, sampled: bool = True) -> Reviewed:
    """Return an answer with a score that says as much as the action."""
    scored_answer = scored(
        label, 0.9 if flagged else 0.1, flagged=flagged, blocked=flagged, source=f"s{at}",
        words=0.0, not_checked=("nli: error",) if at == 0 else (),
    )  # fmt: skip
    return Reviewed(scored_answer, 0.1 if sampled else None)


def some() -> list[Reviewed]:
    """Return drawn answers (8 tp, 4 fp, 36 tn, 2 fn) and 30 that were only flagged, and rightly."""
    kinds = [(True, True)] * 8 + [(False, True)] * 4 + [(False, False)] * 36 + [(True, False)] * 2
    sampled = [one(at, label=bad, flagged=flagged) for at, (bad, flagged) in enumerate(kinds)]
    return sampled + [one(100 + n, label=True, flagged=True, sampled=False) for n in range(30)]


def test_the_sample_and_all_are_told_apart() -> None:
    figures = document(some(), rounds=200)
    sample, everything = figures["quality_sample"], figures["all"]
    assert (sample["n"], sample["at_fault"], everything["n"]) == (50, 10, 80)
    flagged = sample["flagged"]
    assert [flagged[name] for name in ("tp", "fp", "tn", "fn")] == [8, 4, 36, 2]
    assert flagged["precision"]["value"] == pytest.approx(8 / 12)
    assert flagged["recall"]["value"] == pytest.approx(0.8)
    assert flagged["false_alarms"]["value"] == pytest.approx(0.1)
    assert flagged["balanced_accuracy"]["value"] == pytest.approx(0.85)
    # What the desk sees of flagged answers makes the verdicts look better than they are.
    assert everything["flagged"]["recall"]["value"] > 0.9
    assert sample["probabilities"] == [0.1, 0.1]
    assert (sample["not_checked"], sample["models"]) == ({"nli: error": 1}, ["m"])


def test_each_figure_lies_in_its_interval() -> None:
    sample = document(some(), rounds=200)["quality_sample"]
    figures = [sample["auroc"], *(
        sample["flagged"][name]
        for name in ("precision", "recall", "false_alarms", "balanced_accuracy")
    )]  # fmt: skip
    for figure in figures:
        assert figure["low"] < figure["value"] < figure["high"]
    assert sample["auroc"]["value"] == pytest.approx(0.85)
    bins = sample["calibration"]["bins"]
    assert [(b["n"], round(b["share"], 3)) for b in bins] == [(38, 0.053), (12, 0.667)]


def test_where_a_class_is_missing_nothing_is_made_up() -> None:
    figures = document([one(1, label=False, flagged=False, sampled=False)], rounds=50)
    assert figures["quality_sample"] is None
    assert figures["all"]["auroc"] is None
    flagged = figures["all"]["flagged"]
    assert flagged["precision"] is flagged["recall"] is flagged["balanced_accuracy"] is None
    assert document([], rounds=50) == {"quality_sample": None, "all": None}


def test_kept_between_two_slices_without_loss() -> None:
    payload = json.loads(json.dumps([encode(row) for row in some()]))
    assert [decode(Reviewed, row) for row in payload] == some()
