"""Conflicts that decide whatever a model says, since the claim uses the source's own words."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from analysis.engine.evidence.corpus import Corpus
from analysis.engine.rules import another_group, plans, roles
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.rules.parts import Part, parts_of
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.stems import stem
from lib.text.tokens import Tokens
from lib.text.words import STOPWORDS, word_set

ConflictAt = tuple[int, Conflict]
_NOTHING = frozenset[str]()
_OTHER_WAY = Conflict(ConflictKind.NAME, "the source has it the other way round", certain=True)
_NOT_ALONE = Conflict(ConflictKind.FRAME, "the source says it about more than one", certain=True)
_SOME_ONLY = Conflict(ConflictKind.FRAME, "the source says it about some only", certain=True)
_PLANNED = Conflict(ConflictKind.FRAME, "the source only mentions a plan", certain=True)
_EVERY = word_set("both all every each either any everyone everybody")
_MOST_OF_IT = 0.75
"""Share of a claim's terms that a passage has which says the same of more than one."""
_ABOUT = 0.6
"""Share of a claim's terms that a passage has which plans the same."""
_STOPPED = frozenset(map(stem, STOPWORDS))
"""Stems that no passage counts among its terms."""


class _Read(Struct, gc=False):
    """A text span with lazily parsed clauses, events and verbs."""

    tokens: Tokens
    first: int
    last: int
    words: list[str]
    context: frozenset[str] = _NOTHING
    """Stems of the subject, where a claim has none of its own."""
    known_parts: tuple[Part, ...] | None = None
    known_events: tuple[roles.Event, ...] | None = None

    @property
    def parts(self) -> tuple[Part, ...]:
        if self.known_parts is None:
            self.known_parts = parts_of(self.tokens, self.first, self.last)
        return self.known_parts

    @property
    def events(self) -> tuple[roles.Event, ...]:
        if self.known_events is None:
            self.known_events = roles.events(self.tokens, self.first, self.last, self.context)
        return self.known_events


def certain_conflicts(
    claim: ClaimQuery, corpus: Corpus, order: Sequence[int]
) -> Iterator[ConflictAt]:
    """Yield certain conflicts of non-question passages, each with the passage's index."""
    passages = {at: _passage(corpus, at) for at in order}
    ours = _of_claim(claim)
    yield from _of_other_groups(claim, ours, corpus, passages)
    yield from _other_way_round(claim, ours, corpus, passages)
    yield from _plans(claim, ours, corpus, passages)
    yield from _of_more_than_one(claim, ours, corpus, passages)


def _of_claim(claim: ClaimQuery) -> _Read:
    words = claim.tokens.lower[claim.first : claim.last]
    return _Read(claim.tokens, claim.first, claim.last, words, claim.context)


def _passage(corpus: Corpus, index: int) -> _Read:
    reading: _Read | None = corpus.read_parts.get(index)
    if reading is None:
        passage = corpus.passages[index]
        tokens, first, last = corpus.tokens[passage.source], passage.first, passage.last
        reading = corpus.read_parts[index] = _Read(tokens, first, last, tokens.lower[first:last])
    return reading


def _of_other_groups(
    claim: ClaimQuery, ours: _Read, corpus: Corpus, passages: dict[int, _Read]
) -> Iterator[ConflictAt]:
    if not ours.parts:
        return
    by_source: dict[int, list[int]] = defaultdict(list)
    for at in passages:
        by_source[corpus.passages[at].source].append(at)
    for places in by_source.values():
        terms = [(at, corpus.passages[at].terms) for at in places]
        for mine in ours.parts:
            speaking = [at for at, words in terms if mine.subject <= words]
            if not any(corpus.facts[at].negative for at in speaking):
                continue
            parts = (part for at in speaking for part in passages[at].parts)
            own = [part for part in parts if part.subject == mine.subject]
            holding = (at for at, words in terms if another_group.may_hold(mine, words))
            theirs = (part for at in holding for part in passages[at].parts)
            pair = another_group.of_another(mine, own, theirs)
            if pair is None:
                continue
            holder_at, at = (_place_of(part, places, passages) for part in pair)
            names = _subject(corpus, holder_at, pair[0])
            name = _subject(corpus, at, pair[1])
            detail = f"the source says it about “{names}”, not about “{name}”"
            yield at, Conflict(ConflictKind.NAME, detail, certain=True)


def _place_of(part: Part, places: Sequence[int], passages: dict[int, _Read]) -> int:
    """Return the passage that contains a clause."""
    return next(at for at in places if any(part is other for other in passages[at].parts))


def _subject(corpus: Corpus, index: int, part: Part) -> str:
    tokens = corpus.tokens[corpus.passages[index].source]
    places = [at for at in range(part.first, part.verb) if tokens.terms[at] in part.subject]
    return corpus.visible_text(
        corpus.passages[index].source, tokens.starts[places[0]], tokens.ends[places[-1]]
    )


def _other_way_round(
    claim: ClaimQuery, ours: _Read, corpus: Corpus, passages: dict[int, _Read]
) -> Iterator[ConflictAt]:
    if not ours.events or claim.facts.negative:
        return
    verbs = {event.verb for event in ours.events}
    if verbs.isdisjoint(_STOPPED):
        passages = {
            at: passage
            for at, passage in passages.items()
            if not verbs.isdisjoint(corpus.passages[at].terms)
        }
    every = [event for passage in passages.values() for event in passage.events]
    if not every:
        return
    turned = roles.swapped_roles(ours.events, every)
    for at, passage in passages.items():
        if turned and roles.swapped_roles(ours.events, passage.events):
            yield at, _OTHER_WAY
        elif agent := roles.another_agent(ours.events, passage.events):
            name = " ".join(
                word
                for place, word in enumerate(passage.words, passage.first)
                if passage.tokens.terms[place] in agent
            )
            yield (
                at,
                Conflict(ConflictKind.NAME, f"the source says it about “{name}”", certain=True),
            )


def _of_more_than_one(
    claim: ClaimQuery, ours: _Read, corpus: Corpus, passages: dict[int, _Read]
) -> Iterator[ConflictAt]:
    """Yield passages that say of all what a claim says of one only, and the reverse."""
    sole, every = "only" in ours.words[:2], ours.words[0] in _EVERY
    if claim.facts.negative or not (sole or every):
        return
    for at, passage in passages.items():
        if corpus.facts[at].negative or corpus.facts[at].conditional:
            continue
        of_all = not _EVERY.isdisjoint(passage.words) and "only" not in passage.words
        if (sole and of_all) or (every and passage.words[0] == "only"):
            others = claim.terms - claim.context or claim.terms
            near = corpus.passages[at].terms
            if others & near and len(others & near) >= _MOST_OF_IT * len(others):
                yield at, _NOT_ALONE if sole else _SOME_ONLY


def _plans(
    claim: ClaimQuery, ours: _Read, corpus: Corpus, passages: dict[int, _Read]
) -> Iterator[ConflictAt]:
    """Yield passages that only plan what a claim tells as done, where none tells it as done."""
    done = plans.done_verbs(ours.words)
    if done:
        done &= _NOTHING.union(*(plans.planned_verbs(p.words) for p in passages.values()))
    if not done or not done.difference(*(plans.past_verbs(p.words) for p in passages.values())):
        return
    for at, passage in passages.items():
        verbs = done & plans.planned_verbs(passage.words) - plans.past_verbs(passage.words)
        shared = claim.terms & (corpus.passages[at].terms | corpus.around(at))
        if verbs and len(shared) >= _ABOUT * len(claim.terms):
            yield at, _PLANNED
