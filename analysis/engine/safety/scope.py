"""The scope of collections, and questions that clearly ask for something else.

Only explicit scopes count: a class or subject that the client named, or that the question names as
its own ("class 12 physics", "for my chemistry exam"). "Used in physics" names none.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.engine.safety.model import SearchedScope

_MOST_NAMED = 3
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9,
          "x": 10, "xi": 11, "xii": 12}  # fmt: skip
_SUBJECTS: Mapping[str, str] = {
    "accountancy": "accountancy", "algebra": "mathematics", "biology": "biology",
    "chemistry": "chemistry", "civics": "civics", "economics": "economics", "english": "english",
    "geography": "geography", "geometry": "mathematics", "hindi": "hindi", "history": "history",
    "math": "mathematics", "mathematics": "mathematics", "maths": "mathematics",
    "physics": "physics", "science": "science",
}  # fmt: skip
_HELD_BY = {
    "science": frozenset({"physics", "chemistry", "biology"}),
    "social science": frozenset({"history", "geography", "civics", "economics"}),
}
_SOCIAL = re.compile(r"\bsocial (?:science|studies)\b")
_NAMES = "|".join(_SUBJECTS) + "|social science|social studies"
_SCHOOL = (
    "class|course|curriculum|exam|exams|homework|lesson|ncert|notes|paper|portion|question|"
    "student|students|syllabus|teacher|test|textbook|textbooks|chapter|book"
)
_NUMBER = r"(\d{1,2}|[ivx]+)"
_CLASS = re.compile(
    rf"\b(?:for|in|of|from)\s+(?:my\s+|the\s+)?(?:class|grade|standard)\s+{_NUMBER}(?=\s*(?:[?.!,;:)]|$))"
    rf"|\b(?:class|grade|standard)\s+{_NUMBER}\s+(?={_NAMES}|{_SCHOOL})"
    r"|\b(\d{1,2})(?:st|nd|rd|th)\s+(?:class|grade|standard)\b"
)
_SUBJECT = re.compile(
    rf"\b(?:class|grade|standard|ncert)\s+(?:{_NUMBER}\s+)?({_NAMES})\b"
    rf"|\b({_NAMES})\s+(?:{_SCHOOL})\b"
    rf"|^in\s+({_NAMES})\s*,"
)
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class SearchScope:
    """A class and a subject; None and "" for any."""

    class_number: int | None = None
    subject: str = ""


def searched_scope(
    query: str, data: Mapping[str, Any], scopes: Sequence[SearchScope]
) -> SearchedScope | None:
    """Return the searched scope in words, and whether the question left it; None without a search.

    `data` is the client's own `scope`, `scopes` are the collections'.
    """
    if not scopes:
        return None
    held_words = words_of(scopes)
    beyond = [
        scope
        for scope in (given_scope(data), asked_scope(query))
        if not any(fits(scope, each) for each in scopes)
    ]
    if not beyond:
        return SearchedScope(held_words)
    asked_words = words_of([beyond[0]], of="")
    return SearchedScope(
        held_words, f"{held_words or 'the searched collections'} (it asks for {asked_words})"
    )


def given_scope(data: Mapping[str, Any]) -> SearchScope:
    """Return the class (`class_number` or `class`) and `subject` of a client's scope."""
    number = data.get("class_number", data.get("class"))
    if isinstance(number, str) and number.isascii() and number.isdecimal():
        number = int(number)
    is_number = isinstance(number, int) and not isinstance(number, bool)
    subject = data.get("subject")
    return SearchScope(
        number if is_number else None, subject.strip() if isinstance(subject, str) else ""
    )


def asked_scope(query: str) -> SearchScope:
    """Return the class and subject that a question names as its own."""
    lower = query.lower()
    numbers = [_number(group) for match in _CLASS.finditer(lower) for group in match.groups()]
    class_numbers = [number for number in numbers if number is not None]
    # A question that names two classes or subjects ("biology in history books") has no single one.
    subjects = _subjects_in(lower)
    plain = _SUBJECT.search(lower) is not None and len(subjects) == 1
    only = class_numbers[0] if len(set(class_numbers)) == 1 else None
    return SearchScope(only, next(iter(subjects)) if plain else "")


def fits(scope: SearchScope, held_scope: SearchScope) -> bool:
    """Return whether a collection's scope covers the requested one; unknown members match."""
    classes = {scope.class_number, held_scope.class_number} - {None}
    return len(classes) < 2 and _same_subject(scope.subject, held_scope.subject)


def words_of(scopes: Sequence[SearchScope], of: str = "material") -> str:
    """Return "the class 10 Mathematics material"; "" if a scope is empty, or there are many."""
    phrases = dict.fromkeys(_scope_name(scope) for scope in scopes)
    if "" in phrases or len(phrases) > _MOST_NAMED:
        return ""
    *most, last = phrases
    phrase = f"{', '.join(most)} and {last}" if most else last
    return f"the {phrase} {of}" if of else phrase


def _scope_name(scope: SearchScope) -> str:
    number = "" if scope.class_number is None else f"class {scope.class_number}"
    return f"{number} {scope.subject.strip()}".strip()


def _same_subject(text: str, other_text: str) -> bool:
    if not text or not other_text or text.strip().lower() == other_text.strip().lower():
        return True
    subjects, other_subjects = _subjects_in(text.lower()), _subjects_in(other_text.lower())
    if not subjects or not other_subjects:
        # Words outside the tables: another subject if the two share none of them.
        return bool(set(_WORD.findall(text.lower())) & set(_WORD.findall(other_text.lower())))
    return bool(_widened(subjects) & other_subjects or subjects & _widened(other_subjects))


def _widened(subjects: frozenset[str]) -> frozenset[str]:
    return subjects.union(*(_HELD_BY.get(subject, ()) for subject in subjects))


def _subjects_in(text: str) -> frozenset[str]:
    rest, social = _SOCIAL.subn(" ", text)
    subjects = {_SUBJECTS[word] for word in _WORD.findall(rest) if word in _SUBJECTS}
    return frozenset(subjects | ({"social science"} if social else set()))


def _number(digits: str | None) -> int | None:
    if not digits:
        return None
    return int(digits) if digits.isdecimal() else _ROMAN.get(digits)
