"""Answers of a word to a question of yes or no: "Is it closed in May?" "Yes." says it is closed.

What such an answer claims stands in the question; it is put into a statement's order here.
"""

from functools import lru_cache

from lib.text.opposites import ANTONYMS
from lib.text.stems import stem
from lib.text.tokens import MARK, Tokens, tokenize
from lib.text.verbs import finite_form, past_form
from lib.text.words import AUXILIARIES, DETERMINERS, PREPOSITIONS, SUBJECT_PRONOUNS, word_set

_YES = word_set(
    "yes yeah yep yup correct right exactly absolutely definitely certainly sure affirmative "
    "indeed true 👍 ✅ ✔ ✓"
)
_NO = word_set("no nope nah never negative false incorrect wrong 👎 ❌ ✗ ✘")
_NEGATIVE = word_set("not n't cannot")
_PERSONS = SUBJECT_PRONOUNS | word_set("i we there")
_FIRST = _YES | _NO | _PERSONS
"""One of these begins every reply."""
_SUPPORT = word_set("do does did")
_REFERRING = _PERSONS | word_set("that this these those one so of course")
_JOINING = word_set("both either neither or and same each every all only also")
_MOST_WORDS = 6
_MOST_QUESTION = 40


def is_reply(tokens: Tokens, first: int, last: int) -> bool:
    """Whether tokens [first, last) say yes or no alone: "Yes.", "No, it isn't.", "👍"."""
    if _FIRST.isdisjoint(tokens.lower[first:last]):
        return False
    words = _words(tokens, first, last)
    if not words or len(words) > _MOST_WORDS or words[0] not in _FIRST:
        return False
    rest = words[1:] if words[0] in _YES | _NO else words
    return all(word in AUXILIARIES | _NEGATIVE | _REFERRING or _is_negative(word) for word in rest)


def says_no(tokens: Tokens, first: int, last: int) -> bool:
    """Whether a reply denies what was asked."""
    return any(word in _NO or _is_negative(word) for word in _words(tokens, first, last))


def joins(question: str) -> bool:
    """Whether a question asks of several things at once: "Are Juniper and Indigofera both …?"

    A source that has all of its words may say it of one of them alone.
    """
    return not _JOINING.isdisjoint(tokenize(question).lower)


@lru_cache(maxsize=256)
def statement_of(question: str, *, denied: bool) -> str:
    """The question as a statement, or as its denial; "" for a question of another kind.

    "Could you …?" asks for a favour.
    """
    tokens = tokenize(question)
    end = len(tokens)
    while end and tokens.kinds[end - 1] == MARK:
        end -= 1
    if not 3 <= end <= _MOST_QUESTION or tokens.lower[0] not in AUXILIARIES:
        return ""
    if tokens.lower[1] == "you" or tokens.words[-1] not in ("?", "？"):
        return ""
    at, auxiliary = _predicate(tokens, end), tokens.lower[0]
    middle = [] if auxiliary in _SUPPORT and not denied else [auxiliary]
    middle += ["not"] if denied else []
    return " ".join([*tokens.words[1:at], *middle, *tokens.words[at:end]])


def _predicate(tokens: Tokens, end: int) -> int:
    """Where the predicate of a question begins, behind its subject."""
    if tokens.lower[1] in _PERSONS:
        return 2
    at = 1
    while at < end - 1 and not tokens.terms[at]:
        at += 1
    for place in range(at + 1, end):
        word = tokens.lower[place]
        if word in PREPOSITIONS | DETERMINERS or past_form(word) or word.endswith("ing"):
            return place
        if stem(word) in ANTONYMS or finite_form(f"{word}s") or finite_form(f"{word}es"):
            return place
    return end - 1


def _words(tokens: Tokens, first: int, last: int) -> list[str]:
    signs = _YES | _NO
    return [
        word
        for word, kind in zip(tokens.lower[first:last], tokens.kinds[first:last], strict=True)
        if kind != MARK or word in signs
    ]


def _is_negative(word: str) -> bool:
    return word in _NEGATIVE or word.endswith("n't")
