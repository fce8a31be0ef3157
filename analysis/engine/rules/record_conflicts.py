"""Compares a claim with the direct statements of records: fields and opening hours."""

from collections import defaultdict
from dataclasses import dataclass

from analysis.engine.evidence.corpus import Corpus
from analysis.engine.evidence.record_fields import RecordFields
from analysis.engine.rules import boolean_fields, opening_hours
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.negation import negations
from lib.text.stems import stem
from lib.text.words import word_set

_HOURS = frozenset(map(stem, opening_hours.WORDS))
_CLOSES = word_set("close closes closing")
"""An hour at which something closes is taken for a day on which it is closed at times."""
_MORE_THAN_FIELDS = word_set(
    "only all every each most some except if unless when while was were had will would used "
    "always often sometimes first new former previously currently"
)
"""Beside these words a claim says more than its fields do, or of another time."""
_MOST_MORE = 4
"""A field bears a claim out that says at most a fourth of its words beside it."""
FieldMention = tuple[int, boolean_fields.Mention]
WeekMatch = tuple[int, str, opening_hours.Opening]
"""What a claim says of a field or of hours, each with its source (an index)."""


@dataclass(frozen=True, slots=True)
class RecordMatch:
    """The records' statements about a claim: conflicts, fields they leave open, and agreement.

    `gaps` are conflicts with fields left open of which the claim says outright that they are so.
    `passage` is the one in conflict, else one that bears it out; `nothing_more` says that fields
    account for nearly all of the claim's words.
    """

    conflicts: tuple[Conflict, ...]
    unstated: tuple[str, ...]
    agrees: bool
    passage: int | None
    gaps: tuple[Conflict, ...]
    nothing_more: bool


def match_records(claim: ClaimQuery, corpus: Corpus) -> RecordMatch | None:
    """Return what the records state about a claim, or None if nothing.

    If records, or parts of one, disagree about what the claim mentions, it may be about either, and
    they state nothing. Nor does a record without the name that the claim begins with.
    """
    part = claim.tokens, claim.first, claim.last
    records = [(at, each) for at, each in corpus.record_fields if _may_be_of(claim, each)]
    mentions = [
        (at, mention) for at, each in records for mention in boolean_fields.mentions(*part, each)
    ]
    weeks = [
        (at, week.path, week_conflict)
        for at, each in records
        for week in each.weeks
        if (week_conflict := opening_hours.compare_hours(*part, week))
    ]
    disputed = _disputed(mentions)
    mentions = [(at, mention) for at, mention in mentions if mention.field.name not in disputed]
    if len({week.conflict == "" for _, _, week in weeks}) > 1:
        weeks = []
    return _record_match(claim, corpus, mentions, weeks) if mentions or weeks else None


def _may_be_of(claim: ClaimQuery, record: RecordFields) -> bool:
    leading = claim.facts.leading
    return not leading or not leading.isdisjoint(record.prose)


def _disputed(mentions: list[FieldMention]) -> set[str]:
    """Return the names of fields with different values in different places."""
    values: dict[str, set[bool | None]] = defaultdict(set)
    for _, mention in mentions:
        values[mention.field.name].add(mention.agrees)
    return {name for name, each in values.items() if len(each) > 1}


def _record_match(
    claim: ClaimQuery,
    corpus: Corpus,
    mentions: list[FieldMention],
    weeks: list[WeekMatch],
) -> RecordMatch:
    against = [(at, mention.field) for at, mention in mentions if mention.agrees is False]
    wrong = [
        (at, path, week_conflict.conflict)
        for at, path, week_conflict in weeks
        if week_conflict.conflict
    ]
    details = [f"“{field.display_text}” in the record" for _, field in against]
    details += [detail for _, _, detail in wrong]
    places = [(at, field.path) for at, field in against] + [(at, path) for at, path, _ in wrong]
    places += [(at, mention.field.path) for at, mention in mentions] + [
        (at, path) for at, path, _ in weeks
    ]
    unstated = tuple(
        mention.field.display_text for _, mention in mentions if mention.agrees is None
    )
    certain = not claim.facts.negative and _CLOSES.isdisjoint(claim.lower)
    explained = _explained(claim, mentions, weeks)
    more = claim.terms - claim.context - explained
    nothing_more = len(more) * _MOST_MORE <= len(claim.terms)
    agrees = not details and not unstated
    return RecordMatch(
        tuple(Conflict(ConflictKind.FIELD, detail, certain=certain) for detail in details),
        unstated,
        agrees,
        _passage(corpus, *places[0]),
        _gaps(claim, mentions) if nothing_more and not details else (),
        nothing_more,
    )


def _gaps(claim: ClaimQuery, mentions: list[FieldMention]) -> tuple[Conflict, ...]:
    """Return the open fields that the claim asserts, if it negates nothing."""
    words = claim.tokens.lower[claim.first : claim.last]
    if not _MORE_THAN_FIELDS.isdisjoint(words) or any(each.denied for _, each in mentions):
        return ()
    if any(True for _ in negations(claim.tokens, claim.first, claim.last)):
        return ()
    fields = [each.field for _, each in mentions if each.agrees is None]
    if any(part.isdecimal() for field in fields for part in field.path.split(".")):
        # A path leads into a list, of which the claim may mean another item.
        return ()
    return tuple(
        Conflict(ConflictKind.FIELD, f"“{text}” in the record", certain=True)
        for text in dict.fromkeys(field.display_text for field in fields)
    )


def _explained(
    claim: ClaimQuery, mentions: list[FieldMention], weeks: list[WeekMatch]
) -> frozenset[str]:
    tokens = claim.tokens
    mentioned_words = {
        stem(tokens.lower[at]) for _, each in mentions for at in range(each.first, each.last)
    }
    groups = {each.field.group for _, each in mentions}
    timed = {tokens.terms[at] for _, _, week in weeks for at in week.positions}
    return frozenset(
        mentioned_words | groups | boolean_fields.TALK | timed | (_HOURS if weeks else set())
    )


def _passage(corpus: Corpus, source: int, path: str) -> int | None:
    """Return the passage of a field's line: the longest path that leads to it."""
    record = corpus.records[source]
    lines = [] if record is None else record.lines
    matching = [line for line in lines if path == line.path or path.startswith(f"{line.path}.")]
    if not matching:
        return None
    line = max(matching, key=lambda each: len(each.path))
    return next(
        (
            at
            for at, passage in enumerate(corpus.passages)
            if passage.source == source and passage.start < line.end and passage.end > line.start
        ),
        None,
    )
