"""Thresholds in a file, and files that are none."""

import json

import pytest

from desk.scoring.thresholds import Thresholds
from tests.unit.desk.scoring.scored import scored
from tools.evaluation.answers.fit import (
    Fit,
    FitError,
    FitFile,
    Manifest,
    fit_all,
    fitted_rows,
    hashes,
    manifests,
    read,
    write,
    write_manifest,
)

ONE = Thresholds(0.1, 0.2, None, 0.4, 0.5)
TWO = Thresholds(0.6, None, 0.7, None, None)
KEPT = FitFile(
    {"settings": {}, "policy": {}}, ("m",), "tune", Fit(ONE, {"qa": TWO}), {"f": 2}, ("b",)
)


def test_a_fit_comes_back_as_it_was_kept(tmp_path) -> None:
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
def test_other_files_are_refused(tmp_path, text) -> None:
    file = tmp_path / "t.json"
    file.write_text(text)
    with pytest.raises(FitError, match=r"is no file of `manage\.py fit_thresholds`"):
        read(file)


def test_a_threshold_that_lacks_is_no_threshold(tmp_path) -> None:
    write(tmp_path / "t.json", KEPT)
    data = json.loads((tmp_path / "t.json").read_text())
    del data["fit"]["everything"]["f1"]
    (tmp_path / "t.json").write_text(json.dumps(data))
    with pytest.raises(FitError, match="missing required field `f1`"):
        read(tmp_path / "t.json")


def test_a_file_that_is_not_there_is_named(tmp_path) -> None:
    with pytest.raises(FitError, match="cannot be read: No such file"):
        read(tmp_path / "no.json")


ROW = {
    "id": "a-1",
    "dataset": "d",
    "query": "How tall?",
    "context": ["The tower is tall."],
    "response": "It is tall.",
    "label": 1,
}


def test_a_row_is_known_by_its_text_and_by_its_id() -> None:
    fitted_on = hashes(ROW)
    assert fitted_rows([hashes(ROW)], fitted_on) == [True]
    assert fitted_rows([hashes(ROW | {"id": "other"})], fitted_on) == [True], "renamed"
    assert fitted_rows([hashes(ROW | {"response": " it is  TALL."})], fitted_on) == [True], (
        "touched"
    )
    assert fitted_rows([hashes(ROW | {"label": 0})], fitted_on) == [True], "another label"


def test_other_rows_are_not() -> None:
    other = ROW | {"id": "a-2", "response": "It is small."}
    assert fitted_rows([hashes(other), hashes(other | {"dataset": "e"})], hashes(ROW)) == [
        False,
        False,
    ]
    assert fitted_rows([hashes(ROW | {"id": "a-2", "context": ["Else."]})], hashes(ROW)) == [False]


def test_an_id_without_its_set_names_nothing() -> None:
    nameless = {"id": "1", "response": "x"}
    assert fitted_rows([hashes({"id": "1", "response": "y"})], hashes(nameless)) == [False]


def test_a_manifest_counts_under_its_settings(tmp_path) -> None:
    model = Manifest("the model", {"NLI_MODEL": "small"}, ("b", "a"))
    policy = Manifest("the policy", {}, ("c",))
    write_manifest(tmp_path / "on" / "model.json", model)
    write_manifest(tmp_path / "on" / "policy.json", policy)
    manifest = Manifest("the model", {"NLI_MODEL": "small"}, ["a", "b"])
    for value, expected in {"small": [manifest, policy], "lexical": [policy]}.items():
        in_force = manifests(tmp_path / "on", {"NLI_MODEL": value}.__getitem__)
        assert [(item.what, list(item.hashes)) for item in in_force] == [
            (item.what, list(item.hashes)) for item in expected
        ]
    assert manifests(tmp_path / "none", {}.__getitem__) == []


def test_a_manifest_may_count_under_several_values_of_a_setting(tmp_path) -> None:
    write_manifest(tmp_path / "judge.json", Manifest("judges", {"NLI_MODEL": ["a", "b"]}, ("x",)))
    in_force = [
        bool(manifests(tmp_path, {"NLI_MODEL": value}.__getitem__)) for value in ("a", "b", "c")
    ]
    assert in_force == [True, True, False]
