"""Detects what a source only plans and a claim reports as done: "agreed to buy" is not "bought"."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import compress

from lib.text.stems import stem
from lib.text.verbs import PAST, past_form
from lib.text.words import word_set

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
    """Return the stems of verbs reported as done; none if the words are about plans."""
    return frozenset() if not _OPEN.isdisjoint(words) else past_verbs(words)


def planned_verbs(words: Words) -> frozenset[str]:
    """Return the stems of planned actions in lower-case words."""
    phrase = " ".join(words)
    # An apostrophe or an accent may stand before a word of a plan inside of another.
    plain = phrase.isascii() and "'" not in phrase
    if plain and _PLANNING.isdisjoint(words):
        return frozenset()
    return frozenset(_base(next(filter(None, match.groups()))) for match in _PLAN.finditer(phrase))


def past_verbs(words: Words) -> frozenset[str]:
    """Return the stems of past-tense verbs, without those of plans and passives."""
    places = compress(range(len(words)), map(_may_be_past, words))
    return frozenset(_base(words[at]) for at in places if not at or words[at - 1] not in _PASSIVE)


@lru_cache(maxsize=1 << 12)
def _may_be_past(word: str) -> bool:
    return word in PAST or word in _BASE or past_form(word)


def _base(word: str) -> str:
    return stem(_BASE.get(word, word))
