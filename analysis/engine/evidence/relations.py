"""Names by their places, and what is withheld.

"Does not offer outdoor seating" denies the seating, whatever the verb.
"""

from lib.text.names import Name
from lib.text.negation import Negation
from lib.text.stems import stem
from lib.text.tokens import MARK, WORD, Tokens
from lib.text.words import BE, PREPOSITIONS, STOPWORDS, word_set

Terms = frozenset[str]
Slot = tuple[str, str]
_IS = ("is", "was")
NOTHING: Terms = frozenset()
_SIDE = 8
"""Tokens behind "lacks" that may name what is lacking."""
PROVIDING = word_set(
    "has have had having with offer offers offered offering provide provides provided providing "
    "include includes included including feature features featured featuring contain contains "
    "contained containing sell sells sold selling cover covers covered covering available come "
    "comes serve serves served serving carry carries stock stocks own owns owned possess "
    "possesses there support supports supported supporting accept accepts accepted accepting"
)
_NONE = word_set("no none false")
_FIELD_ENDS = frozenset(",.;")


def content(tokens: Tokens, first: int, last: int) -> Terms:
    """The stems of the content words and numbers in tokens [first, last)."""
    return frozenset(filter(None, tokens.terms[first:last]))


def leading_name(tokens: Tokens, first: int, start: int, end: int) -> Terms:
    """The stems of the subject [start, end) where it leads and is a name by its form.

    "Berlin is …", "Marie Curie won …"; not "The mill closed" nor "It closed".
    """
    if start != first or not start < end <= start + 4:
        return NOTHING
    for at in range(start, end):
        if tokens.kinds[at] != WORD or not tokens.words[at][0].isupper():
            return NOTHING
    if tokens.lower[start] in STOPWORDS:
        return NOTHING
    return content(tokens, start, end)


def slots(tokens: Tokens, names: list[Name], first: int) -> dict[Slot, Terms]:
    """The places of names: (stem of the word before, preposition) to the stems of the name."""
    slots_by_kind: dict[Slot, Terms] = {}
    for name in names:
        at = name.first - 1
        while at > first and tokens.lower[at] in ("the", "a", "an"):
            at -= 1
        if at <= first:
            continue
        if tokens.lower[at] in _IS and tokens.lower[first] == "the":
            slots_by_kind["", tokens.lower[at]] = content(tokens, name.first, name.last)
        if tokens.lower[at] not in PREPOSITIONS:
            continue
        slot = (stem(tokens.lower[at - 1]), tokens.lower[at])
        slots_by_kind[slot] = content(tokens, name.first, name.last)
    return slots_by_kind


def provides(tokens: Tokens, first: int, last: int) -> bool:
    """True where something is had, offered or included."""
    return not PROVIDING.isdisjoint(tokens.lower[first:last])


def withheld(tokens: Tokens, negation: Negation, head: int, first: int) -> Terms:
    """What is not had or offered: the objects of "does not offer", the subject of "is not sold"."""
    if tokens.lower[head] not in PROVIDING:
        return NOTHING
    passive = negation.at > first and tokens.lower[negation.at - 1] in BE
    if not passive and tokens.lower[negation.at] not in _NOT_BE:
        return content(tokens, head + 1, negation.last)
    start = negation.at
    while start > first and tokens.kinds[start - 1] != MARK and tokens.lower[start - 1] != "and":
        start -= 1
    return content(tokens, start, negation.at)


def fields_denied(tokens: Tokens, first: int, last: int) -> list[Terms]:
    """The fields of a record that are told to be none: "outdoor seating: no, wi fi: free"."""
    fields = list[Terms]()
    if _NONE.isdisjoint(tokens.lower[first:last]):
        return fields
    for at in range(first + 2, last):
        ends = at + 1 == last or tokens.lower[at + 1] in _FIELD_ENDS
        if tokens.lower[at] in _NONE and tokens.lower[at - 1] == ":" and ends:
            start = at - 1
            while start > first and tokens.kinds[start - 1] != MARK:
                start -= 1
            fields.append(content(tokens, start, at - 1))
    return fields


def lacked(tokens: Tokens, first: int, last: int) -> Terms:
    """The object of "lacks": "The hotel lacks a pool"."""
    if LACKING.isdisjoint(tokens.lower[first:last]):
        return NOTHING
    for at in range(first, last - 1):
        if tokens.lower[at] in LACKING and tokens.lower[at + 1] != "of":
            end = at + 1
            while end < min(last, at + _SIDE) and tokens.kinds[end] != MARK:
                if tokens.lower[end] in PREPOSITIONS:
                    break
                end += 1
            return content(tokens, at + 1, end)
    return NOTHING


LACKING = word_set("lack lacks lacked lacking")
_NOT_BE = word_set("isn't aren't wasn't weren't")
