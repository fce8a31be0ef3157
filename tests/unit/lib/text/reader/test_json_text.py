"""The place of JSON in a text."""

import pytest

from lib.text.reader.json_text import json_spans


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('{"a": 1}', ['{"a": 1}']),
        (' [{"a": 1}]\n', [' [{"a": 1}]\n']),
        ("{'a': True, }", ["{'a': True, }"]),
        ('{"a": "cut', ['{"a": "cut']),
        ('["one", "two"]', ['["one", "two"]']),
        ('So:\n```json\n{"a": 1}\n```\nDone.', ['{"a": 1}']),
        ('So: {"a": {"b": 1}} it is.', ['{"a": {"b": 1}}']),
        ('Lines:\n{"a": 1}\n{"a": 2}', ['{"a": 1}', '{"a": 2}']),
        ("As [1] and {so on} say, [2, 3].", []),
        ("[1, 2]\n[3]", []),
        ("Plain.", []),
    ],
)
def test_json_is_found_in_the_forms_that_models_write(text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in json_spans(text)] == parts


def test_after_more_than_can_be_tried_the_rest_counts() -> None:
    text = 'x: {"a": \n' * 300 + 'y: {"b": 1} z'
    assert json_spans(text)[-1][1] == len(text)
