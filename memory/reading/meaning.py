"""Reads what a sentence says of places, of the time for which it holds, and of people."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lib.text.stems import stem
from lib.text.words import STOPWORDS, word_set
from memory.reading.sentence import (
    BOUND_PHRASES,
    BOUND_WORDS,
    LEADS,
    NOW,
    NOW_PHRASES,
    PASSING,
    PASSING_PHRASES,
    RECURRING,
    ROLE_NOUNS,
    RULE_WORDS,
    SCHEDULE_NOUNS,
    WEEKDAYS,
    ParsedSentence,
)

# Where a site is.

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
        # The verb comes right before: "is in", "is located in", "moved to".
        leads = words[at] in _IN and words[at - 1] in _STANDS | {"now", "just", "right"}
        if leads and about & _WHAT and about & _STANDS and (place := _place_at(sentence, at + 1)):
            return place
    return ""


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


# Whether a sentence holds permanently, repeatedly, or only now.

_IS = frozenset({"is", "are", "it's", "do", "does"})
_DENIES = frozenset({"not", "never"})
_OBLIGES = (("have", "to"), ("has", "to"), ("may", "not"), ("must", "not"), ("need", "to"))


def is_now(sentence: ParsedSentence) -> bool:
    """Return whether it says that it is about this moment or this day."""
    return is_passing(sentence) or sentence.has(NOW) or sentence.phrase(*NOW_PHRASES)


def is_passing(sentence: ParsedSentence) -> bool:
    """Return whether it is about one day: today, tomorrow, this afternoon. "Now" is not."""
    return sentence.has(PASSING) or sentence.phrase(*PASSING_PHRASES)


def is_recurring(sentence: ParsedSentence) -> bool:
    """Return whether it recurs: every day, on Mondays; or a weekday of something scheduled."""
    return sentence.has(RECURRING) or (sentence.has(WEEKDAYS) and sentence.has(SCHEDULE_NOUNS))


def is_rule(sentence: ParsedSentence) -> bool:
    """Return whether it is a limit, an obligation or a ban."""
    if sentence.has(RULE_WORDS) or sentence.phrase(*_OBLIGES) or bans(sentence):
        return True
    return bool(sentence.measures) and _sets_lasting_bound(sentence)


def is_standing(sentence: ParsedSentence) -> bool:
    """Return whether it is about a rule or something recurring, rather than about now."""
    return sentence.has(RULE_WORDS | RECURRING) or bans(sentence) or _sets_lasting_bound(sentence)


def _sets_lasting_bound(sentence: ParsedSentence) -> bool:
    bounded = sentence.has(BOUND_WORDS) or sentence.phrase(*BOUND_PHRASES)
    return bounded and not is_now(sentence)


def bans(sentence: ParsedSentence) -> bool:
    """Return whether it bans: "No lifting over the school", "concrete is not poured below 5"."""
    denied = any(word in _IS and after in _DENIES for word, after in pairwise(sentence.words))
    return denied or sentence.words[:1] == ("no",)


_I_AM = (("i'm",), ("i", "am"), ("this", "is"))
_NAMED = (("my", "name", "is"), ("my", "name's"), ("call", "me"), ("name", "is"))
_MADE = (
    ("promoted", "to"), ("appointed",), ("made",), ("my", "role", "is"), ("my", "position", "is"),
    ("i", "work", "as"), ("i", "started", "as"), ("i", "act", "as"), ("my", "job", "is"),
    ("i'm", "now"), ("i", "am", "now"),
)  # fmt: skip
_IN_CHARGE = (
    ("responsible", "for"), ("in", "charge", "of"), ("look", "after"), ("accountable", "for"),
    ("i", "report", "to"), ("reports", "to", "me"), ("report", "to", "me"),
)  # fmt: skip
_I_DO = word_set("run lead manage head supervise oversee coordinate direct")
_ENDS = word_set("on for at in with of here now since from , . ; ! and who which")
_ARTICLES = word_set("the a an your our one of new now still also")
_HOLDERS = word_set("the our my")
_NOT_PEOPLE = word_set("i it this that there he she they we you monday tuesday")
_LONGEST_NAME = 4


@dataclass(frozen=True, slots=True)
class RoleHolder:
    """A role and its holder. `single`: there is only one ("the lift supervisor")."""

    role: tuple[str, ...]
    name: str
    single: bool


def own_name(sentence: ParsedSentence) -> str:
    """Return the manager's own name as written, or ""."""
    for phrase in (*_NAMED, *_I_AM):
        at = sentence.at(phrase)
        if at in (0, 1) and (name := _name_at(sentence, at + len(phrase))):
            return name
    return ""


def own_role(sentence: ParsedSentence) -> str:
    """Return the manager's role or responsibility, as stems, or ""."""
    words = sentence.words
    for phrase in (*_MADE, *_I_AM):
        at = sentence.at(phrase)
        if at is not None:
            role = _phrase_at(sentence, at + len(phrase))
            if ROLE_NOUNS & set(role):
                return " ".join(
                    stem(word) for word in role if word not in _ARTICLES and word[0].isalnum()
                )
    in_charge = sentence.phrase(*_IN_CHARGE) and sentence.has(("i", "i'm", "me"))
    does = words[:1] == ("i",) and not _I_DO.isdisjoint(words[1:2])
    return "responsible" if in_charge or does else ""


def titled_role(sentence: ParsedSentence) -> str:
    """Return the manager's title ("site safeti manag"), or ""."""
    role = own_role(sentence)
    return "" if role == "responsible" else role


def role_holder_in(sentence: ParsedSentence) -> RoleHolder | None:
    """Return the role holder in "Maria is the lift supervisor" or "our crane operator is …"."""
    for at, word in enumerate(sentence.words):
        if word in ("is", "are") and at:
            holder = _name_first(sentence, at) or _role_first(sentence, at)
            if holder:
                return holder
        if word in LEADS and (name := _name_before(sentence, at)):
            return RoleHolder((), name, single=False)
    return None


def _name_first(sentence: ParsedSentence, at: int) -> RoleHolder | None:
    name, after = _name_before(sentence, at), at + 1
    after += sentence.words[after : after + 1] == ("now",)
    role = _phrase_at(sentence, after)
    if not name or ROLE_NOUNS.isdisjoint(role):
        return None
    single = not _HOLDERS.isdisjoint(sentence.words[after : after + 1])
    return RoleHolder(_role_stems(role), name, single)


def _role_first(sentence: ParsedSentence, at: int) -> RoleHolder | None:
    before = sentence.words[:at]
    holder = next((n for n in range(at - 1, -1, -1) if before[n] in _HOLDERS), None)
    role = before[holder + 1 : at] if holder is not None else before
    if not ROLE_NOUNS & set(role) or len(role) > _LONGEST_NAME:
        return None
    after = at + 1
    while sentence.words[after : after + 1] and sentence.words[after] in ("called", "now", "named"):
        after += 1
    name = _name_at(sentence, after)
    return RoleHolder(_role_stems(role), name, single=holder is not None) if name else None


def _name_at(sentence: ParsedSentence, at: int) -> str:
    """Return the capitalised words from here on; "" for none, and for a role in capitals."""
    words, name = sentence.tokens.words, list[str]()
    for n in range(at, min(at + _LONGEST_NAME, len(words))):
        if not words[n][0].isupper() or sentence.words[n] in ROLE_NOUNS | _NOT_PEOPLE:
            break
        name.append(words[n])
    return " ".join(name)


def _name_before(sentence: ParsedSentence, at: int) -> str:
    """Return the capitalised words that end here, if they begin the sentence or follow a mark."""
    words, name = sentence.tokens.words, list[str]()
    while at and words[at - 1][0].isupper() and sentence.words[at - 1] not in STOPWORDS:
        at -= 1
        name.insert(0, words[at])
    lower = {word.lower() for word in name}
    return "" if at or lower & (ROLE_NOUNS | _NOT_PEOPLE) else " ".join(name)


def _phrase_at(sentence: ParsedSentence, at: int) -> list[str]:
    """Return the noun phrase from here on, up to a preposition or mark."""
    phrase = list[str]()
    for word in sentence.words[at:]:
        if word in _ENDS and not (word in ("of", "now") and not phrase):
            break
        phrase.append(word)
    return phrase


def _role_stems(role: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted({stem(word) for word in role if word not in STOPWORDS}))
