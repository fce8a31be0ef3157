"""Reads where a site is."""

from lib.text.words import word_set
from memory.reading.sentence import ParsedSentence

_WHAT = word_set("site project job we we're building tower office yard")
_IN = word_set("in at near to outside")
_STANDS = word_set("is are located based situated moved moves lies sits we're working build")
_AFTER_NAME = word_set("of the de la upon on am")
_NO_PLACES = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december celsius fahrenheit block level tower "
    "phase zone grid building am pm english german french spanish italian dutch"
)


def location(sentence: ParsedSentence) -> str:
    """Return the stated place of the site, as written, or ""."""
    words = sentence.words
    for at in range(1, len(words) - 1):
        about = set(words[:at])
        if words[at] in _IN and about & _WHAT and about & _STANDS and _near(words, at):
            place = _place_at(sentence, at + 1)
            if place:
                return place
    return ""


def _near(words: tuple[str, ...], at: int) -> bool:
    """Return whether the verb comes right before: "is in", "is located in", "moved to"."""
    return words[at - 1] in _STANDS | {"now", "just", "right"}


def _place_at(sentence: ParsedSentence, at: int) -> str:
    """Return capitalised words, with commas between: "Leeds, West Yorkshire"."""
    words, place = sentence.tokens.words, list[str]()
    for n in range(at, len(words)):
        capital = words[n][0].isupper() and sentence.words[n] not in _NO_PLACES
        joins = bool(place) and (words[n] in (",", "-") or sentence.words[n] in _AFTER_NAME)
        if not (capital or (joins and n + 1 < len(words) and words[n + 1][0].isupper())):
            break
        place.append(words[n])
    return " ".join(place).replace(" ,", ",").replace(" - ", "-")
