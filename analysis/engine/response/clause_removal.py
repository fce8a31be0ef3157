"""Removes clauses from a sentence so that the rest is still a sentence.

If small rules cannot do that (an auxiliary that two verbs share, "not only … but", a subordinate
clause, an open bracket), they say so, and the caller inserts a warning instead.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from msgspec import Struct

from analysis.engine.response.edits import Edit
from lib.text.citations import Mark
from lib.text.tokens import tokenize
from lib.text.verbs import finite
from lib.text.words import AUXILIARIES, DETERMINERS, SUBJECT_PRONOUNS, word_set

_JOINT = re.compile(r"[\s,;—–-]*(?:\b(?:and|but|while|whereas|yet)\b)?[\s,]*", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_PAIRS = {"*": "*", "_": "_", '"': '"', "“": "”", "«": "»", "(": ")", "`": "`"}
_BRACKETS = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"))
_TWINS = ('"', "**", "`")
_SUBORDINATORS = word_set(
    "if when whenever although because since while after before unless whereas though once until "
    "as given"
)
_RELATIVES = word_set("who whom whose which that where when")
_SHARED = ("not only", "both", "either", "neither")


class Unit(Struct, frozen=True, gc=False):
    """A claim in its sentence: code points [start, end) with its marks; `subject` if carried."""

    start: int
    end: int
    subject: str


def unit(answer: str, span: tuple[int, int], subject: str, marks: Sequence[Mark]) -> Unit:
    """Return the claim with the marks around it (`**…**`, quotes) and its following citations."""
    start, end = span
    while start and end < len(answer) and _PAIRS.get(answer[start - 1]) == answer[end]:
        start, end = start - 1, end + 1
    for mark in marks:
        if mark.start >= end and not answer[end : mark.start].strip(" "):
            end = mark.end
    return Unit(start, end, subject)


def opens_with_pronoun(text: str) -> bool:
    """Return whether a clause begins with a pronoun ("It closed") and needs no repeated subject."""
    return _first_word(text) in SUBJECT_PRONOUNS


@dataclass(frozen=True, slots=True)
class Parts:
    """The units of a sentence that begins at `start`; the indices of removed and replaced ones.

    Not all of them go.
    """

    answer: str
    start: int
    units: Sequence[Unit]
    removed: frozenset[int]
    replaced: frozenset[int]


def cut_units(parts: Parts) -> list[Edit] | None:
    """Return the edits that remove units, or None if the sentence would not survive."""
    if _is_bound(parts):
        return None
    edits = list[Edit]()
    kept_units = [at for at in range(len(parts.units)) if at not in parts.removed]
    for before, after in pairwise([-1, *kept_units, len(parts.units)]):
        if after - before == 1:
            continue
        cut_edits = _cut_between(parts, before, after)
        if cut_edits is None:
            return None
        edits += cut_edits
    return edits


def are_joined(answer: str, before: Unit, after: Unit) -> bool:
    """Return whether only a joint separates two units: they share a sentence."""
    return bool(_JOINT.fullmatch(answer, before.end, after.start))


def subject_to_restore(answer: str, span: tuple[int, int], unit: Unit) -> str | None:
    """Return what the unit needs in front if the code points of `span` are removed: "" for nothing.

    None if an auxiliary would be lost with the subject ("was closed and sold"), or only part of the
    subject is known ("locals who worked for the army are …").
    """
    text = answer[unit.start : unit.end]
    if not unit.subject or opens_with_pronoun(text):
        return ""
    find = answer.find(unit.subject, *span)
    subject = unit.subject if find >= 0 else _pronoun(answer[slice(*span)])
    if not subject:
        return ""
    if _last_word(subject) in _RELATIVES:
        return None
    at = (find if find >= 0 else answer.index(subject, *span)) + len(subject)
    shared = _first_word(answer[at : span[1]]) in AUXILIARIES
    return None if shared and _first_word(text) not in AUXILIARIES else subject


def _cut_between(parts: Parts, before: int, after: int) -> list[Edit] | None:
    """Remove what is between the units `before` and `after` (or the sentence's ends)."""
    answer, units = parts.answer, parts.units
    if after == len(units):
        return [Edit(units[before].end, units[-1].end)]
    first = before + 1
    while first and first - 1 in parts.replaced:
        first -= 1
    span = (units[first].start, units[after - 1].end)
    subject = "" if after in parts.replaced else subject_to_restore(answer, span, units[after])
    if subject is None:
        return None
    if before < 0:
        opens = not _WORD.search(answer, parts.start, span[0]) and after not in parts.replaced
        capital = opens and _is_capital(answer, span[0])
        return _open(answer, span[0], units[after].start, subject, capital=capital)
    words = f"{_inside(subject)} " if subject else ""
    return [Edit(units[before].end, units[after].start, _joint(parts, before, after) + words)]


def _open(answer: str, start: int, following: int, subject: str, *, capital: bool) -> list[Edit]:
    """Return edits that begin the sentence with the unit at `following`, or with its subject."""
    if subject:
        words = subject[0].upper() + subject[1:] if capital else subject
        return [Edit(start, following, words + " ")]
    edits = [Edit(start, following)]
    word = _WORD.search(answer, following)
    if capital and word and len(word[0][0].upper()) == 1:
        edits.append(Edit(word.start(), word.start() + 1, word[0][0].upper()))
    return edits


def _joint(parts: Parts, before: int, after: int) -> str:
    """Return the later of the two joints around a cut; a semicolon is stronger."""
    answer, units = parts.answer, parts.units
    first = answer[units[before].end : units[before + 1].start]
    last = answer[units[after - 1].end : units[after].start]
    return first if ";" in first and ";" not in last else last


def _is_bound(parts: Parts) -> bool:
    """Return whether the sentence's parts are connected by more than a joint."""
    removed, units = parts.removed, parts.units
    texts = [parts.answer[unit.start : unit.end] for unit in units]
    for at in range(1, len(units)):
        touched = at in removed or at - 1 in removed
        joined = are_joined(parts.answer, units[at - 1], units[at])
        if touched and (not joined or _ends_in_list(texts[at - 1])):
            return True
    if any(_is_subordinate(text) for text in texts):
        return True
    if any(not _balanced(texts[at]) for at in removed):
        return True
    return any(_shares(texts[at]) for at in range(max(removed)) if at not in removed)


def _is_subordinate(text: str) -> bool:
    return _first_word(text) in _SUBORDINATORS and "," not in text


def _ends_in_list(text: str) -> bool:
    """Return whether a text ends in a list whose last item follows "and"."""
    _, comma, tail = text.rpartition(",")
    tokens = tokenize(tail)
    return bool(comma) and not any(finite(tokens, at) for at in range(len(tokens)))


def _shares(text: str) -> bool:
    lower = text.lower()
    return any(phrase in lower for phrase in _SHARED)


def _balanced(text: str) -> bool:
    pairs = all(text.count(opening) == text.count(closing) for opening, closing in _BRACKETS)
    return pairs and all(text.count(twin) % 2 == 0 for twin in _TWINS)


def _first_word(text: str) -> str:
    word = _WORD.search(text)
    return word[0].lower().replace("’", "'") if word else ""


def _last_word(text: str) -> str:
    words = _WORD.findall(text)
    return words[-1].lower() if words else ""


def _pronoun(text: str) -> str:
    """Return the first subject pronoun, as written."""
    words = (match[0] for match in _WORD.finditer(text))
    return next((word for word in words if word.lower() in SUBJECT_PRONOUNS), "")


def _is_capital(answer: str, at: int) -> bool:
    word = _WORD.search(answer, at)
    return word is not None and word[0][0].isupper()


def _inside(subject: str) -> str:
    """Return the subject for mid-sentence: "The mill" becomes "the mill", a name stays."""
    first = _first_word(subject)
    lower = first in DETERMINERS or first in SUBJECT_PRONOUNS
    return subject[0].lower() + subject[1:] if lower else subject
