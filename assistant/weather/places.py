"""Finds the place of a question, and validates names of places.

A location comes from people and memory, and later appears in a URL that we call and in a prompt. So
only what looks like a name passes; a refusal gives the reason and never repeats the text.
"""

import re
import unicodedata
from dataclasses import dataclass

from assistant.weather.types import WeatherFault, WeatherUnavailable
from assistant.weather.words import NO_PLACES, SKY
from documents.injection import scan
from lib.text.dates import dates
from lib.text.tokens import CJK, WORD, Tokens, tokenize
from lib.text.words import word_set

LONGEST = 80
"""Code points of a location."""
_MOST_WORDS = 8
_MARKS = frozenset(" -'’.,()/&")
_UNSEEN = frozenset(("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"))
_LEADS = word_set("in at near for around of over")
_LOWER_LEADS = word_set("in at near")
_JOINTS = frozenset(("-", "'", "’", ".", ","))
_PARTICLES = word_set(
    "of de la le les del di da do dos den der am an im sur upon on under op aan bei el al san"
)
_LABEL = re.compile(r"\blocation\s*(?::|=|is\b)\s*(\S[^\n?]*)", re.IGNORECASE)
_QUOTED = re.compile(r"\b(?:in|at|near|for)\s+[\"“«]([^\"”»]*)[\"”»]")
_COORDINATES = re.compile(r"(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class PlaceQuery:
    """A location to look up. If it is not `sure`, the next one may be tried.

    A word that only looks like a place, "at Gate C", must not hide the remembered site.
    """

    text: str
    sure: bool


def clean_place(text: str) -> str:
    """Return the location with normal spaces. Raises WeatherUnavailable if it is no name."""
    reason = _objection(text)
    if reason:
        raise WeatherUnavailable(
            WeatherFault.LOCATION_REFUSED,
            f"The location was refused: {reason}. Name a town alone.",
        )
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _objection(text: str) -> str:
    bare = text.strip()
    if len(bare.splitlines()) > 1:
        return "it has several lines"
    if len(bare) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    if any(unicodedata.category(char) in _UNSEEN for char in bare):
        return "it holds control or invisible characters"
    if coordinates(bare):
        return ""
    if not any(char.isalpha() for char in bare):
        return "it holds no letters"
    if not all(_is_allowed(char) for char in bare):
        return "it holds characters that no place's name has"
    if len(bare.split()) > _MOST_WORDS:
        return f"it has more than {_MOST_WORDS} words"
    return "it reads like an instruction" if scan(bare).flagged else ""


def _is_allowed(char: str) -> bool:
    return char in _MARKS or char.isalnum() or unicodedata.category(char).startswith("M")


def coordinates(text: str) -> tuple[float, float] | None:
    """Return latitude and longitude in degrees of "51.92, 4.48", or None."""
    match = _COORDINATES.fullmatch(text.strip())
    if not match:
        return None
    latitude, longitude = float(match[1]), float(match[2])
    return (latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None


def places_to_try(question: str, remembered: str | None) -> tuple[PlaceQuery, ...]:
    """Return the locations to try: the question's own, then the remembered one."""
    own = _place_in(question)
    site = (_place_in(remembered) or PlaceQuery(remembered, sure=True)) if remembered else None
    return tuple(filter(None, (own, site)))


def _place_in(text: str) -> PlaceQuery | None:
    """Return the place a text names: labelled, quoted, coordinates, or after "in" or "at"."""
    match = _LABEL.search(text) or _QUOTED.search(text)
    if match:
        return PlaceQuery(match[1].strip().rstrip(".!"), sure=True)
    point = _COORDINATES.search(text)
    if point and "." in point[0] and coordinates(point[0]):
        return PlaceQuery(point[0], sure=True)
    tokens = tokenize(text)
    return _after_lead(text, tokens) or _place_in_lower_case(text, tokens)


def _after_lead(text: str, tokens: Tokens) -> PlaceQuery | None:
    """Return capitalised words after a preposition: "in New York", "at the Rotterdam site"."""
    date_positions = {
        at for date in dates(tokens, 0, len(tokens)) for at in range(date.first, date.last)
    }
    for at, word in enumerate(tokens.lower[:-1]):
        if word not in _LEADS:
            continue
        first = at + 1 + (tokens.lower[at + 1] in ("the", "our"))
        last = _capitals(tokens, first, date_positions)
        if last > first:
            sure = at > 0 and tokens.lower[at - 1] in SKY
            return PlaceQuery(text[tokens.starts[first] : tokens.ends[last - 1]], sure)
    return None


def _capitals(tokens: Tokens, first: int, date_positions: set[int]) -> int:
    """Return the end of the name that begins here, or `first` if none does."""
    at, end = first, first
    while at < len(tokens) and at not in date_positions and at - first < 2 * _MOST_WORDS:
        word = tokens.words[at]
        if _is_name(tokens, at):
            end = at + 1
        elif end == first or not (word in _JOINTS or word in _PARTICLES):
            break
        at += 1
    return end


def _is_name(tokens: Tokens, at: int) -> bool:
    first = tokens.words[at][0]
    capital = first.isupper() or first.lower() == first.upper()
    is_word = tokens.kinds[at] == WORD and tokens.lower[at] not in NO_PLACES
    return tokens.kinds[at] == CJK or (is_word and capital)


def _place_in_lower_case(text: str, tokens: Tokens) -> PlaceQuery | None:
    """Return a place in lower case right after a weather word: "weather in rotterdam tomorrow"."""
    for at in range(1, len(tokens) - 1):
        if tokens.lower[at] in _LOWER_LEADS and tokens.lower[at - 1] in SKY:
            end = at + 1
            while end < len(tokens) and _goes_on(tokens, end):
                end += 1
            if end > at + 1:
                return PlaceQuery(text[tokens.starts[at + 1] : tokens.ends[end - 1]], sure=False)
    return None


def _goes_on(tokens: Tokens, at: int) -> bool:
    return tokens.kinds[at] in (WORD, CJK) and tokens.lower[at] not in NO_PLACES | _LEADS | {"on"}
