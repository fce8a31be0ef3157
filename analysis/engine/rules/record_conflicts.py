"""What the records among the sources state outright about a claim: fields and opening hours."""

from collections import defaultdict
from dataclasses import dataclass

from analysis.engine.evidence.corpus import Corpus
from analysis.engine.evidence.record_fields import RecordFields
from analysis.engine.rules import boolean_fields, opening_hours
from analysis.engine.rules.conflicts import Asked
from analysis.engine.types import Conflict, ConflictKind
from text.stems import stem

_HOURS = frozenset(map(stem, opening_hours.WORDS))


@dataclass(frozen=True, slots=True)
class Told:
    """What records say of a claim: conflicts, fields they leave open, and what they bear out.

    `passage` is the one in conflict, else one that bears it out; `explained` are the claim's
    terms that the fields account for.
    """

    conflicts: tuple[Conflict, ...]
    unstated: tuple[str, ...]
    agrees: bool
    passage: int | None
    explained: frozenset[str]


def told(asked: Asked, corpus: Corpus) -> Told | None:
    """What the records state about a claim; None where they state nothing of it.

    Where records, or parts of one, say different things of what the claim speaks of, it may be of
    either, and words have to tell: then they state nothing. Nor does a record that does not know
    the name the claim begins with.
    """
    part = asked.tokens, asked.first, asked.last
    known = [(at, each) for at, each in corpus.stated if _may_be_of(asked, each)]
    found = [(at, one) for at, each in known for one in boolean_fields.mentions(*part, each)]
    weeks = [
        (at, week.path, held)
        for at, each in known
        for week in each.weeks
        if (held := opening_hours.held_against(*part, week))
    ]
    disputed = _disputed(found)
    found = [(at, one) for at, one in found if one.field.name not in disputed]
    if len({held.conflict == "" for _, _, held in weeks}) > 1:
        weeks = []
    return _told(asked, corpus, found, weeks) if found or weeks else None


def _may_be_of(asked: Asked, record: RecordFields) -> bool:
    leading = asked.facts.leading
    return not leading or not leading.isdisjoint(record.prose)


def _disputed(found: list[tuple[int, boolean_fields.Mention]]) -> set[str]:
    """The names of fields that say one thing here and another there."""
    said: dict[str, set[bool | None]] = defaultdict(set)
    for _, one in found:
        said[one.field.name].add(one.agrees)
    return {name for name, each in said.items() if len(each) > 1}


def _told(
    asked: Asked,
    corpus: Corpus,
    found: list[tuple[int, boolean_fields.Mention]],
    weeks: list[tuple[int, str, opening_hours.Opening]],
) -> Told:
    against = [(at, one.field) for at, one in found if one.agrees is False]
    wrong = [(at, path, held.conflict) for at, path, held in weeks if held.conflict]
    details = [f"“{field.shown}” in the record" for _, field in against]
    details += [detail for _, _, detail in wrong]
    places = [(at, field.path) for at, field in against] + [(at, path) for at, path, _ in wrong]
    places += [(at, one.field.path) for at, one in found] + [(at, path) for at, path, _ in weeks]
    unstated = tuple(one.field.shown for _, one in found if one.agrees is None)
    return Told(
        tuple(Conflict(ConflictKind.FIELD, detail) for detail in details),
        unstated,
        not details and not unstated,
        _passage(corpus, *places[0]),
        _explained(asked, [one for _, one in found], bool(weeks)),
    )


def _explained(asked: Asked, found: list[boolean_fields.Mention], hours: bool) -> frozenset[str]:
    tokens = asked.tokens
    named = {stem(tokens.lower[at]) for each in found for at in range(each.first, each.last)}
    groups = {each.field.group for each in found}
    figured = {term for term in asked.terms if term[0].isdigit()}
    return frozenset(named | groups | boolean_fields.TALK | (_HOURS | figured if hours else set()))


def _passage(corpus: Corpus, source: int, path: str) -> int | None:
    """The passage of the line that a field stands on: the longest path that leads to it."""
    record = corpus.records[source]
    lines = [] if record is None else record.lines
    held = [line for line in lines if path == line.path or path.startswith(f"{line.path}.")]
    if not held:
        return None
    line = max(held, key=lambda each: len(each.path))
    return next(
        (
            at
            for at, passage in enumerate(corpus.passages)
            if passage.source == source and passage.start < line.end and passage.end > line.start
        ),
        None,
    )
