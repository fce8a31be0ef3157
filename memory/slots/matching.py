"""When two slots are one though they were told in other words, and two values the same."""

from text.stems import stem
from text.words import word_set

_THINGS = {
    stem(word)
    for word in word_set(
        "crane tower mobile crawler scaffold scaffolding hoist boom lift mewp roof facade glazing "
        "ladder gust formwork concrete excavation trench truck noise heat helicopter panel steel "
        "window curtain cladding pile drone forklift telehandler platform pump deck rebar loading"
    )
}
_HALF_DAY = 720


def same_slot(one: str, other: str) -> bool:
    """Whether two keys name the same slot.

    Kinds must be equal, and the words too; a limit is known by the things it is about, where both
    name any ("the council's scaffold limit" and "the limit for scaffolds").
    """
    kind, words = _parts(one)
    other_kind, other_words = _parts(other)
    if kind != other_kind:
        return False
    if words == other_words or not kind.startswith("limit"):
        return words == other_words
    things, other_things = words & _THINGS, other_words & _THINGS
    if things or other_things:
        return things == other_things
    return bool(words) and (words <= other_words or other_words <= words)


def same_value(key: str, one: str, other: str) -> bool:
    """Whether two values of one slot are the same; "8" may be 8 AM or 8 PM."""
    if not key.startswith("time|"):
        return one.lower() == other.lower()
    return _time(one, "?" in other) == _time(other, "?" in one)


def _parts(key: str) -> tuple[str, frozenset[str]]:
    kind, _, words = key.partition("|")
    return kind, frozenset(words.split())


def _time(value: str, loosely: bool) -> tuple[str, ...]:
    """The days and minutes; minutes within half a day where the other side is open about it."""
    found = list[str]()
    for part in value.split():
        minutes = part.rstrip("?")
        if minutes.isdecimal() and (loosely or "?" in part):
            minutes = str(int(minutes) % _HALF_DAY)
        found.append(minutes)
    return tuple(found)
