"""Code points to UTF-16."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.text.decoded import to_utf16


def slow(text, point):
    return len(text[:point].encode("utf-16-le", "surrogatepass")) // 2


@given(st.text(), st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50))))
def test_agrees_with_encoding(text, spans):
    spans = [(min(a, len(text)), min(b, len(text))) for a, b in spans]
    assert to_utf16(text, spans) == [(slow(text, a), slow(text, b)) for a, b in spans]


def test_emoji_count_twice():
    assert to_utf16("a🙂b", [(2, 3), (0, 1)]) == [(3, 4), (0, 1)]


@pytest.mark.parametrize("span", [(-1, 0), (0, 4)])
def test_offset_outside(span):
    with pytest.raises(ValueError, match="outside the text of 3"):
        to_utf16("abc", [span])
