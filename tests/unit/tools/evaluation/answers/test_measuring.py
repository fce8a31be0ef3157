"""Files become groups, pools and comparisons, and fitted rows are refused."""

import pytest

from desk.scoring.configuration import Configuration
from desk.scoring.rows import row_of
from tests.unit.desk.scoring.scored import scored
from tools.evaluation.answers import fit
from tools.evaluation.answers.fit import Manifest, hashes, write_manifest
from tools.evaluation.answers.measuring import (
    FittedRowsError,
    MeasuredFile,
    Part,
    gain_of,
    parts_of,
    pools_of,
    unseen,
)
from tools.evaluation.answers.sets import LabelledFile


def file(name: str, *answers: str) -> LabelledFile:
    raws = [{"response": answer, "context": ["c"], "label": 0} for answer in answers]
    return LabelledFile(name, tuple(row_of(at, raw) for at, raw in enumerate(raws, 1)))


def test_rows_that_something_was_fitted_on_are_refused_or_left_out(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(fit, "SHIPPED", tmp_path)
    row_hashes = hashes({"response": "seen", "context": ["c"]})
    write_manifest(tmp_path / "m.json", Manifest("the model", {"NLI_MODEL": "small"}, row_hashes))
    ours, small = file("a", "seen", "new"), Configuration("e", {"NLI_MODEL": "small"})
    with pytest.raises(FittedRowsError, match="a: 1 of 2 rows were used to fit the model"):
        unseen(ours, small, drop=False)
    rest = unseen(ours, small, drop=True)
    assert [row.submission.answer for row in rest.rows] == ["new"]
    assert unseen(file("b", "new"), small, drop=False) == file("b", "new")
    with pytest.raises(FittedRowsError, match="every row"):
        unseen(file("a", "seen"), small, drop=True)
    lexical = Configuration("l", {"NLI_MODEL": "lexical"})
    assert unseen(ours, lexical, drop=False) == ours, "where it is not used"


def test_a_file_with_two_tasks_has_three_parts() -> None:
    rows = [scored(True, 0.9), scored(False, 0.1), scored(True, 0.4, task="summary")]
    parts = parts_of(MeasuredFile(file("a"), rows))
    assert [(part.task, len(part.rows)) for part in parts] == [
        ("all", 3),
        ("qa", 2),
        ("summary", 1),
    ]
    assert len(parts_of(MeasuredFile(file("a"), rows[:2]))) == 1


def test_two_configurations_are_compared_row_by_row() -> None:
    labels = [True, False, True, False]
    first, second = (
        Part("a", "all", [scored(x, score(x), source=str(at)) for at, x in enumerate(labels)])
        for score in (lambda _: 0.5, float)
    )
    gain = gain_of(first, second, 50)
    assert (gain.value, gain.low, gain.high) == (0.5, 0.5, 0.5)


def test_files_are_pooled_by_the_beginning_of_their_names_and_all_together() -> None:
    names = ("rag.train", "rag_records.dev", "wice.dev")
    files = [MeasuredFile(file(name, name), [scored(True, 0.5, source=name)]) for name in names]
    rag, everything = pools_of(files, ["rag"])
    assert (rag.name, [row.source for row in rag.rows]) == ("rag*", [*names[:2]])
    assert [row.source for row in everything.rows] == [*names]
    assert pools_of(files[:1], []) == [], "a single file is all answers already"
