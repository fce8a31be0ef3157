"""Compares a claim with the direct statements of records: fields and opening hours."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from analysis.engine.rules.cells import DataEvidence, Flag, Side, Terms
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.rules.opening_hours import compare_hours
from analysis.engine.rules.record_fields import Field, Record
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.negation import NEGATORS, negations
from lib.text.stems import stem, stem_set
from lib.text.tokens import MARK, Tokens
from lib.text.words import word_set

_TURNS = word_set("but however although though while whereas yet ;")
_OPENERS = word_set("while although though despite whereas")
"""A clause that one of these opens ends at its comma, and so does its negation."""
_HAS = word_set("offers offer has have provides provide there includes features feature serves")
_SAME_GROUP = {
    stem(word): stem("ambience")
    for word in ("ambiance", "atmosphere", "setting", "vibe", "environment", "decor")
}
_TOLD = stem_set("review reviewer complain praise mention comment criticize note report")
"""Opinions are found in texts, not in a record's fields."""
_LACKS = word_set("lacks lack lacking without")
_GIVEN = word_set("available offered provided accepted allowed included present possible")
_AVAILABLE = _HAS | _GIVEN | word_set("availability option options")
_GOES_ON = _HAS | word_set("is are does do can may")
_TALK = stem_set(
    "restaurant business establishment place cafe hotel shop store bar company customers guests "
    "visitors offer offers provide provides provided include includes feature features have "
    "available availability option options service services amenity amenities accept accepts "
    "allow allows serve convenience additionally also open operate hours daily week every close "
    "am pm closed day days from until regular operating various both free access"
)
"""Words around a field that say nothing more than the field does."""
_LONGEST = 3
_BEFORE, _AFTER = 4, 10


class Finding(NamedTuple):
    """A record's statement about a claim: `agrees` is None if it leaves open what it names.

    `terms` are the claim's terms that it accounts for. Statements of one `name` are about the same.
    `denied` says that the claim negates what a field names, `is_listed` that the field belongs to
    an item of a list.
    """

    name: str
    agrees: bool | None
    text: str
    terms: Terms
    passage: int
    denied: bool = False
    is_listed: bool = False


def mentions(claim: ClaimQuery, record: Record) -> list[Finding]:
    """Return the statements of the fields that a claim mentions."""
    tokens, lower = claim.tokens, claim.lower
    words = [at for at in range(claim.first, claim.last) if tokens.kinds[at] != MARK]
    stems = {stem(tokens.lower[at]) for at in words}
    if not _TOLD.isdisjoint(stems):
        return []
    stems |= {_SAME_GROUP.get(word, word) for word in stems}
    spans = [
        (field, *span)
        for field in record.fields
        if (span := _span(tokens, words, field))
        and _means_field(tokens, span[1], field, record, stems)
    ]
    groups = {field.group for field, _, _ in spans}
    bare = _AVAILABLE.isdisjoint(lower)
    findings = list[Finding]()
    for field, first, last in spans:
        denied = _is_denied(tokens, claim.first, claim.last, first, last)
        if field.name not in groups and not (field.is_group and bare and not denied):
            agrees = None if field.flag is Flag.OPEN else (field.flag is Flag.YES) != denied
            text = f"“{field.display_text}” in the record"
            terms = frozenset({field.group, *map(stem, tokens.lower[first:last])})
            findings.append(
                Finding(field.name, agrees, text, terms, field.passage, denied, field.is_listed)
            )
    return findings


def _span(tokens: Tokens, words: list[int], field: Field) -> tuple[int, int] | None:
    """Return where up to three joined words are the name: "Wi-Fi", "take-out", "takeout"."""
    for number in range(len(words)):
        word = ""
        for at in words[number : number + _LONGEST]:
            word += tokens.lower[at]
            if stem(word) == field.name:
                return words[number], at + 1
    return None


def _means_field(tokens: Tokens, end: int, field: Field, record: Record, stems: set[str]) -> bool:
    """Return whether the words before `end` mean the field, no street's name and no "a lot of"."""
    if field.group:
        return field.group in stems
    following = tokens.terms[end] if end < len(tokens) else ""
    # {"new": false} denies no "new bridge".
    if tokens.lower[end : end + 1] == ["of"] or (following and following not in _TALK):
        return False
    # Where the record's texts have the word too, they may be what the claim rests on.
    return field.flag is Flag.YES or field.name not in record.prose


def _is_denied(tokens: Tokens, first: int, last: int, at: int, end: int) -> bool:
    """Return whether a preceding negator covers the words, or a following one retracts them."""
    places = (negation.at for negation in negations(tokens, first, last))
    if any(place < at < _turn(tokens, first, place, last) for place in places):
        return True
    if "non" in tokens.lower[max(first, at - 2) : at]:
        return True
    if not _LACKS.isdisjoint(tokens.lower[max(first, at - _BEFORE) : at]):
        return True
    following = tokens.lower[end : min(last, end + _AFTER)]
    if following[:1] == [":"] and not NEGATORS.isdisjoint(following[1:2]):
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
        # A main clause begins: after a list's comma there is no verb of having.
        ahead = tokens.lower[place + 1 : min(last, place + 1 + _AFTER)]
        if has_opener and word == "," and not _GOES_ON.isdisjoint(ahead):
            return place
    return last


_CLOSES = word_set("close closes closing")
"""An hour at which something closes is taken for a day on which it is closed at times."""
_MORE_THAN_FIELDS = word_set(
    "only all every each most some except if unless when while was were had will would used "
    "always often sometimes first new former previously currently"
)
"""With these words a claim says more than its fields do, or is about another time."""
_MOST_MORE = 4
"""A field confirms a claim of whose words at most a fourth say something else."""


def match_records(claim: ClaimQuery, records: Sequence[Record]) -> DataEvidence | None:
    """Return what the records say about a claim, or None if nothing that decides it.

    They state it if fields account for nearly all of its words. If records, or parts of one,
    disagree about what it mentions, it may be about either, and they say nothing. Nor does a record
    without the name that the claim begins with.
    """
    leading = claim.facts.leading
    records = [each for each in records if not leading or not leading.isdisjoint(each.prose)]
    of_fields = chain.from_iterable(mentions(claim, record) for record in records)
    of_hours = chain.from_iterable(_hours(claim, record) for record in records)
    findings = [*of_fields, *of_hours]
    verdicts: dict[str, set[bool | None]] = defaultdict(set)
    for each in findings:
        verdicts[each.name].add(each.agrees)
    findings = [each for each in findings if len(verdicts[each.name]) == 1]
    if not findings:
        return None
    against = [each for each in findings if each.agrees is False]
    if against:
        certain = not claim.facts.negative and _CLOSES.isdisjoint(claim.lower)
        return DataEvidence(Side.DENIED, against[0].passage, _conflicts(against, certain=certain))
    passage, is_all = findings[0].passage, _says_no_more(claim, findings)
    if not all(each.agrees for each in findings):
        return DataEvidence(Side.OPEN, passage, _gaps(claim, findings) if is_all else ())
    return DataEvidence(Side.STATED, passage) if is_all else None


def _says_no_more(claim: ClaimQuery, findings: Sequence[Finding]) -> bool:
    more = (claim.terms - claim.context - _TALK).difference(*(each.terms for each in findings))
    return len(more) * _MOST_MORE <= len(claim.terms)


def _conflicts(findings: Sequence[Finding], *, certain: bool) -> tuple[Conflict, ...]:
    return tuple(Conflict(ConflictKind.FIELD, each.text, certain=certain) for each in findings)


def _hours(claim: ClaimQuery, record: Record) -> Iterator[Finding]:
    for week in record.weeks:
        opening = compare_hours(claim.tokens, claim.first, claim.last, week)
        if opening:
            agrees, text = not opening.conflict, opening.conflict
            yield Finding("opening hours", agrees, text, opening.terms, week.passage)


def _gaps(claim: ClaimQuery, findings: Sequence[Finding]) -> tuple[Conflict, ...]:
    """Return the open fields that the claim asserts, if it negates nothing."""
    if not _MORE_THAN_FIELDS.isdisjoint(claim.lower) or any(each.denied for each in findings):
        return ()
    if negations(claim.tokens, claim.first, claim.last):
        return ()
    gaps = [each for each in findings if each.agrees is None]
    if any(each.is_listed for each in gaps):
        # The claim may mean another item of the list.
        return ()
    return tuple(dict.fromkeys(_conflicts(gaps, certain=True)))
