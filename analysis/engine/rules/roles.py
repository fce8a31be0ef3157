"""Compares who does what to whom: "Weil wrote it, Berg sang it", not "Berg wrote it, Weil …".

By form alone: words before a verb are its agent and those after it its patient; in the passive the
other way round.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress

from msgspec import Struct

from analysis.engine.evidence.corpus import Corpus, memoise
from analysis.engine.rules.conflicts import MUTUAL, OTHER_WAY, ClaimQuery
from analysis.engine.signal_types import Conflict
from lib.text.stems import stem
from lib.text.tokens import MARK, NUMBER, WORD, Tokens
from lib.text.verbs import finite_form, is_adverb
from lib.text.words import (
    AUXILIARIES,
    BE,
    CONJUNCTIONS,
    DETERMINERS,
    MODALS,
    PREPOSITIONS,
    PRONOUNS,
    STOPWORDS,
    word_set,
)

Terms = frozenset[str]
_STOPPED = frozenset(map(stem, STOPWORDS))
"""Stems that no passage counts among its terms."""
NOTHING: Terms = frozenset()
_REACH = 4
"""Tokens from a verb to its "to"."""
_LONGEST = 5
_TITLES = word_set("mr mrs ms dr prof professor sir")
_RELATIVES = word_set("who which that whom whose")
_ENDS = PREPOSITIONS | CONJUNCTIONS | DETERMINERS | AUXILIARIES | _RELATIVES
_OPENING = PREPOSITIONS | CONJUNCTIONS
_NEVER_VERBS = STOPWORDS - AUXILIARIES
_PARTING = _RELATIVES | {";", ":"}
_JOINING = _PARTING | CONJUNCTIONS


class Event(Struct, frozen=True, gc=False):
    """An event: `agent` does `verb` (a stem) to `patient`, or gives something `to` it."""

    agent: Terms
    verb: str
    patient: Terms
    to: bool = False


def other_way_round(
    claim: ClaimQuery, corpus: Corpus, order: Sequence[int]
) -> list[tuple[int, Conflict]]:
    """Return the passages in which one does to another what a claim says the other did to it."""
    ours = tuple(_events(claim.tokens, claim.first, claim.last, claim.context))
    if not ours or claim.facts.negative:
        return []
    verbs = {event.verb for event in ours}
    if verbs.isdisjoint(_STOPPED):
        order = [at for at in order if not verbs.isdisjoint(corpus.passages[at].terms)]
    theirs = {at: _events_of(corpus, at) for at in order}
    if not _are_swapped(ours, [event for events in theirs.values() for event in events]):
        return []
    return [(at, OTHER_WAY) for at, events in theirs.items() if _are_swapped(ours, events)]


@memoise
def _events_of(corpus: Corpus, index: int) -> tuple[Event, ...]:
    """Return the events of a passage."""
    return tuple(_events(*corpus.part(index), NOTHING))


def _are_swapped(ours: Sequence[Event], theirs: Sequence[Event]) -> bool:
    """Return whether an event of the claim occurs with swapped roles, and never as claimed."""
    turned = False
    for event in ours:
        for other in theirs:
            if (event.verb, event.to) != (other.verb, other.to):
                continue
            if event.agent & other.agent and event.patient & other.patient:
                return False
            turned |= bool(event.agent & other.patient and event.patient & other.agent)
    return turned


def _events(tokens: Tokens, first: int, last: int, context: Terms) -> Iterator[Event]:
    """Yield the events in tokens [first, last), with passives as actives.

    `context` are stems of the subject if the span has none of its own.
    """
    lower, kinds = tokens.lower, tokens.kinds
    subject, start_at, passive = context, first, False
    for at in _places(lower, first, last):
        word = lower[at]
        if word in _JOINING and (word in _PARTING or _new_subject(tokens, at, last)):
            subject, start_at, passive = NOTHING, at + 1, False
        before_by = at + 1 < last and lower[at + 1] == "by" and kinds[at] == WORD
        behind_modal = at > first and lower[at - 1] in MODALS
        is_verb = (
            word not in _NEVER_VERBS
            and (behind_modal or finite_form(word))
            and (at == 0 or lower[at - 1] not in DETERMINERS)
        )
        if not is_verb and not before_by:
            continue
        by = _phrase(tokens, at + 2, last) if before_by else NOTHING
        be = not BE.isdisjoint(lower[max(first, at - 3) : at])
        if not is_verb and not (by and (be or passive)):
            continue
        subject = _subject(tokens, start_at, at, subject)
        start_at = at + 1
        name = stem(word)
        if not subject or word in AUXILIARIES or name in MUTUAL:
            continue
        passive = be or (passive and bool(by))
        if passive:
            if by:
                yield Event(by, name, subject)
            continue
        patient = _phrase(tokens, at + 1, last)
        if patient:
            yield Event(subject, name, patient)
        receiver = _receiver(tokens, at, last)
        if receiver:
            yield Event(subject, name, receiver, to=True)


def _places(lower: Sequence[str], first: int, last: int) -> Iterable[int]:
    """Return where something may begin: a verb form, a joining word, a word before "by"."""
    words = lower[first:last]
    verbs = compress(range(first, last), map(finite_form, words))
    if "by" not in words and _JOINING.isdisjoint(words) and MODALS.isdisjoint(words):
        return verbs
    others = {at for at, word in enumerate(words, first) if word in _JOINING}
    others.update(at + 1 for at, word in enumerate(words[:-1], first) if word in MODALS)
    others.update(at - 1 for at, word in enumerate(words, first) if word == "by" and at > first)
    return sorted(others.union(verbs))


def _subject(tokens: Tokens, first: int, verb: int, before: Terms) -> Terms:
    """Return the subject of a verb: its own phrase or the previous verb's; none for a pronoun."""
    end = _end_of_subject(tokens, first, verb)
    if end > first and tokens.lower[end - 1] in PRONOUNS:
        return NOTHING
    return _phrase_before(tokens, first, end) or before


def _end_of_subject(tokens: Tokens, first: int, verb: int) -> int:
    """Return where the auxiliaries and adverbs before a verb begin."""
    end = verb
    while end > first and (
        tokens.lower[end - 1] in AUXILIARIES or is_adverb(tokens.lower[end - 1])
    ):
        end -= 1
    return end


def _new_subject(tokens: Tokens, joint: int, last: int) -> bool:
    """Return whether a noun of its own, and then a verb, follows a joining word."""
    for at in range(joint + 1, min(joint + 1 + _LONGEST, last)):
        word = tokens.lower[at]
        if finite_form(word):
            return at > joint + 1 and any(tokens.terms[joint + 1 : at])
        if word in PREPOSITIONS or tokens.kinds[at] == MARK:
            return False
    return False


def _phrase_before(tokens: Tokens, first: int, verb: int) -> Terms:
    """Return the noun phrase that ends where a verb begins."""
    start = end = verb
    while start > first and tokens.words[start - 1] not in (",", ";", ":", "(", ")", "–", "—"):
        if tokens.lower[start - 1] in _OPENING:
            return NOTHING
        start -= 1
    if start > first and tokens.words[start - 1] == ",":
        return NOTHING
    return _terms(tokens, start, end)


def _receiver(tokens: Tokens, verb: int, last: int) -> Terms:
    """Return the noun phrase after the first "to" near a verb."""
    for at in range(verb + 1, min(verb + 1 + _REACH, last)):
        if tokens.lower[at] == "to":
            return _phrase(tokens, at + 1, last)
        if tokens.kinds[at] == MARK or finite_form(tokens.lower[at]):
            break
    return NOTHING


def _phrase(tokens: Tokens, at: int, last: int) -> Terms:
    """Return the noun phrase that begins at a token, without its determiners."""
    while at < last and tokens.lower[at] in DETERMINERS:
        at += 1
    end = at
    while end < min(last, at + _LONGEST) and tokens.kinds[end] not in (NUMBER,):
        mark = tokens.kinds[end] == MARK and tokens.words[end] not in ("-", ".", "'")
        if mark or tokens.lower[end] in _ENDS:
            break
        end += 1
    return _terms(tokens, at, end)


def _terms(tokens: Tokens, first: int, last: int) -> Terms:
    return frozenset(filter(None, tokens.terms[first:last])) - _TITLES
