"""Thresholds in a file, and files that are none."""

import json
from pathlib import Path

import pytest

from desk.scoring.thresholds import Thresholds
from tests.unit.desk.scoring.scored import scored
from tools.evaluation.answers.fit import Fit, FitError, FitFile, fit_all, read, write

ONE = Thresholds(0.1, 0.2, None, 0.4, 0.5)
TWO = Thresholds(0.6, None, 0.7, None, None)
KEPT = FitFile(
    {"settings": {}, "policy": {}}, ("m",), "tune", Fit(ONE, {"qa": TWO}), {"f": 2}, ("b",)
)


def test_a_fit_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    write(tmp_path / "t.json", KEPT)
    assert read(tmp_path / "t.json") == KEPT


def test_a_task_that_was_not_seen_has_the_common_thresholds() -> None:
    assert KEPT.fit.of("qa") == TWO
    assert KEPT.fit.of("summary") == ONE
    assert KEPT.fit.of(None) == ONE


def test_each_task_is_fitted_alone_over_all_files() -> None:
    first = [scored(True, 0.9), scored(False, 0.7), scored(True, 0.3, task="summary")]
    second = [scored(False, 0.1, task="summary")]
    fit = fit_all([first, second])
    assert fit.by_task["qa"].f1 == pytest.approx(0.8)
    assert fit.by_task["summary"].f1 == pytest.approx(0.2), "between both files"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 2}'])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "t.json"
    file.write_text(text)
    with pytest.raises(FitError, match=r"is no file of `manage\.py fit_thresholds`"):
        read(file)


def test_a_threshold_that_lacks_is_no_threshold(tmp_path: Path) -> None:
    write(tmp_path / "t.json", KEPT)
    data = json.loads((tmp_path / "t.json").read_text())
    del data["fit"]["everything"]["f1"]
    (tmp_path / "t.json").write_text(json.dumps(data))
    with pytest.raises(FitError, match="missing required field `f1`"):
        read(tmp_path / "t.json")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FitError, match="cannot be read: No such file"):
        read(tmp_path / "no.json")
