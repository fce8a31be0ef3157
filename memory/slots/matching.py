"""Compares slots and values that are worded differently."""

from lib.text.stems import stem
from lib.text.words import word_set

_THINGS = {
    stem(word)
    for word in word_set(
        "crane tower mobile crawler scaffold scaffolding hoist boom lift mewp roof facade glazing "
        "ladder gust formwork concrete excavation trench truck noise heat helicopter panel steel "
        "window curtain cladding pile drone forklift telehandler platform pump deck rebar loading"
    )
}
_HALF_DAY = 720


def same_slot(key: str, other: str) -> bool:
    """Return whether two keys name the same slot.

    Kinds and words must be equal. A limit is worded in many ways ("the council's scaffold limit",
    "scaffolds stop at"): its things must be the same, and some of the other words, if both have
    any.
    """
    kind, words = _parts(key)
    other_kind, other_words = _parts(other)
    if kind != other_kind:
        return False
    if words == other_words or not kind.startswith("limit"):
        return words == other_words
    things, other_things = words & _THINGS, other_words & _THINGS
    if things != other_things or _labels(words) != _labels(other_words):
        return False
    rest, other_rest = words - things, other_words - things
    if things:
        return not rest or not other_rest or bool(rest & other_rest)
    return rest <= other_rest or other_rest <= rest


def _labels(words: frozenset[str]) -> set[str]:
    """Return what distinguishes "crane 2" from "crane 3" and "zone A" from "zone B"."""
    return {word for word in words if len(word) == 1 or word[-1].isdecimal()}


def same_value(key: str, value: str, other: str) -> bool:
    """Return whether two values of one slot are the same; "8" may be 8 AM or 8 PM."""
    if not key.startswith("time|"):
        return value.lower() == other.lower()
    return _time(value, "?" in other) == _time(other, "?" in value)


def _parts(key: str) -> tuple[str, frozenset[str]]:
    kind, _, words = key.partition("|")
    return kind, frozenset(words.split())


def _time(value: str, loosely: bool) -> tuple[str, ...]:
    """Return days and minutes; minutes within half a day if the other side leaves it open."""
    parts = list[str]()
    for part in value.split():
        minutes = part.rstrip("?")
        if minutes.isdecimal() and (loosely or "?" in part):
            minutes = str(int(minutes) % _HALF_DAY)
        parts.append(minutes)
    return tuple(parts)
