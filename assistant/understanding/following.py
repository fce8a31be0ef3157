"""Completes a question that depends on the one before it ("and on Saturday?")."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from analysis.engine.conversation import leans
from assistant.synthesis.figures import figure_words
from lib.text.tokens import NUMBER, WORD, Tokens, tokenize
from lib.text.verbs import BASE, finite_form
from lib.text.words import AUXILIARIES, DETERMINERS, PREPOSITIONS

_JOINT = re.compile(
    r"^\s*(?:(?:and|but|so|or|also|then|ok|okay|yes|well)\b[\s,]*)*"
    r"(?:(?:what|how) about\b\s*|what if (?:it(?:'s| is)\s+)?|same for\b\s*)?",
    re.IGNORECASE,
)
_WH = re.compile(
    r"^(?:(?:at|from|to|on|in|for|by|up to|until|with)\s+)?"
    r"(?:how\s+\w+|what|which|who|whom|where|when|why)\b",
    re.IGNORECASE,
)
_AUXILIARY = rf"(?:{'|'.join(sorted(word for word in AUXILIARIES if word.isalpha()))})\b"
_WH_OF_EARLIER = re.compile(
    r"^.*?\b(?:how \w+|what|which|who|whom|where|when|why)\b[^?]*?\s" rf"(?={_AUXILIARY})",
    re.IGNORECASE,
)
_VERB = re.compile(rf"\b{_AUXILIARY}", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|they|them|these|those|its|their|he|she|him)\b", re.IGNORECASE)
_EXPLETIVE = re.compile(
    r"\b(?:is|was|be) it (?:\w+ )?(?:allowed|ok|okay|safe|permitted|possible|forbidden|prohibited|"
    r"necessary|required|true|enough|fine|legal|raining|snowing|windy|cold|hot|dark)\b|"
    r"\bit(?:'s| is) (?:\w+ )?(?:raining|snowing|windy|cold|hot|dark|wet|icy|foggy)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:(?:at|on|in|by|before|after|from|during|until)\s+)?(?:the\s+)?(?:"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays|night|noon|midnight|"
    r"mornings?|afternoons?|evenings?|winter|summer|spring|autumn|holidays|"
    r"today|tomorrow|tonight|\d{1,2}:\d\d|\d{1,2} ?(?:am|pm))\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"^(?:(?:at|with|in|from|of|for|over|under|above|below|up to)\s+)?"
    r"(?P<figure>\d[\d.,]*\s*(?:[°%\w/]+(?:\s*[CF]\b)?)?)(?:\s+(?:then|now|instead))?$",
    re.IGNORECASE,
)
_FEW = 4
"""The most words of a question that names something and still depends on another."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of a question that name a thing, with their position; `preposition` precedes them."""

    start: int
    end: int
    preposition: str
    determined: bool


def resolve(question: str, earlier: str) -> str:
    """Return the question completed from `earlier`, or unchanged if it needs nothing."""
    if not earlier or not leaning(question):
        return question
    rest = question[_joint(question) :].strip(" ?.!,")
    if not rest:
        return question
    return _resolved(rest, earlier.strip(" ?.!")) or question


def leaning(question: str) -> bool:
    """Return whether a question names its subject by a pronoun, or omits it."""
    if _EXPLETIVE.search(question):
        return bool(_joint(question))
    return leans(question) or bool(_joint(question)) or _dangling(question) is not None


def _joint(question: str) -> int:
    match = _JOINT.match(question)
    return match.end() if match else 0


def _resolved(rest: str, earlier: str) -> str:
    figure = _FIGURE.match(rest)
    if figure:
        return f"{_with_figure(earlier, figure['figure'], rest)}?"
    if _TIME.fullmatch(rest):
        bare_earlier = " ".join(_TIME.sub(" ", earlier).split())
        return f"{bare_earlier} {rest}?"
    pronoun = _dangling(rest)
    thing = main_phrase(earlier)
    if pronoun is not None and thing is not None:
        name = earlier[thing.start : thing.end]
        owns = pronoun[0].lower() in ("its", "their")
        return f"{rest[: pronoun.start()]}{name}{'’s' if owns else ''}{rest[pronoun.end() :]}?"
    wh = _WH.match(rest)
    if wh:
        return _other_question(rest, wh, earlier)
    if _VERB.match(rest) or len(rest.split()) > _FEW + 2:
        return ""
    return _of_other_thing(rest, earlier)


def _with_figure(earlier: str, figure: str, rest: str) -> str:
    """Return the earlier question with another figure; a bare number keeps the old unit."""
    old = next(iter(figure_words(earlier)), None)
    if old is None:
        return f"{earlier} {rest if rest != figure else f'at {figure}'}"
    unit = re.sub(r"^[\d.,\s]+", "", old)
    new = figure if re.search(r"[^\d.,\s]", figure) else f"{figure.strip()} {unit}".strip()
    return earlier.replace(old, new, 1)


def _other_question(rest: str, wh: re.Match[str], earlier: str) -> str:
    """Return "And how thick?" or "To whom?" as another question about the same thing."""
    if rest[wh.end() :].strip():
        return ""
    old = _WH_OF_EARLIER.match(earlier) or _WH.match(earlier)
    matter = earlier[old.end() :] if old else earlier[:1].lower() + earlier[1:]
    return f"{rest} {matter.strip()}?"


def _of_other_thing(rest: str, earlier: str) -> str:
    """Return the earlier question about another thing, in place of the one it named."""
    first, _, behind = rest.partition(" ")
    preposition = first.lower() if first.lower() in PREPOSITIONS and behind else ""
    name = behind if preposition else rest
    phrases = phrases_in(earlier)
    same = [item for item in phrases if preposition and item.preposition == preposition]
    if preposition and not same:
        return f"{earlier} {rest}?"
    place = same[0] if same else main_phrase(earlier)
    if place is None:
        return ""
    return f"{earlier[: place.start]}{name}{earlier[place.end :]}?"


def main_phrase(question: str) -> Phrase | None:
    """Return the subject of a question: its first noun after an article, else after its verb.

    "crane operation" in "At what gusts does crane operation stop?".
    """
    phrases = phrases_in(question)
    verb = _VERB.search(question)
    behind = [item for item in phrases if verb and item.start >= verb.end()]
    determined = [item for item in phrases if item.determined]
    return next(iter([*determined, *behind, *phrases]), None)


def phrases_in(question: str) -> list[Phrase]:
    """Return the runs of words in a question that name things, with articles."""
    tokens = tokenize(question)
    quantities = figure_words(question)
    runs = groupby(range(len(tokens)), lambda at: _names(tokens, at))
    phrases = [_phrase(tokens, list(run)) for names, run in runs if names]
    return [
        item
        for item in phrases
        if not any(question[item.start : item.end] in words for words in quantities)
    ]


def _phrase(tokens: Tokens, run: Sequence[int]) -> Phrase:
    at = run[0]
    determined = at > 0 and tokens.lower[at - 1] in DETERMINERS
    first = at - 1 if determined else at
    before = tokens.lower[first - 1] if first > 0 else ""
    preposition = before if before in PREPOSITIONS else ""
    return Phrase(tokens.starts[first], tokens.ends[run[-1]], preposition, determined)


def _names(tokens: Tokens, at: int) -> bool:
    """Return whether a word names something; after an article a verb is a noun."""
    term, lower = tokens.terms[at], tokens.lower[at]
    if tokens.kinds[at] != WORD or not term:
        return False
    before = tokens.lower[at - 1] if at else ""
    if before == "how" or (at and tokens.kinds[at - 1] == NUMBER):
        return False
    verb = lower in BASE or finite_form(lower) or lower.endswith("ed")
    return before in DETERMINERS or not verb


def _dangling(question: str) -> re.Match[str] | None:
    """Return the match of a pronoun without an antecedent, or None."""
    match = _PRONOUN.search(question)
    if match is None or _EXPLETIVE.search(question):
        return None
    before = question[: match.start()]
    # Right before an object stands its verb: "who inspects it".
    phrases = [item for item in phrases_in(before) if item.end < len(before.rstrip())]
    return None if phrases else match
