"""Names: runs of capitalised words, acronyms and words with digits, recognised by form alone."""

from collections.abc import Callable, Iterator
from itertools import compress
from operator import itemgetter

from msgspec import Struct

from lib.text.tokens import WORD, Tokens
from lib.text.units import CURRENCIES
from lib.text.words import MONTHS, STOPWORDS, word_set

_FIRST_CHARACTER: Callable[[str], str] = itemgetter(0)
_JOINERS = word_set("of the de da di du van von der den la le al bin ibn & ' - .")
_NOT_NAMES = (
    STOPWORDS | frozenset(MONTHS) | frozenset({"mr", "mrs", "ms", "dr"}) | CURRENCIES.keys()
)


class Name(Struct, frozen=True, gc=False):
    """Tokens [first, last) of one name."""

    first: int
    last: int


def names(tokens: Tokens, first: int, last: int) -> list[Name]:
    """Return the names in tokens [first, last); a lone capitalised first word is none."""
    names: list[Name] = []
    end = first
    for at in capitals(tokens, first, last):
        if at < end or not _capital(tokens, at):
            continue
        end = _run_end(tokens, at, last)
        if end - at > 1 or at > first or _strong(tokens.words[at]):
            names.append(Name(at, end))
    return names


def capitals(tokens: Tokens, first: int, last: int) -> Iterator[int]:
    """Yield the tokens of [first, last) that begin with a capital."""
    large = map(str.isupper, map(_FIRST_CHARACTER, tokens.words[first:last]))
    return compress(range(first, last), large)


def _capital(tokens: Tokens, at: int) -> bool:
    word = tokens.words[at]
    return tokens.kinds[at] == WORD and word[0].isupper() and tokens.lower[at] not in _NOT_NAMES


def _strong(word: str) -> bool:
    """Return whether a word is a name anywhere: an acronym or mixed case (NASA, iPhone, B2B)."""
    return len(word) > 1 and (word[1:] != word[1:].lower() or any(c.isdigit() for c in word))


def _run_end(tokens: Tokens, at: int, last: int) -> int:
    end = at + 1
    while end < last:
        if _capital(tokens, end):
            end += 1
        elif tokens.lower[end] in _JOINERS and end + 1 < last and _capital(tokens, end + 1):
            if tokens.words[end] == "." and len(tokens.words[end - 1]) > 2:
                break
            end += 2
        else:
            break
    return end
