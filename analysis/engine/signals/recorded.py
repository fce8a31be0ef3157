"""What the records among the sources state outright about a claim: fields and opening hours."""

from dataclasses import dataclass

from analysis.engine.record_fields import Week
from analysis.engine.signals import fields, opening
from analysis.engine.signals.conflicts import Asked
from analysis.engine.signals.corpus import Corpus
from analysis.engine.types import Conflict, ConflictKind
from text.stems import stem
from text.words import word_set

_TALK = frozenset(
    stem(word)
    for word in word_set(
        "restaurant business establishment place cafe hotel shop store bar company customers "
        "guests visitors offer offers provide provides provided include includes feature features "
        "have available availability option options service services amenity amenities accept "
        "accepts allow allows serve convenience additionally also open operate hours daily week "
        "every close am pm closed day days from until regular operating various both free"
    )
)
"""Words around a field that say nothing more than the field does."""
_HOURS = frozenset(map(stem, opening.WORDS))


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
    """What the records state about a claim; None where they state nothing of it."""
    for source, record in corpus.stated:
        found = fields.mentions(asked.tokens, asked.first, asked.last, record)
        weeks = [
            (week, held)
            for week in record.weeks
            if (held := opening.held_against(asked.tokens, asked.first, asked.last, week))
        ]
        if found or weeks:
            return _told(asked, corpus, source, found, weeks)
    return None


def _told(
    asked: Asked,
    corpus: Corpus,
    source: int,
    found: list[fields.Mention],
    weeks: list[tuple[Week, opening.Opening]],
) -> Told:
    against = [each for each in found if each.agrees is False]
    wrong = [(week, held) for week, held in weeks if held.conflict]
    details = [f"“{each.field.shown}” in the record" for each in against]
    details += [held.conflict for _, held in wrong]
    paths = [each.field.path for each in against] + [week.path for week, _ in wrong]
    paths += [each.field.path for each in found] + [week.path for week, _ in weeks]
    unstated = tuple(each.field.shown for each in found if each.agrees is None)
    tokens = asked.tokens
    explained = {stem(tokens.lower[at]) for each in found for at in range(each.first, each.last)}
    explained |= {each.field.group for each in found} | _TALK
    if weeks:
        figured = {term for term in asked.terms if term[0].isdigit()}
        explained |= _HOURS | figured
    return Told(
        tuple(Conflict(ConflictKind.FIELD, detail) for detail in details),
        unstated,
        not details and not unstated,
        _passage(corpus, source, paths[0]),
        frozenset(explained),
    )


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
