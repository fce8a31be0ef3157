"""Renders a text as its reader sees it: no markup or citation marks, plain characters.

Numbers are written out. Answers and sources are read alike, so that neither formatting nor an
encoding makes a statement differ from its source, and none hides what it says.
"""

import re
from collections.abc import Callable, Iterator

from lib.text import characters, citations, markup
from lib.text.decoded import Decoded, Edit

_STEPS: tuple[Callable[[str], Iterator[Edit]], ...] = (
    citations.without_citations,
    markup.entities,
    characters.items,
    characters.crosses,
    characters.plain,
    characters.enclosed,
    characters.joined,
    characters.composed,
    characters.of_one_script,
    markup.struck,
    markup.tags,
    markup.links,
    markup.formulas,
    markup.commands,
    markup.emphasis,
    characters.raised,
    characters.vulgar,
    characters.mixed,
    characters.grouped,
    characters.powers,
    characters.roman,
    characters.iso,
    characters.cjk_dates,
    characters.drop_repeated_numbers,
)
_PLAIN = re.compile(r"[\w\s.,;:!?\"'%/#-]*", re.ASCII)
_DIGIT_GROUP = re.compile(r"\d[ '/]\d")


def decode(text: str) -> Decoded:
    """Return the text as it is read; every character keeps the offset that it was written at."""
    plain = "://" not in text and _PLAIN.fullmatch(text) and not _DIGIT_GROUP.search(text)
    if plain and not characters.CAPITALS.search(text):
        return Decoded(text)
    return rendered(Decoded(text))


def rendered(decoded: Decoded) -> Decoded:
    """Return the same for a text whose offsets are already those of another."""
    for step in _STEPS:
        decoded = decoded.edited(step(decoded.text))
    return decoded
