"""Removes from a text what PostgreSQL cannot store."""

import re

_DROPPED = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufeff\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Return the text with \n line ends and without what PostgreSQL cannot store.

    Control characters are removed, lone surrogates become U+FFFD. Nothing else changes.
    """
    text = _LINE_ENDS.sub("\n", text)
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _DROPPED.sub("", text)
