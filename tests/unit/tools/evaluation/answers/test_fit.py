"""Rows that something was fitted on are known again, and count where it is used."""

from tools.evaluation.answers.fit import Manifest, fitted_rows, hashes, manifests, write_manifest

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
