"""Metadata of documents and choices by them: what is taken, and what is refused and why."""

import pytest

from documents.metadata import BadMetadata, choice_in, metadata_in

MANY = {f"n{number}": 1 for number in range(31)}


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"version": "3", "pages": 12, "draft": False, "Gültig für": "Nord"},
        '{"valid_from": "2026-03-01", "valid_to": "2026-12-31"}',
    ],
)
def test_names_with_texts_numbers_and_truth_values_are_metadata(value):
    assert isinstance(metadata_in(value), dict)


def test_a_choice_may_have_several_values_and_a_day():
    choice = {"branch": ["north", "south"], "valid_on": "2026-03-01"}
    assert choice_in(choice) == choice


@pytest.mark.parametrize(
    ("read", "value", "problem"),
    [
        (metadata_in, "{", "Must be a JSON object."),
        (metadata_in, "[1]", "Must be an object of names and values."),
        (metadata_in, None, "Must be an object of names and values."),
        (metadata_in, MANY, "At most 30 members."),
        (metadata_in, {"": 1}, "Names have 1 to 300 characters."),
        (metadata_in, {"a": None}, "a: Must be a text, a number, true or false."),
        (metadata_in, {"a": ["b"]}, "a: Must be a text, a number, true or false."),
        (metadata_in, {"a": "x" * 301}, "a: At most 300 characters, none of them NUL."),
        (metadata_in, {"a": "x\0"}, "a: At most 300 characters, none of them NUL."),
        (metadata_in, {"valid_from": "1 March"}, "valid_from: Must be a date such as 2026-03-01."),
        (metadata_in, {"valid_to": 2026}, "valid_to: Must be a date such as 2026-03-01."),
        (choice_in, {"valid_on": "today"}, "valid_on: Must be a date such as 2026-03-01."),
        (choice_in, {"branch": ["a"] * 31}, "branch: At most 30 values."),
        (choice_in, {"branch": [None]}, "branch: Must be a text, a number, true or false."),
        (choice_in, {"branch": {"a": 1}}, "branch: Must be a text, a number, true or false."),
    ],
)
def test_other_metadata_and_choices_are_refused(read, value, problem):
    with pytest.raises(BadMetadata) as error:
        read(value)
    assert str(error.value) == problem
