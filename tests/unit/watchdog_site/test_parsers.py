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


def commas(document: object) -> int:
    """Return the commas between values."""
    if not isinstance(document, list | dict):
        return 0
    inner = list(document.values()) if isinstance(document, dict) else document
    return max(0, len(inner) - 1) + sum(map(commas, inner))


@given(DOCUMENTS)
def test_commas_in_strings_do_not_count(document: object) -> None:
    body, count = json.dumps(document).encode(), commas(document)
    assert not has_more_values(body, count)
    assert count == 0 or has_more_values(body, count - 1)


@pytest.mark.parametrize("body", [b'"' * 200_000, b'"\\"' * 100_000, b'{"a": "' + b"\\," * 100_000])
def test_a_string_that_never_ends_is_looked_at_once(body: bytes) -> None:
    """A look at each quotation mark to the end would take minutes."""
    assert not has_more_values(body + b"," * 9, 9)
