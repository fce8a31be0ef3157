"""Thresholds come from other data, and fitted rows are refused."""

import pytest

from desk.scoring.configuration import DEFAULT, Configuration
from desk.scoring.rows import row_of
from desk.scoring.thresholds import NONE_CHOSEN
from tests.unit.desk.scoring.scored import scored
from tools.evaluation.answers import fit
from tools.evaluation.answers.fit import Fit, FitFile, Manifest, hashes, write_manifest
from tools.evaluation.answers.measuring import (
    FittedRowsError,
    MeasuredFile,
    Part,
    gain_of,
    parts_of,
    pools_of,
    thresholds_for,
    unseen,
)
from tools.evaluation.answers.sets import LabelledFile

FIT = Fit(NONE_CHOSEN, {})


def file(name: str, *answers: str) -> LabelledFile:
    raws = [{"response": answer, "context": ["c"], "label": 0} for answer in answers]
    return LabelledFile(name, tuple(row_of(at, raw) for at, raw in enumerate(raws, 1)))


def fit_on(*rows: dict) -> FitFile:
    row_hashes = tuple(item for row in rows for item in hashes(row))
    return FitFile({}, (), "all", FIT, {}, row_hashes)


def test_a_file_is_judged_by_thresholds_of_the_others() -> None:
    a = MeasuredFile(file("a"), [scored(True, 0.9, source="1"), scored(False, 0.5, source="1")])
    b = MeasuredFile(file("b"), [scored(True, 0.3, source="2"), scored(False, 0.1, source="2")])
    first, second = thresholds_for([a, b], None)
    assert first.everything.f1 == pytest.approx(0.2), "of b"
    assert second.everything.f1 == pytest.approx(0.7), "of a"


def test_what_rests_on_a_shared_source_takes_no_part() -> None:
    a = MeasuredFile(file("a"), [scored(True, 0.9, source="1"), scored(False, 0.5, source="1")])
    shared = scored(False, 0.8, source="1")
    b = MeasuredFile(
        file("b"), [scored(True, 0.3, source="2"), scored(False, 0.1, source="2"), shared]
    )
    first, _ = thresholds_for([a, b], None)
    assert first.everything.f1 == pytest.approx(0.2)


def test_a_single_file_has_no_other_data() -> None:
    single = MeasuredFile(file("a"), [scored(True, 0.9)])
    assert thresholds_for([single], None) == [None]
    assert thresholds_for([single], FIT) == [FIT]


def test_rows_that_were_fitted_on_are_refused_or_left_out() -> None:
    ours = file("a", "seen", "new")
    fit = fit_on({"response": "seen", "context": ["c"]})
    with pytest.raises(FittedRowsError, match="a: 1 of 2 rows were used to fit these thresholds"):
        unseen(ours, [fit], DEFAULT, drop=False)
    rest = unseen(ours, [fit], DEFAULT, drop=True)
    assert [row.submission.answer for row in rest.rows] == ["new"]
    assert unseen(file("b", "new"), [fit], DEFAULT, drop=False) == file("b", "new")
    with pytest.raises(FittedRowsError, match="every row"):
        unseen(file("a", "seen"), [fit], DEFAULT, drop=True)


def test_what_ships_fitted_counts_where_it_is_used(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(fit, "SHIPPED", tmp_path)
    row_hashes = hashes({"response": "seen", "context": ["c"]})
    write_manifest(tmp_path / "m.json", Manifest("the model", {"NLI_MODEL": "small"}, row_hashes))
    ours = file("a", "seen", "new")
    small = Configuration("e", {"NLI_MODEL": "small"})
    with pytest.raises(FittedRowsError, match="1 of 2 rows were used to fit the model"):
        unseen(ours, [], small, drop=False)
    assert unseen(ours, [], Configuration("l", {"NLI_MODEL": "lexical"}), drop=False) == ours


def test_a_file_with_two_tasks_has_three_parts() -> None:
    rows = [scored(True, 0.9), scored(False, 0.1), scored(True, 0.4, task="summary")]
    parts = parts_of(MeasuredFile(file("a"), rows), None, by_task=False)
    assert [(part.task, len(part.rows)) for part in parts] == [
        ("all", 3),
        ("qa", 2),
        ("summary", 1),
    ]
    assert len(parts_of(MeasuredFile(file("a"), rows[:2]), None, by_task=False)) == 1


def test_thresholds_of_a_task_are_used_when_asked_for() -> None:
    rows = [scored(True, 0.9), scored(False, 0.1)]
    scored_file = MeasuredFile(file("a"), rows)
    thresholds = thresholds_for(
        [scored_file, MeasuredFile(file("b"), [scored(True, 0.5, source="z")])], None
    )
    assert thresholds[0] is not None
    (own,) = parts_of(scored_file, thresholds[0], by_task=True)
    assert own.thresholds == thresholds[0].by_task["qa"]


def test_two_configurations_are_compared_row_by_row() -> None:
    labels = [True, False, True, False]
    first, second = (
        Part("a", "all", [scored(x, score(x), source=str(at)) for at, x in enumerate(labels)], None)
        for score in (lambda _: 0.5, float)
    )
    gain = gain_of(first, second, 50)
    assert (gain.value, gain.low, gain.high) == (0.5, 0.5, 0.5)


def test_files_are_pooled_by_the_beginning_of_their_names_and_all_together() -> None:
    names = ("rag.train", "rag_records.dev", "wice.dev")
    files = [MeasuredFile(file(name, name), [scored(True, 0.5, source=name)]) for name in names]
    rag, everything = pools_of(files, ["rag"], None)
    assert (rag.name, [row.source for row in rag.rows]) == ("rag*", [*names[:2]])
    assert [row.source for row in everything.rows] == [*names]
    assert pools_of(files[:1], [], None) == [], "a single file is all answers already"
