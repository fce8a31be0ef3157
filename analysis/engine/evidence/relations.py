"""Who does what to whom: word order that a bag of words cannot see.

Leading names, swapped sides of a verb or of a comparison, quantifiers, and what is withheld
("does not offer outdoor seating" denies the seating, whatever the verb).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from text.names import Name
from text.negation import Negation
from text.stems import stem
from text.tokens import MARK, WORD, Tokens
from text.verbs import finite
from text.words import AUXILIARIES, BE, DETERMINERS, PREPOSITIONS, STOPWORDS, word_set

Terms = frozenset[str]
Slot = tuple[str, str]
_IS = ("is", "was")
NOTHING: Terms = frozenset()
_SIDE = 8
"""Tokens read on either side of a comparison."""
_PROVIDES = word_set(
    "has have had having with offer offers offered offering provide provides provided providing "
    "include includes included including feature features featured featuring contain contains "
    "contained containing sell sells sold selling cover covers covered covering available come "
    "comes serve serves served serving carry carries stock stocks own owns owned possess "
    "possesses there support supports supported supporting accept accepts accepted accepting"
)
_NONE = word_set("no none false")
_FIELD_ENDS = frozenset(",.;")
_RANKS = {
    "all": 3, "every": 3, "each": 3, "everyone": 3, "everybody": 3, "most": 2, "majority": 2,
    "some": 1, "many": 1, "several": 1, "few": 1, "certain": 1,
}  # fmt: skip
_PERSONS = word_set("everyone everybody")
_EVERYONE = "everyone"
_QUANTIFIERS = frozenset(_RANKS)
_NOT_COMPARED = word_set("rather other later earlier sooner")
_OPPOSED = {
    stem(word): stem(other)
    for pair in (
        "longer shorter", "taller shorter", "higher lower", "larger smaller", "bigger smaller",
        "more less", "more fewer", "older younger", "older newer", "faster slower",
        "stronger weaker", "better worse", "heavier lighter", "hotter colder", "warmer cooler",
        "earlier later", "richer poorer", "wider narrower", "cheaper dearer", "deeper shallower",
    )
    for word, other in (pair.split(), reversed(pair.split()))
}  # fmt: skip


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


def is_only_one(tokens: Tokens, end: int, last: int) -> bool:
    """True for "X is the …" and "X was the …", which can be said of one X only."""
    return tokens.lower[end : end + 2] in (["is", "the"], ["was", "the"]) and end + 2 < last


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


@dataclass(frozen=True, slots=True)
class Comparison:
    """Left is `word` (a stem) than right."""

    left: Terms
    word: str
    right: Terms


def comparison(tokens: Tokens, first: int, last: int) -> Comparison | None:
    """The first comparison with "than" in tokens [first, last)."""
    if "than" not in tokens.lower[first:last]:
        return None
    than = tokens.lower.index("than", first, last)
    at = than - 1
    while at > first and at > than - 4:
        word = tokens.lower[at]
        if word in ("more", "less", "fewer") or (word.endswith("er") and len(word) > 4):
            break
        at -= 1
    word = tokens.lower[at]
    if at <= first or word in _NOT_COMPARED:
        return None
    right = than + 1
    while right < min(last, than + _SIDE) and tokens.kinds[right] != MARK:
        right += 1
    before_words = content(tokens, max(first, at - _SIDE), at)
    label = " ".join((stem(word), *sorted(content(tokens, at + 1, than))))
    return Comparison(before_words, label, content(tokens, than + 1, right))


def order(first: Comparison | None, second: Comparison | None) -> bool | None:
    """True where both say the same of the same sides, False where the sides are swapped.

    None where they compare something else.
    """
    if first is None or second is None:
        return None
    straight = _overlap(first.left, second.left) and _overlap(first.right, second.right)
    swapped = _overlap(first.left, second.right) and _overlap(first.right, second.left)
    if straight == swapped:
        return None
    if first.word == second.word:
        return straight
    (ours, _, what), (theirs, _, other) = first.word.partition(" "), second.word.partition(" ")
    return swapped if what == other and _OPPOSED.get(ours) == theirs else None


def _overlap(first: Terms, second: Terms) -> bool:
    return not first.isdisjoint(second)


@dataclass(frozen=True, slots=True)
class Deed:
    """Who (stems of a name) does (stem) what to whom; passives turned round."""

    agent: Terms
    verb: str
    patient: Terms


def deeds(tokens: Tokens, names: list[Name], first: int) -> Iterator[Deed]:
    """The deeds between two names: "Google acquired YouTube", "YouTube was bought by Google"."""
    spans = [(name.first, name.last) for name in names]
    if tokens.kinds[first] == WORD and tokens.words[first][0].isupper():
        lead = tokens.lower[first] not in STOPWORDS and not (spans and spans[0][0] == first)
        spans = [(first, first + 1), *spans] if lead else spans
    for (start, end), (after, until) in pairwise(spans):
        verb = _verb_between(tokens, end, after)
        if verb is None:
            continue
        before, behind = content(tokens, start, end), content(tokens, after, until)
        name = stem(tokens.lower[verb])
        if tokens.lower[after - 1] == "by" or tokens.lower[after - 2 : after] == ["by", "the"]:
            passive = not BE.isdisjoint(tokens.lower[end:verb])
            yield Deed(behind, name, before) if passive else Deed(before, name, behind)
        elif BE.isdisjoint(tokens.lower[end:verb]):
            yield Deed(before, name, behind)


def _verb_between(tokens: Tokens, first: int, last: int) -> int | None:
    """The verb where there is little but it between two names."""
    if not first < last <= first + 5:
        return None
    for at in range(first, last):
        if tokens.kinds[at] != WORD:
            return None
        if tokens.lower[at] not in AUXILIARIES and finite(tokens, at):
            return at
    return None


def swapped(ours: tuple[Deed, ...], theirs: tuple[Deed, ...]) -> bool:
    """True where a deed of the claim is told the other way round, and none as the claim has it."""
    if not ours or not theirs:
        return False
    turned = False
    for item in ours:
        for other in theirs:
            if item.verb != other.verb:
                continue
            if _overlap(item.agent, other.agent) and _overlap(item.patient, other.patient):
                return False
            turned |= _overlap(item.agent, other.patient) and _overlap(item.patient, other.agent)
    return turned


def quantifiers(tokens: Tokens, first: int, last: int) -> dict[str, int]:
    """Stem of the noun to how many of it: 3 all, 2 most, 1 some; "not all" is some."""
    if _QUANTIFIERS.isdisjoint(tokens.lower[first:last]):
        return {}
    counts: dict[str, int] = {}
    for at in range(first, last):
        word = tokens.lower[at]
        rank = _RANKS.get(word)
        before = tokens.lower[at - 1] if at > first else ""
        # "the most", "above all" and "at most" count nothing.
        if rank is None or before in PREPOSITIONS or before in ("the", "of"):
            continue
        noun = _EVERYONE if word in _PERSONS else _noun_after(tokens, at + 1, last)
        if noun:
            counts.setdefault(noun, 1 if before == "not" else rank)
    return counts


def _noun_after(tokens: Tokens, at: int, last: int) -> str:
    """The stem of the head of the noun phrase at the token."""
    while at < last and (tokens.lower[at] in DETERMINERS or tokens.lower[at] == "of"):
        at += 1
    head = ""
    while at < last and tokens.kinds[at] == WORD:
        word = tokens.lower[at]
        if word in STOPWORDS or word in PREPOSITIONS or (head and finite(tokens, at)):
            break
        head = stem(word)
        at += 1
    return head


def says_less(ours: dict[str, int], theirs: dict[str, int]) -> bool:
    """True where the claim says all of what the passage says most or some of only."""
    return any(noun in theirs and rank > theirs[noun] for noun, rank in ours.items())


def provides(tokens: Tokens, first: int, last: int) -> bool:
    """True where something is had, offered or included."""
    return not _PROVIDES.isdisjoint(tokens.lower[first:last])


def withheld(tokens: Tokens, negation: Negation, head: int, first: int) -> Terms:
    """What is not had or offered: the objects of "does not offer", the subject of "is not sold"."""
    if tokens.lower[head] not in _PROVIDES:
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
    if _LACKS.isdisjoint(tokens.lower[first:last]):
        return NOTHING
    for at in range(first, last - 1):
        if tokens.lower[at] in _LACKS and tokens.lower[at + 1] != "of":
            end = at + 1
            while end < min(last, at + _SIDE) and tokens.kinds[end] != MARK:
                if tokens.lower[end] in PREPOSITIONS:
                    break
                end += 1
            return content(tokens, at + 1, end)
    return NOTHING


_LACKS = word_set("lack lacks lacked lacking")
_NOT_BE = word_set("isn't aren't wasn't weren't")
