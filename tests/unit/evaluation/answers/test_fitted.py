"""A row that was seen is known again."""

from pathlib import Path

from evaluation.answers.fitted import Manifest, hashes, manifests, seen, write_manifest

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
    assert seen([hashes(ROW)], fitted_on) == [True]
    assert seen([hashes(ROW | {"id": "other"})], fitted_on) == [True], "renamed"
    assert seen([hashes(ROW | {"response": " it is  TALL."})], fitted_on) == [True], "touched"
    assert seen([hashes(ROW | {"label": 0})], fitted_on) == [True], "another label"


def test_other_rows_are_not() -> None:
    other = ROW | {"id": "a-2", "response": "It is small."}
    assert seen([hashes(other), hashes(other | {"dataset": "e"})], hashes(ROW)) == [False, False]
    assert seen([hashes(ROW | {"id": "a-2", "context": ["Else."]})], hashes(ROW)) == [False]


def test_an_id_without_its_set_names_nothing() -> None:
    nameless = {"id": "1", "response": "x"}
    assert seen([hashes({"id": "1", "response": "y"})], hashes(nameless)) == [False]


def test_a_manifest_counts_under_its_settings(tmp_path: Path) -> None:
    model = Manifest("the model", {"NLI_MODEL": "embedded"}, ("b", "a"))
    policy = Manifest("the policy", {}, ("c",))
    write_manifest(tmp_path / "on" / "model.json", model)
    write_manifest(tmp_path / "on" / "policy.json", policy)
    kept = Manifest("the model", {"NLI_MODEL": "embedded"}, ["a", "b"])
    for value, expected in {"embedded": [kept, policy], "lexical": [policy]}.items():
        found = manifests(tmp_path / "on", {"NLI_MODEL": value}.__getitem__)
        assert [(one.what, list(one.hashes)) for one in found] == [
            (one.what, list(one.hashes)) for one in expected
        ]
    assert manifests(tmp_path / "none", {}.__getitem__) == []
