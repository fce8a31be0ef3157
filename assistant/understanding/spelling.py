"""Corrects typing errors: replaces unknown words by the nearest word of the passages."""

import re
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

from lib.text.stems import stem
from lib.text.words import STOPWORDS, word_set

_WORD = re.compile(r"(?<!['’])\b[^\W\d_]+\b(?!['’])")
"""A word without an apostrophe: "we're" is no misspelt "where"."""
_SHORTHAND = {
    "whats": "what is", "wats": "what is", "wat": "what", "whos": "who is", "wheres": "where is",
    "whens": "when is", "hows": "how is", "dont": "don't",
    "doesnt": "doesn't", "isnt": "isn't", "arent": "aren't", "cant": "can't", "wont": "won't",
    "thats": "that is", "u": "you", "ur": "your", "r": "are", "pls": "please",
    "plz": "please", "hav": "have", "wher": "where", "wen": "when", "tmrw": "tomorrow",
    "tmr": "tomorrow", "w/o": "without", "mins": "minutes", "hrs": "hours", "temp": "temperature",
    "approx": "about", "reqd": "required", "req": "required",
}  # fmt: skip
_UNITS = re.compile(r"(?<=\d)(\s?)(?:kmh|kph|km per hour|kms)\b", re.IGNORECASE)
_QUESTIONS = word_set(
    "what which where when who whom how often long high deep wide much many soon height depth "
    "width length distance weight angle limit speed temperature time maximum minimum allowed "
    "forbidden permitted required needed wind gusts weather inspected tested worker workers "
    "tomorrow today before after between without with during does should must could would"
)
"""Question words, which need not occur in a passage."""
_SHORTEST, _NEAR = 4, 0.8
"""Letters of a word that is corrected, and the share of letters in the same order."""


def in_full(message: str) -> str:
    """Return the message with phone shorthand written out: "whats", "kmh"."""
    whole = _UNITS.sub(r"\1km/h", message)
    return _WORD.sub(lambda match: _cased(match[0], _SHORTHAND.get(match[0].lower(), "")), whole)


def corrected(message: str, vocabulary: Iterable[str], is_word: Callable[[str], bool]) -> str:
    """Return the message with its misspelt words corrected.

    `vocabulary`: words that may be meant. `is_word`: whether a word is known elsewhere; such a word
    stays even if it is close to another: steel is not steep.
    """
    known_words = {word.lower() for word in vocabulary}
    stems = {stem(word) for word in known_words | _QUESTIONS}

    def mended(match: re.Match[str]) -> str:
        word = match[0].lower()
        if len(word) < _SHORTEST or word in STOPWORDS or stem(word) in stems or is_word(word):
            return match[0]
        return _cased(match[0], _nearest(word, known_words) or _nearest(word, _QUESTIONS))

    return _WORD.sub(mended, message)


def words_of(texts: Iterable[str]) -> set[str]:
    """Return the words of some texts, in lower case."""
    return {match.lower() for text in texts for match in _WORD.findall(text)}


def _cased(word: str, other: str) -> str:
    if not other:
        return word
    return other[0].upper() + other[1:] if word[0].isupper() else other


def _nearest(word: str, known_words: Iterable[str]) -> str:
    """Return the one known word near to it, or "" if there is none or two are equally near."""
    near = [
        (SequenceMatcher(None, word, other, autojunk=False).ratio(), other)
        for other in known_words
        if other[0] == word[0] and len(other) >= _SHORTEST
    ]
    most = max((ratio for ratio, _ in near), default=0.0)
    nearest = [other for ratio, other in near if ratio == most >= _NEAR]
    return nearest[0] if len({stem(other) for other in nearest}) == 1 else ""
