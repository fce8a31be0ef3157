"""A row that was seen is known again."""

from analysis.evaluation.fitted import hashes, seen

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
    assert seen([hashes(ROW)], fitted_on) == 1
    assert seen([hashes(ROW | {"id": "other"})], fitted_on) == 1, "renamed"
    assert seen([hashes(ROW | {"response": " it is  TALL."})], fitted_on) == 1, "touched"
    assert seen([hashes(ROW | {"label": 0})], fitted_on) == 1, "another label"


def test_other_rows_are_not() -> None:
    other = ROW | {"id": "a-2", "response": "It is small."}
    assert seen([hashes(other), hashes(other | {"dataset": "e"})], hashes(ROW)) == 0
    assert seen([hashes(ROW | {"id": "a-2", "context": ["Else."]})], hashes(ROW)) == 0


def test_an_id_without_its_set_names_nothing() -> None:
    nameless = {"id": "1", "response": "x"}
    assert seen([hashes({"id": "1", "response": "y"})], hashes(nameless)) == 0
