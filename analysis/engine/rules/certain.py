"""Conflicts that decide whatever a model makes of a claim, since its words are the source's own."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from analysis.engine.evidence.corpus import Corpus
from analysis.engine.rules import plans, roles
from analysis.engine.rules.conflicts import ClaimQuery
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
    """A stretch as these rules read it: what one asks for is read then, once for all claims."""

    tokens: Tokens
    first: int
    last: int
    words: list[str]
    context: frozenset[str] = _NOTHING
    """Stems of the subject, where a claim has none of its own."""
    known_deeds: tuple[roles.Deed, ...] | None = None

    @property
    def deeds(self) -> tuple[roles.Deed, ...]:
        if self.known_deeds is None:
            self.known_deeds = roles.deeds(self.tokens, self.first, self.last, self.context)
        return self.known_deeds


def certain_conflicts(
    claim: ClaimQuery, corpus: Corpus, order: Sequence[int]
) -> Iterator[ConflictAt]:
    """What passages that ask nothing say otherwise, each with the one (an index) that says it."""
    passages = {at: _passage(corpus, at) for at in order}
    ours = _of_claim(claim)
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


def _other_way_round(
    claim: ClaimQuery, ours: _Read, corpus: Corpus, passages: dict[int, _Read]
) -> Iterator[ConflictAt]:
    if not ours.deeds or claim.facts.negative:
        return
    verbs = {deed.verb for deed in ours.deeds}
    if verbs.isdisjoint(_STOPPED):
        passages = {
            at: passage
            for at, passage in passages.items()
            if not verbs.isdisjoint(corpus.passages[at].terms)
        }
    every = [deed for passage in passages.values() for deed in passage.deeds]
    if not every:
        return
    turned = roles.reversed_deed(ours.deeds, every)
    for at, passage in passages.items():
        if turned and roles.reversed_deed(ours.deeds, passage.deeds):
            yield at, _OTHER_WAY
        elif agent := roles.another_agent(ours.deeds, passage.deeds):
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
