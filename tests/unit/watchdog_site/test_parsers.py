"""The number of values of a body is found before any of them is made."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.text.reader.json_text import has_more_values

TEXTS = st.text(st.sampled_from('a,"\\{[ '), max_size=8)
DOCUMENTS = st.recursive(
    TEXTS | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner)
)


def signs(document: object) -> int:
    """Return the values below a document; an empty container has one too."""
    if not isinstance(document, list | dict):
        return 0
    inner = list(document.values()) if isinstance(document, dict) else document
    return max(1, len(inner)) + sum(map(signs, inner))


@given(DOCUMENTS)
def test_signs_in_strings_do_not_count(document) -> None:
    body, count = json.dumps(document).encode(), signs(document)
    assert not has_more_values(body, count)
    assert count == 0 or has_more_values(body, count - 1)


@pytest.mark.parametrize(
    ("body", "more"),
    [
        (b'"' * 200_000, True),
        (b'"\\"' * 100_000, False),
        (b'{"a": "' + b"\\," * 100_000, False),
        (b'","' * 100_000, True),
    ],
)
def test_a_string_that_never_ends_is_looked_at_once(body, more) -> None:
    """A look at each quotation mark to the end would take minutes."""
    assert has_more_values(body + b"," * 300_000, 250_000) is more


def test_of_few_values_not_many_strings_are_part() -> None:
    assert not has_more_values(b'","' * 22, 10)
    assert has_more_values(b'","' * 23, 10)
