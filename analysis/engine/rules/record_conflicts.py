"""What the records among the sources state outright about a claim: fields and opening hours."""

from collections import defaultdict
from dataclasses import dataclass

from analysis.engine.evidence.corpus import Corpus
from analysis.engine.evidence.record_fields import RecordFields
from analysis.engine.rules import boolean_fields, opening_hours
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from text.stems import stem
from text.words import word_set

_HOURS = frozenset(map(stem, opening_hours.WORDS))
_CLOSES = word_set("close closes closing")
"""An hour at which something closes is taken for a day on which it is closed at times."""


@dataclass(frozen=True, slots=True)
class RecordMatch:
    """What records say of a claim: conflicts, fields they leave open, and what they bear out.

    `passage` is the one in conflict, else one that bears it out; `explained` are the claim's
    terms that the fields account for.
    """

    conflicts: tuple[Conflict, ...]
    unstated: tuple[str, ...]
    agrees: bool
    passage: int | None
    explained: frozenset[str]


def match_records(claim: ClaimQuery, corpus: Corpus) -> RecordMatch | None:
    """What the records state about a claim; None where they state nothing of it.

    Where records, or parts of one, say different things of what the claim speaks of, it may be of
    either, and words have to tell: then they state nothing. Nor does a record that does not know
    the name the claim begins with.
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


def _disputed(mentions: list[tuple[int, boolean_fields.Mention]]) -> set[str]:
    """The names of fields that say one thing here and another there."""
    values: dict[str, set[bool | None]] = defaultdict(set)
    for _, mention in mentions:
        values[mention.field.name].add(mention.agrees)
    return {name for name, each in values.items() if len(each) > 1}


def _record_match(
    claim: ClaimQuery,
    corpus: Corpus,
    mentions: list[tuple[int, boolean_fields.Mention]],
    weeks: list[tuple[int, str, opening_hours.Opening]],
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
    certain = not claim.facts.negative and _CLOSES.isdisjoint(claim.modifiers.lower)
    return RecordMatch(
        tuple(Conflict(ConflictKind.FIELD, detail, certain=certain) for detail in details),
        unstated,
        not details and not unstated,
        _passage(corpus, *places[0]),
        _explained(claim, [mention for _, mention in mentions], bool(weeks)),
    )


def _explained(
    claim: ClaimQuery, mentions: list[boolean_fields.Mention], hours: bool
) -> frozenset[str]:
    tokens = claim.tokens
    mentioned_words = {
        stem(tokens.lower[at]) for each in mentions for at in range(each.first, each.last)
    }
    groups = {each.field.group for each in mentions}
    figured = {term for term in claim.terms if term[0].isdigit()}
    return frozenset(
        mentioned_words | groups | boolean_fields.TALK | (_HOURS | figured if hours else set())
    )


def _passage(corpus: Corpus, source: int, path: str) -> int | None:
    """The passage of the line that a field stands on: the longest path that leads to it."""
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
