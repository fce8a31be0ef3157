"""Finite verbs of English by form: enough to tell a clause from a list, without a tagger."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import compress

from lib.text.tokens import MARK, NUMBER, WORD, Tokens
from lib.text.words import (
    ADVERBS,
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    word_set,
)

PAST = word_set(
    "became began broke brought built bought came chose cut did drew drove ate fell felt fought "
    "flew found gave went grew held kept knew led left lent let lost made meant met paid put ran "
    "rose said sat saw sent set shut sold sought spent spoke stood stole took taught thought told "
    "threw understood won wore wrote arose awoke bore bred dealt fled forbade forgot froze got hit "
    "hurt laid lay lit proved quit rode rang sang sank shot shone shook shrank slept slid split "
    "spread sprang stuck struck swore swept swam swung underwent withdrew woke"
)
PRESENT = word_set(
    "accepts achieves acts adds affects aims allows applies appears argues asks attracts becomes "
    "begins believes belongs brings builds buys calls carries causes ceases charges claims closes "
    "comes comprises connects consists contains continues contributes controls costs covers "
    "creates dates declares defines delivers depends derives describes designs develops dies "
    "differs employs enables encourages ends ensures exists expands expects explains extends "
    "faces falls features feeds finds flows follows forms gets gives goes grows happens helps "
    "hires holds hosts houses includes increases indicates influences involves joins keeps knows "
    "lacks lasts leads leaves lies lists lives loses makes manages manufactures marks means "
    "measures meets merges moves needs occurs offers opens operates originates owns passes pays "
    "performs plays points possesses prevents produces promotes protects provides publishes "
    "raises ranges reaches receives recommends reduces refers reflects relates releases relies "
    "remains represents requires results returns reveals rises runs says seems sees sells sends "
    "serves sets shares shows sits spans speaks spends stands starts states stays stops suggests "
    "supplies supports takes teaches tells tends thinks treats turns understands uses varies "
    "wants weighs wins works writes"
)
_NOT_PAST = word_set(
    "hundred sacred speed breed indeed seed need feed shed unlimited limited united naked exceed "
    "proceed succeed weed greed creed embed based related aged gifted kindred infrared"
)
_BARE = word_set("been be being am 's 're 'm having doing")
_FINITE_WORDS = (AUXILIARIES | PAST | PRESENT) - _BARE
_OPENERS = PREPOSITIONS | DETERMINERS | PRONOUNS | ADVERBS | CONJUNCTIONS
_MORE_BASE = word_set(
    "choose clean complete cut display do drink drive eat enter exceed feel fill have install let "
    "must owe permit pick post purchase put read rent reply sign sleep submit suffer travel visit "
    "wait walk wash wear"
)
"""Bare forms of verbs besides those of PRESENT."""
_PLURALS = word_set("people children men women staff police they we you i feet teeth mice geese")
_ARTICLES = DETERMINERS - word_set("that this these those all both each some any another")
_OBJECT_ARTICLES = word_set("a an the its their his her our your my every")
_SHORT_FORMS = ("it's", "he's", "she's", "that's", "they're", "we're", "i'm", "there's", "you're")


def finite(tokens: Tokens, at: int) -> bool:
    """Return whether the token is, by its form, a finite verb."""
    return finite_form(tokens.lower[at]) and not _is_noun(tokens, at)


def finite_verbs(tokens: Tokens, first: int, last: int) -> Iterator[int]:
    """Yield the finite verbs by their form among tokens [first, last), left to right."""
    for at in compress(range(first, last), map(finite_form, tokens.lower[first:last])):
        if not _is_noun(tokens, at):
            yield at


def has_finite_verb(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether tokens [first, last) contain a finite verb by its form."""
    return next(finite_verbs(tokens, first, last), None) is not None


@lru_cache(maxsize=1 << 14)
def finite_form(word: str) -> bool:
    """Return whether the word can be a finite verb."""
    return word in _FINITE_WORDS or word in _SHORT_FORMS or past_form(word)


def predicates(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether tokens [first, last) hold a finite verb, that of a plural subject included.

    "Refunds take 14 days" has none by its form alone: "take" is one behind a plural. A content
    word between another and an article is taken for one: "The club sponsors a team".
    """
    for at in range(first, last):
        if is_verb(tokens, at, first):
            return True
        if first < at < last - 1 and tokens.lower[at + 1] in _OBJECT_ARTICLES:
            pair = slice(at - 1, at + 1)
            if tokens.kinds[pair] == [WORD, WORD] and all(tokens.terms[pair]):
                return True
    return False


def is_verb(tokens: Tokens, at: int, first: int) -> bool:
    """Return whether the token is a finite verb by form, or is "take" behind "refunds"."""
    if finite(tokens, at):
        return True
    if at <= first or tokens.lower[at] not in BASE:
        return False
    before = at - 1
    while before > first and is_adverb(tokens.lower[before]):
        before -= 1
    word = tokens.lower[before]
    plural = word.endswith("s") and not word.endswith(("ss", "us", "is", "'s"))
    return tokens.kinds[before] == WORD and (plural or word in _PLURALS)


def past_form(word: str) -> bool:
    """Return whether the word is a regular past: merged, closed."""
    return word.endswith("ed") and len(word) > 4 and word not in _NOT_PAST


def opens_predicate(tokens: Tokens, at: int, last: int) -> bool:
    """Return whether a verb phrase begins at the token: "merged with", not "fried rice"."""
    if not finite(tokens, at) or tokens.lower[at] in _SHORT_FORMS:
        return False
    word = tokens.lower[at]
    if word in AUXILIARIES or word in PRESENT or at + 1 >= last:
        return True
    following = tokens.words[at + 1]
    if tokens.kinds[at + 1] in (MARK, NUMBER):
        return following != "-"
    lower = tokens.lower[at + 1]
    return lower in _OPENERS or following[0].isupper() or lower.endswith("ly")


def skip_adverbs(tokens: Tokens, at: int, last: int) -> int:
    """Return the first token from `at` that is no adverb."""
    while at < last and tokens.kinds[at] == WORD and is_adverb(tokens.lower[at]):
        at += 1
    return at


@lru_cache(maxsize=1 << 12)
def is_adverb(word: str) -> bool:
    """Return whether the word is then, also, later or a word in -ly."""
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4)


def _is_noun(tokens: Tokens, at: int) -> bool:
    """Return whether a determiner makes the token no verb ("the limited"), or it is May of a date.

    "that closed" and "this is" are verbs.
    """
    word, before = tokens.lower[at], tokens.lower[at - 1] if at else ""
    if word == "may":
        return NUMBER in tokens.kinds[at + 1 : at + 2]
    return word not in AUXILIARIES and before in _ARTICLES


def _base(word: str) -> str:
    """Return the plural form of a verb in the third person: carries, reaches, takes."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes", "goes")):
        return word[:-2]
    return word[:-1]


BASE = frozenset(map(_base, PRESENT)) | _MORE_BASE
