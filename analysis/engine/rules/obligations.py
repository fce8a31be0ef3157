"""Duties: who has them, whom a claim releases from them, and what they leave to choose.

"Drivers are exempt from X", "The guards must X" and "Drivers must X and Y" have the words of
"Drivers must X or Y", and none of them follows from it.
"""

from collections.abc import Sequence

from lib.text.stems import stem
from lib.text.tokens import MARK, Tokens
from lib.text.words import PREPOSITIONS, STOPWORDS, word_set

Terms = frozenset[str]
_DUTY_WORDS = word_set("must shall")
_DUTY_PHRASES = (
    ("have", "to"), ("has", "to"), ("need", "to"), ("needs", "to"), ("required", "to"),
    ("obliged", "to"),
)  # fmt: skip
_DUTY_OPENERS = _DUTY_WORDS | {phrase[0] for phrase in _DUTY_PHRASES}
_NEEDS = word_set("need needs require requires required mandatory compulsory obligatory")
_RELEASES = (
    "exempt from", "exempted from", "excused from", "free from", "relieved of", "freed from",
    "can skip", "may skip", "can ignore", "may ignore", "can forgo", "may forgo", "can omit",
    "may omit", "can do without", "may do without", "work without", "can go without",
    "need not", "needn't", "do not have to", "don't have to", "does not have to",
    "doesn't have to", "do not need", "don't need", "does not need", "are not required to",
    "is not required to", "not obliged to", "choose not to", "must not", "mustn't",
    "forbidden to", "not allowed to", "prohibited from", "never",
)  # fmt: skip
_RELEASING = word_set(
    "exempt exempted excused free relieved freed skip ignore forgo omit do without need needn't "
    "don't does doesn't not mustn't forbidden prohibited never"
)
"""One of these stands in every release."""
_NEGATIVE = word_set("not no never n't without exempt except cannot")
_TURNING = word_set("by be been being if when not")
"""Words with which the parts of a sentence may stand in another order."""
_SAME = 0.5
"""Share of the predicate's words that both must have for it to be the same duty."""


def releases(tokens: Tokens, first: int, last: int) -> str:
    """The phrase by which a claim lifts a duty; "" where it lifts none."""
    if _RELEASING.isdisjoint(tokens.lower[first:last]):
        return ""
    padded = f" {' '.join(tokens.lower[first:last])} "
    return next((phrase for phrase in _RELEASES if f" {phrase} " in padded), "")


def obliges(tokens: Tokens, first: int, last: int) -> bool:
    """Whether a passage imposes a duty and lifts none."""
    words = tokens.lower[first:last]
    if not _NEGATIVE.isdisjoint(words) or any(word.endswith("n't") for word in words):
        return False
    return not _NEEDS.isdisjoint(words) or _duty(words) is not None


def lays_duty(words: Sequence[str]) -> bool:
    """Whether words in lower case lay a duty on somebody."""
    return _duty(words) is not None


def another_actor(ours: Sequence[str], theirs: Sequence[str], source_terms: Terms) -> bool:
    """Whether the claim lays the passage's duty on somebody else, whom the sources know too.

    `ours` and `theirs` are the words of the claim and of the passage in lower case.
    """
    our_duty, their_duty = _duty(ours), _duty(theirs)
    if our_duty is None or their_duty is None or not _TURNING.isdisjoint((*ours, *theirs)):
        return False
    actors, due = _terms(theirs[: their_duty[0]]), _terms(theirs[their_duty[1] :])
    our_due = _terms(ours[our_duty[1] :])
    parts_named = [_terms(part) for part in _parts(ours[: our_duty[0]])]
    others = [
        terms
        for terms in parts_named
        if terms and terms.isdisjoint(actors) and terms <= source_terms
    ]
    if not actors or not others:
        return False
    both = our_due.union(*others)
    if len(both & (due | actors)) >= _SAME * len(both):
        return True
    return len(our_due & due) >= _SAME * len(our_due)


def is_disarranged(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether the claim has who and what of the passage's duty on the wrong sides of it."""
    our_duty, their_duty = _duty(ours), _duty(theirs)
    if our_duty is None or their_duty is None or ours[0] in PREPOSITIONS:
        return False
    if not _TURNING.isdisjoint((*ours, *theirs)):
        return False
    actors, due = _terms(theirs[: their_duty[0]]), _terms(theirs[their_duty[1] :])
    before, behind = _terms(ours[: our_duty[0]]), _terms(ours[our_duty[1] :])
    return bool((actors - due) & behind) or bool((due - actors) & before)


def _parts(words: Sequence[str]) -> list[Sequence[str]]:
    """The words between one "and" and the next."""
    parts, start = list[Sequence[str]](), 0
    for at, word in enumerate((*words, "and")):
        if word == "and":
            parts.append(words[start:at])
            start = at + 1
    return parts


def narrows_choice(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether the passage leaves a choice ("A or B") where the claim demands one or both."""
    if "or" not in theirs or "or" in ours or "either" in ours:
        return False
    our_duty, their_duty = _duty(ours), _duty(theirs)
    if our_duty is None or their_duty is None or "or" not in theirs[their_duty[1] :]:
        return False
    at = theirs.index("or", their_duty[1])
    choices = _terms(_phrase_before(theirs, at)) | _terms(_phrase_after(theirs, at))
    return not choices.isdisjoint(_terms(ours[our_duty[1] :]))


def _duty(words: Sequence[str]) -> tuple[int, int] | None:
    """Where the duty is laid on somebody: its first word and the end of the phrase."""
    if _DUTY_OPENERS.isdisjoint(words):
        return None
    for at, word in enumerate(words):
        if word in _DUTY_WORDS and words[max(0, at - 1)] != "a":
            return at, at + 1
        if tuple(words[at : at + 2]) in _DUTY_PHRASES:
            return at, at + 2
    return None


def _phrase_before(words: Sequence[str], at: int) -> Sequence[str]:
    start = at
    while start > 0 and words[start - 1] not in PREPOSITIONS and words[start - 1].isalpha():
        start -= 1
        if words[start] in STOPWORDS:
            break
    return words[start:at]


def _phrase_after(words: Sequence[str], at: int) -> Sequence[str]:
    end = at + 1
    while end < len(words) and words[end] not in PREPOSITIONS and words[end][0].isalpha():
        end += 1
    return words[at + 1 : end]


def _terms(words: Sequence[str]) -> Terms:
    return frozenset(stem(word) for word in words if word[0].isalpha() and word not in STOPWORDS)


def lower_words(tokens: Tokens, first: int, last: int) -> list[str]:
    """The words of a stretch in lower case, without its marks."""
    return [tokens.lower[at] for at in range(first, last) if tokens.kinds[at] != MARK]
