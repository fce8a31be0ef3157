"""HTML entities and comments in plain text."""

import re
from collections.abc import Iterator
from html import unescape

from lib.text.decoded import Edit

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


def entities(text: str) -> Iterator[Edit]:
    """Yield the HTML entities with what they stand for: `&#50;&#48; feet` is "20 feet"."""
    if "&" not in text:
        return
    for match in _ENTITY.finditer(text):
        plain = unescape(match[0])
        if plain != match[0]:
            yield *match.span(), plain


def without_comments(text: str) -> str:
    """Return the text with its HTML comments blanked; every other character stays in its place."""
    if "<!--" not in text:
        return text
    return _COMMENT.sub(lambda match: re.sub(r"\S", " ", match[0]), text)
