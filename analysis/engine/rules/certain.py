"""Conflicts that decide whatever a model makes of a claim, since its words are the source's own."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress

from msgspec import Struct

from analysis.engine.evidence.corpus import Corpus
from analysis.engine.rules import roles
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.stems import stem
from lib.text.tokens import Tokens
from lib.text.verbs import PAST, past_form
from lib.text.words import STOPWORDS, word_set

Words = Sequence[str]
_PLAN = re.compile(
    r"\b(?:plan(?:s|ned|ning)?|intend(?:s|ed)?|intention|hope[sd]?|aim(?:s|ed)?|wants?|wanted"
    r"|agree[sd]?|propos(?:es?|ed|al)|expect(?:s|ed)|scheduled|due|agreement|deal|offer(?:ed)?|bid"
    r"|promise[sd]?|vow(?:s|ed)|talks|is|are|was|were) (?:how )?(?:to|for|of) (?:be |have )?(\w+)"
    r"|\b(?:will|would|may|might|could) (?:\w+ly )?(?:be )?(\w+)"
    r"|\b(?:consider(?:s|ed|ing)|propos(?:es|ed)|discuss(?:es|ed)|plans?) (\w+ing)\b"
)
_PLANNING = word_set(
    "plan plans planned planning intend intends intended intention hope hopes hoped aim aims aimed "
    "wants wanted agree agrees agreed propose proposes proposed proposal expects expected due "
    "scheduled agreement deal offer offered bid promise promises promised vows vowed talks is are "
    "was were will would may might could considers considered considering discusses discussed "
    "discussing"
)
"""One of these begins every plan."""
_OPEN = word_set(
    "plan plans planned planning will would may might could can shall should must intend intends "
    "intended hope hopes hoped agreed agree agrees expect expected expects scheduled propose "
    "proposed proposes due announced announce considers considered aim aims if proposal not never "
    "no n't offered promised promises wanted wants unless when once"
)
"""A claim with one of these does not tell of a thing done, or not of that alone."""
_PASSIVE = frozenset({"be", "to", "is", "are", "being", "when", "if", "once"})
"""Behind these a past form tells of no past."""
_BASE = {
    "bought": "buy", "sold": "sell", "built": "build", "made": "make", "won": "win", "lost": "lose",
    "became": "become", "began": "begin", "begun": "begin", "took": "take", "taken": "take",
    "gave": "give", "given": "give", "left": "leave", "paid": "pay", "sent": "send",
    "wrote": "write", "written": "write", "broke": "break", "brought": "bring", "chose": "choose",
    "held": "hold", "led": "lead", "met": "meet", "ran": "run", "rose": "rise", "spent": "spend",
    "taught": "teach", "grew": "grow", "drew": "draw", "fell": "fall", "withdrew": "withdraw",
    "found": "find", "shown": "show", "went": "go", "came": "come", "stood": "stand",
}  # fmt: skip


def done_verbs(words: Words) -> frozenset[str]:
    """Stems of what words in lower case tell as done; none where they speak of plans."""
    return frozenset() if not _OPEN.isdisjoint(words) else past_verbs(words)


def planned_verbs(words: Words) -> frozenset[str]:
    """Stems of what words in lower case speak of as planned."""
    phrase = " ".join(words)
    # An apostrophe or an accent may stand before a word of a plan inside of another.
    plain = phrase.isascii() and "'" not in phrase
    if plain and _PLANNING.isdisjoint(words):
        return frozenset()
    return frozenset(_base(next(filter(None, match.groups()))) for match in _PLAN.finditer(phrase))


def past_verbs(words: Words) -> frozenset[str]:
    """Stems of the verbs of the past, those of plans and passives left out."""
    places = compress(range(len(words)), map(_may_be_past, words))
    return frozenset(_base(words[at]) for at in places if not at or words[at - 1] not in _PASSIVE)


@lru_cache(maxsize=1 << 12)
def _may_be_past(word: str) -> bool:
    return word in PAST or word in _BASE or past_form(word)


def _base(word: str) -> str:
    return stem(_BASE.get(word, word))


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
    done = done_verbs(ours.words)
    if done:
        done &= _NOTHING.union(*(planned_verbs(p.words) for p in passages.values()))
    if not done or not done.difference(*(past_verbs(p.words) for p in passages.values())):
        return
    for at, passage in passages.items():
        verbs = done & planned_verbs(passage.words) - past_verbs(passage.words)
        shared = claim.terms & (corpus.passages[at].terms | corpus.around(at))
        if verbs and len(shared) >= _ABOUT * len(claim.terms):
            yield at, _PLANNED
