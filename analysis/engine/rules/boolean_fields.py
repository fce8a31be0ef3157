"""Compares yes-or-no fields of a record with a claim.

"takes reservations" against "RestaurantsReservations: false" is a conflict; against an empty field
it is not stated; the same for "has no live music".
"""

from dataclasses import dataclass

from analysis.engine.evidence.record_fields import Field, RecordFields
from lib.text.negation import NEGATORS, negations
from lib.text.stems import stem
from lib.text.tokens import MARK, Tokens
from lib.text.words import word_set

_TURNS = word_set("but however although though while whereas yet ;")
_OPENERS = word_set("while although though despite whereas")
"""A clause that one of these opens ends at its comma, and with it what it denies."""
_HAS = word_set("offers offer has have provides provide there includes features feature serves")
_SAME_GROUP = {
    stem(word): stem("ambience")
    for word in ("ambiance", "atmosphere", "setting", "vibe", "environment", "decor")
}
_TOLD = frozenset(
    map(stem, word_set("review reviewer complain praise mention comment criticize note report"))
)
"""What people said of a place stands in texts, not in its fields."""
_LACKS = word_set("lacks lack lacking without")
_GIVEN = word_set("available offered provided accepted allowed included present possible")
_WITHHELD = word_set(
    "information unclear unknown mention mentioned mentions specify specified specifies "
    "specific stated whether unspecified indicated details"
)
_AVAILABLE = _HAS | _GIVEN | word_set("availability option options")
_GOES_ON = _HAS | word_set("is are does do can may")
TALK = frozenset(
    stem(word)
    for word in word_set(
        "restaurant business establishment place cafe hotel shop store bar company customers "
        "guests visitors offer offers provide provides provided include includes feature features "
        "have available availability option options service services amenity amenities accept "
        "accepts allow allows serve convenience additionally also open operate hours daily week "
        "every close am pm closed day days from until regular operating various both free access"
    )
)
"""Words around a field that say nothing more than the field does."""
_LONGEST = 3
_BEFORE, _AFTER = 4, 10


@dataclass(frozen=True, slots=True)
class Mention:
    """A field that tokens [first, last) of a claim mention, and whether they negate it."""

    field: Field
    first: int
    last: int
    denied: bool

    @property
    def agrees(self) -> bool | None:
        """True if the record says the same; None if it says nothing."""
        return None if self.field.value is None else self.field.value != self.denied


def mentions(tokens: Tokens, first: int, last: int, record: RecordFields) -> list[Mention]:
    """Return the fields that tokens [first, last) mention; none if they express ignorance."""
    if not _WITHHELD.isdisjoint(tokens.lower[first:last]):
        return []
    words = _words(tokens, first, last)
    stems = {stem(tokens.lower[at]) for at in words}
    if not _TOLD.isdisjoint(stems):
        return []
    stems |= {_SAME_GROUP.get(word, word) for word in stems}
    mentions_here = []
    for each in record.fields:
        span = _span(tokens, words, each)
        if span and _means_field(tokens, span, each, record, stems):
            mentions_here.append(Mention(each, *span, _is_denied(tokens, first, last, *span)))
    groups = {each.field.group for each in mentions_here}
    bare = _AVAILABLE.isdisjoint(tokens.lower[first:last])
    return [
        each
        for each in mentions_here
        if each.field.name not in groups and not (each.field.is_group and bare and not each.denied)
    ]


def _words(tokens: Tokens, first: int, last: int) -> list[int]:
    return [at for at in range(first, last) if tokens.kinds[at] != MARK]


def _span(tokens: Tokens, words: list[int], field: Field) -> tuple[int, int] | None:
    """Return where up to three joined words are the name: "Wi-Fi", "take-out", "takeout"."""
    for number in range(len(words)):
        word = ""
        for at in words[number : number + _LONGEST]:
            word += tokens.lower[at]
            if stem(word) == field.name:
                return words[number], at + 1
    return None


def _means_field(
    tokens: Tokens, span: tuple[int, int], field: Field, record: RecordFields, stems: set[str]
) -> bool:
    """Return whether the words mean the field, and not a street's name or "a lot of"."""
    at, end = span
    if field.group:
        return field.group in stems
    if end < len(tokens) and tokens.lower[end] == "of":
        return False
    if end == at + 1 and _describes(tokens, end):
        return False
    # Where the record's texts have the word too, they may be what the claim rests on.
    return field.value is True or field.name not in record.prose


def _describes(tokens: Tokens, end: int) -> bool:
    """Return whether a word describes the next one: {"new": false} denies no "new bridge"."""
    following = tokens.terms[end] if end < len(tokens) else ""
    return bool(following) and following not in TALK


def _is_denied(tokens: Tokens, first: int, last: int, at: int, end: int) -> bool:
    """Return whether a preceding negator covers the words, or a following one retracts them."""
    for negation in negations(tokens, first, last):
        if negation.at < at < _turn(tokens, first, negation.at, last):
            return True
    if "non" in tokens.lower[max(first, at - 2) : at]:
        return True
    if not _LACKS.isdisjoint(tokens.lower[max(first, at - _BEFORE) : at]):
        return True
    following = tokens.lower[end : min(last, end + _AFTER)]
    if following[:1] == [":"] and following[1:2] and following[1] in NEGATORS:
        return True
    return _is_retracted(following)


def _is_retracted(following: list[str]) -> bool:
    """Return whether a retraction follows before the next comma: "… is unavailable"."""
    for place, word in enumerate(following):
        if word in _TURNS or word == ",":
            return False
        if word == "unavailable" or (
            word in NEGATORS and not _GIVEN.isdisjoint(following[place : place + 3])
        ):
            return True
    return False


def _turn(tokens: Tokens, first: int, at: int, last: int) -> int:
    """Return where a negation ends: at "but", the next verb of having, or its clause's comma."""
    has_opener = not _OPENERS.isdisjoint(tokens.lower[first : min(at, first + 2)])
    for place in range(at + 1, last):
        word = tokens.lower[place]
        if word in _TURNS or (word in _HAS and place > at + 2):
            return place
        if has_opener and word == "," and _starts_over(tokens, place + 1, last):
            return place
    return last


def _starts_over(tokens: Tokens, at: int, last: int) -> bool:
    """Return whether a main clause begins here: after a list's comma there is no verb of having."""
    return not _GOES_ON.isdisjoint(tokens.lower[at : min(last, at + _AFTER)])
