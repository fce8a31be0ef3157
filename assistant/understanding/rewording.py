"""Rewords messages that ask without the form of a question.

"Tell me it's fine to pour at 1 °C", "ring buoys how far apart", "scaffold full of ice, can we work
on it", "hot work is allowed there right".
"""

import re

_AUXILIARY = r"may|can|could|should|must|shall|is|are|was|were|do|does|did|has|have|will|would|need"
_SUBJECT = r"we|i|you|they|it|he|she|people|anyone|anybody|somebody|the|my|our|a|an"
_WH = r"what|which|who|whom|where|when|why|how"
_ROLE = re.compile(
    r"^\s*(?:act as|pretend|imagine|you are now|from now on)\b[^.?!:]*?(?:\band\b|,)\s+(?=\w)",
    re.IGNORECASE,
)
_HEARSAY = re.compile(
    r"^[^.?!]*\b(?:said|says|told|ignore|forget|disregard|void|overruled)\b[^.?!,]*,\s*"
    rf"(?:so|and|but|then)?\s*(?=(?:{_AUXILIARY})\s+(?:{_SUBJECT})\b)",
    re.IGNORECASE,
)
_CASE = re.compile(
    rf"^(?!(?:{_AUXILIARY}|{_WH})\b)(?P<case>[^,.?!:]{{3,60}}),\s*(?:so\s+)?"
    rf"(?P<question>(?:{_AUXILIARY})\s+(?:{_SUBJECT})\b[^,.?!]*)\??$",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:it|that|this|them|there)\b(?!\s+\w+\s+\w)", re.IGNORECASE)
_LATE = re.compile(
    r"^(?P<thing>[^,.?!:]+?)\s+(?P<asked>how (?:far|long|high|wide|deep|often|many|much|soon|thick|"
    r"fast|heavy|close)(?: apart| away)?|what (?:time|height|depth|distance|angle))\??$",
    re.IGNORECASE,
)
_TAGGED = re.compile(
    r"^(?P<told>(?:\S+\s+){3,}\S+?),?\s+(?:right|correct|innit|or not|isn't it|aren't they)\s*$",
    re.IGNORECASE,
)
_WHO_MAY = re.compile(
    r"^(?P<who>anyone|anybody|someone|nobody|people|workers|visitors|kids|children|crews?)\s+"
    r"(?=(?:allowed|permitted)\b)",
    re.IGNORECASE,
)
_ASKS = re.compile(rf"^(?:and |so |but )?(?:{_AUXILIARY}|{_WH})\b", re.IGNORECASE)
_CLAIM = re.compile(
    rf"^(?P<subject>(?:[\w'’-]+\s+){{1,5}}?)(?P<verb>(?!need\b)(?:{_AUXILIARY}))\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_NEEDS = re.compile(r"^(?:(?:\w+\s+){0,2}\w+s|we|they|you|i|people)\s+need\b", re.IGNORECASE)
_ITS = re.compile(r"^it['’]?s\s+", re.IGNORECASE)
_PLURAL = frozenset(("people", "workers", "visitors", "kids", "children", "crews"))


def as_question(message: str) -> str:
    """Return the message with its question first, or unchanged if it is plain or asks nothing."""
    text = _HEARSAY.sub("", _ROLE.sub("", message.strip()))
    if tagged := _TAGGED.match(text):
        return f"{tagged['told']}?"
    if (late := _LATE.match(text)) and not _ASKS.match(late["thing"]):
        return f"{_capital(late['asked'])} is {late['thing']}?"
    if who := _WHO_MAY.match(text):
        be = "Are" if who["who"].lower() in _PLURAL else "Is"
        return f"{be} {text.rstrip(' ?.')}?"
    case = _CASE.match(text)
    if case and _IT.search(case["question"]):
        return f"{_capital(_IT.sub(case['case'], case['question'], count=1)).strip()}?"
    return text


def of_claim(claim: str) -> str:
    """Return a claim as a question: "May we pour?" for "we may pour"."""
    plain = _ITS.sub("it is ", claim.strip().rstrip(" .!?"))
    if _NEEDS.match(plain):
        return f"Do {plain}?"
    match = _CLAIM.match(plain)
    if match is None:
        return f"Is it true that {plain}?"
    return f"{_capital(match['verb'])} {match['subject'].strip()} {match['rest']}?"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
