"""Prices of nothing: "free of charge", "at no cost", "withdrawals are free"."""

from collections.abc import Iterator

from text.tokens import WORD, Tokens
from text.words import BE

_PHRASES = (
    ("free", "of", "charge"), ("at", "no", "cost"), ("at", "no", "charge"), ("for", "free"),
    ("no", "charge"), ("no", "fee"), ("no", "fees"), ("without", "charge"), ("cost", "nothing"),
    ("costs", "nothing"), ("at", "no", "extra", "cost"), ("free",),
)  # fmt: skip
_ENDS = frozenset({".", ",", ";", ")", "for", "with", "at", "in", "on", "and", "but", "to"})
_MARKS = frozenset({".", ",", ";", ")"})
PRICE_WORDS = frozenset({"free", "charge", "cost", "costs", "fee", "fees"})
"""One of these stands in every phrase."""
_BY_FIRST = {
    word: tuple(phrase for phrase in _PHRASES if phrase[0] == word)
    for word in {phrase[0] for phrase in _PHRASES}
}


def free_spans(tokens: Tokens, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Token ranges that say that something costs nothing."""
    if PRICE_WORDS.isdisjoint(tokens.lower[first:last]):
        return
    at = first
    while at < last:
        phrases = _BY_FIRST.get(tokens.lower[at], ())
        end = next(
            (
                at + len(phrase)
                for phrase in phrases
                if _is_phrase_at(tokens, phrase, at, first, last)
            ),
            at,
        )
        if end > at:
            yield at, end
        at = max(end, at + 1)


def _is_phrase_at(tokens: Tokens, phrase: tuple[str, ...], at: int, first: int, last: int) -> bool:
    end = at + len(phrase)
    if end > last or tuple(tokens.lower[at:end]) != phrase:
        return False
    if len(phrase) > 1:
        return True
    # "sugar-free", "feel free" and "free parking" are something else.
    before = tokens.lower[at - 1] if at else ""
    following = tokens.lower[end] if end < last else "."
    if before in BE or before == ":":
        return following in _ENDS
    return at > first and tokens.kinds[at - 1] == WORD and following in _MARKS
