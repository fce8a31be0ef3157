"""Ways to say a sentence again that keep what it says: each returns the text or None."""

import random
import re
from collections.abc import Callable

from training.generate.lexicon import MONTHS, NUMBER_WORDS, PREFIXES, SYNONYMS

_LEAD = re.compile(r"^[A-Z][\w' ]{2,40}, (?=\w)")
_LINKED = re.compile(r"^(?:However|But|And|So|Also|Moreover|Furthermore|In addition|Meanwhile),? ")
_BRACKET = re.compile(r" ?\([^()]{2,80}\)")
_WHICH = re.compile(r", (?:which|who|whose|where) [^,.;]{8,90}(?=,|$)")
_OF = re.compile(r"\bthe ([a-z]{4,}) of ([A-Z]\w+)(?= |,|\.|$)")
_SAID = re.compile(r'^"([^"]{15,})[,.]?" (?:said|says) ([A-Z][\w. ]{2,30})$')
_LIST = re.compile(r"(?<=, )[\w -]{3,30}, (?=[\w -]{3,30},? (?:and|or) )")
_DATE = re.compile(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}}), (\d{{4}})")
_IN_TIME = re.compile(r"^(In \d{4}|In [A-Z][a-z]+ \d{4}|On [A-Z][a-z]+ \d{1,2}(?:, \d{4})?), (.+)$")
Way = Callable[[str, random.Random], str | None]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def lower_first(text: str) -> str:
    """The sentence for use after other words: its first word in small letters if it may be."""
    first = text.split(" ", 1)[0]
    small = first.lower() in _SMALL
    return text[:1].lower() + text[1:] if small else text


_SMALL = frozenset(
    [
        "the",
        "a",
        "an",
        "this",
        "these",
        "that",
        "those",
        "it",
        "its",
        "he",
        "she",
        "they",
        "his",
        "her",
        "their",
        "there",
        "in",
        "on",
        "at",
        "for",
        "by",
        "with",
        "after",
        "before",
        "when",
        "while",
        "if",
        "as",
        "many",
        "most",
        "some",
        "all",
        "each",
        "every",
        "no",
        "one",
        "two",
        "both",
        "several",
    ]
)


def without_lead(text: str, chance: random.Random) -> str | None:
    """Drop "In the end, " and the like; a condition or a time stays."""
    match = _LEAD.match(text)
    if not match or match[0].split()[0] in {"If", "Unless", "When", "Although", "While", "Not"}:
        return None
    return _capital(text[match.end() :])


def without_link(text: str, chance: random.Random) -> str | None:
    """Drop "However, "."""
    match = _LINKED.match(text)
    return _capital(text[match.end() :]) if match else None


def without_bracket(text: str, chance: random.Random) -> str | None:
    """Drop a parenthesis."""
    return _BRACKET.sub("", text) if _BRACKET.search(text) else None


def without_which(text: str, chance: random.Random) -> str | None:
    """Drop a relative clause between commas."""
    match = _WHICH.search(text)
    if not match:
        return None
    after = text[match.end() :]
    return text[: match.start()] + (after[1:] if after.startswith(",") else after)


def with_synonyms(text: str, chance: random.Random) -> str | None:
    """Up to three words by their synonyms."""
    synonyms = [w for w in SYNONYMS if re.search(rf"\b{re.escape(w)}\b", text)]
    for word in chance.sample(synonyms, min(3, len(synonyms))):
        text = re.sub(rf"\b{re.escape(word)}\b", chance.choice(SYNONYMS[word]), text, count=1)
    return text if synonyms else None


def with_possessive(text: str, chance: random.Random) -> str | None:
    """The capital of France: France's capital."""
    return _OF.sub(r"\2's \1", text, count=1) if _OF.search(text) else None


def with_numbers(text: str, chance: random.Random) -> str | None:
    """Five for 5, percent for %, 1000 for 1,000."""
    changed = re.sub(r"(?<=\d),(?=\d{3})", "", text) if chance.random() < 0.5 else text
    changed = re.sub(r"(?<=\d) ?%", " percent", changed)
    changed = re.sub(r"\b([2-9]|1[0-2])\b(?![.,:/%-]\d)", _in_words, changed, count=1)
    return changed if changed != text else None


def _in_words(match: re.Match[str]) -> str:
    return NUMBER_WORDS[int(match[1])]


def with_date(text: str, chance: random.Random) -> str | None:
    """3 March 2015 for March 3, 2015."""
    return _DATE.sub(r"\2 \1 \3", text) if _DATE.search(text) else None


def time_last(text: str, chance: random.Random) -> str | None:
    """In 1998, it closed: it closed in 1998."""
    match = _IN_TIME.match(text)
    if not match:
        return None
    return f"{_capital(match[2])} {match[1][:1].lower()}{match[1][1:]}"


def said_first(text: str, chance: random.Random) -> str | None:
    """X, said Y: Y said X."""
    match = _SAID.match(text)
    return f"{match[2]} said that {lower_first(match[1])}" if match else None


def shorter_list(text: str, chance: random.Random) -> str | None:
    """A, B and C: A and C."""
    return _LIST.sub("", text, count=1) if _LIST.search(text) else None


def with_prefix(text: str, chance: random.Random) -> str | None:
    """According to the text, it is so."""
    return chance.choice(PREFIXES) + lower_first(text)


WAYS: tuple[tuple[Way, float], ...] = (
    (without_link, 0.9),
    (without_lead, 0.5),
    (without_bracket, 0.6),
    (without_which, 0.5),
    (with_synonyms, 0.6),
    (with_possessive, 0.6),
    (with_numbers, 0.4),
    (with_date, 0.5),
    (time_last, 0.5),
    (said_first, 0.9),
    (shorter_list, 0.3),
)


def restate(text: str, chance: random.Random) -> str:
    """The sentence said again, by each way with its probability."""
    for way, probability in WAYS:
        if chance.random() < probability:
            changed = way(text, chance)
            if changed and len(changed) > 20:
                text = changed
    return text
