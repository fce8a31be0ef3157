"""Detects what an answer says about its sources and itself, which no source can confirm.

"The passages do not say", "see passage 3", "ask a doctor" claim nothing about the world; in
"According to passage 1, the dam is closed" only the dam is claimed.
"""

import re
from collections.abc import Iterator

from lib.text.tokens import NUMBER, Tokens
from lib.text.verbs import finite
from lib.text.words import word_set

_SOURCE_WORDS = word_set(
    "passage passages excerpt excerpts context contexts source sources document documents text "
    "texts article articles snippet snippets information"
)
_ADVICE_WORDS = word_set("consult consulting speak talk seek check ask contact")
_REACH = 60
"""Tokens that are looked at: longer sentences say more than this."""

_SOURCE = (
    r"(?:passages?|excerpts?|contexts?|sources?|documents?|texts?|articles?|snippets?"
    r"|(?:provided|given|available|retrieved) information|information (?:provided|given))"
)
_NUMBERS = r"(?: \d+(?:(?: ,| and| &| ,? and) \d+)*)?"
_TOLD = (
    r"(?:provide|contain|mention|specify|say|state|include|give|discuss|address|explain"
    r"|indicate|cover|clarify|describe|detail|answer|elaborate|offer|list|have|touch)"
)
_GIVEN = (
    r"(?:mentioned|stated|specified|provided|given|discussed|covered|included|available"
    r"|addressed|described|clear|found|explained|listed)"
)
_NOT = r"(?:(?:do|does|did) not|don't|doesn't|didn't)"
_LACKS = re.compile(
    rf"\b{_SOURCE}{_NUMBERS} (?:\w+ ){{0,2}}{_NOT} (?:\w+ ){{0,2}}{_TOLD}\b"
    rf"|\bnot (?:\w+ly )?{_GIVEN} (?:\w+ )?(?:in|by|from) (?:\w+ ){{0,3}}{_SOURCE}\b"
    rf"|\b(?:unable|not able|not possible|impossible|cannot|can't|can not|could not|couldn't) "
    rf"(?:to )?(?:be )?(?:answer|answered|determine|determined|provide|say|tell|find|give)\b"
    rf".* {_SOURCE}\b"
    rf"|\bno (?:\w+ ){{0,3}}(?:information|mention|details?)\b.* {_SOURCE}\b"
)
_DENIES = re.compile(rf"^(?:but |and )?(?:\w+ ){{0,5}}?{_NOT} (?:\w+ ){{0,2}}{_TOLD}\b")
_POINTS = re.compile(
    rf"\b(?:information|details?|steps?|answer|instructions?|this|that) (?:\w+ )?"
    rf"(?:can|could|may) be found in (?:\w+ ){{0,2}}{_SOURCE}{_NUMBERS}$"
    rf"|\b(?:is|are|was|were) (?:\w+ly )?based (?:\w+ )?on (?:the |these )?"
    rf"(?:\w+ )?{_SOURCE}(?: provided| given| above)?$"
    rf"|\b(?:refer|referring) (?:back )?to (?:the )?(?:\w+ )?{_SOURCE}{_NUMBERS} for\b"
)
_IDLE = re.compile(
    r"(?:if|whether|when)\b|(?:so |therefore |and )?(?:additional|more|further) "
    r"(?:information|details?|research) (?:is|are|may be|might be|would be) (?:needed|required)\b"
)
"""A condition, or a wish to know more: neither claims anything."""
_BREAKS = frozenset((",", ";", ":", "but", "—", "–", "(", ")"))
_EXPERT = (
    r"(?:doctor|physician|professional|professionals|lawyer|attorney|advis[eo]r|expert|experts"
    r"|specialist|pharmacist|accountant|veterinarian|vet|dentist|provider|therapist|dermatologist)"
)
_ADVISES = re.compile(
    r"^(?:\w+ , )?(?:(?:so|however|therefore|please|always|but|and|also|,) )*"
    r"(?:(?:it is|it's|it would be|it may be|it might be) (?:\w+ )?"
    r"(?:best|recommended|advisable|advised|important|wise|a good idea|helpful|necessary) to "
    r"|you (?:should|may want to|might want to|may wish to|can) (?:\w+ )?|we recommend )?"
    rf"(?:consult|consulting|speak|talk|seek|check|ask|contact)\b.*\b{_EXPERT}\b"
)
_FRAME = re.compile(
    rf"(?:according to|based (?:\w+ )?on|as (?:\w+ )?(?:in|by)|per|from) "
    rf"(?:(?:the |this |these )?(?:information|data|details?) (?:\w+ )?(?:in|by|from|on) )?"
    rf"(?:\w+ ){{0,3}}{_SOURCE}{_NUMBERS}(?: provided| given| above)?(?: \( [^()]{{1,40}} \))? , "
)
_REPORT = re.compile(
    rf"(?:the |this )?(?:\w+ )?{_SOURCE}{_NUMBERS} (?:also |further |only |then )?"
    r"(?:state|mention|say|explain|clarifie|clarify|note|suggest|indicate|specifie|specify|add"
    r"|highlight|show|reveal|report)s? that "
)


def asserts_nothing(tokens: Tokens, first: int, last: int, about: tuple[int, int]) -> bool:
    """Return whether tokens [first, last) are only about the sources, or refer to an expert.

    `about` are the tokens of the subject, which may come from a previous clause.
    """
    words = tokens.lower[first:last]
    if len(words) > _REACH:
        return False
    if not _SOURCE_WORDS.isdisjoint(words):
        return _only_about_sources(tokens, first, last)
    if not _ADVICE_WORDS.isdisjoint(words) and NUMBER not in tokens.kinds[first:last]:
        return bool(_ADVISES.match(" ".join(words)))
    of_source = not _SOURCE_WORDS.isdisjoint(tokens.lower[about[0] : about[1]])
    return of_source and bool(_DENIES.match(" ".join(words)))


def _only_about_sources(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether one part names a gap in the sources and no part claims anything else.

    "The passages do not name a year, so it was 1972" claims the year.
    """
    names_a_gap = False
    for start, end in _parts(tokens, first, last):
        phrase = " ".join(tokens.lower[start:end])
        if _LACKS.search(phrase) or _POINTS.search(phrase):
            names_a_gap = True
        elif not _IDLE.match(phrase) and any(finite(tokens, at) for at in range(start, end)):
            return False
    return names_a_gap


def _parts(tokens: Tokens, first: int, last: int) -> Iterator[tuple[int, int]]:
    start = first
    for at in range(first, last):
        if tokens.lower[at] in _BREAKS:
            yield start, at
            start = at + 1
    yield start, last


def after_frame(tokens: Tokens, first: int, last: int) -> int:
    """Return where the claim begins after "According to passage 1," or "Passage 2 states that"."""
    head = tokens.lower[first : min(last, first + 16)]
    if _SOURCE_WORDS.isdisjoint(head):
        return first
    opening = " ".join(head) + " "
    match = _FRAME.match(opening) or _REPORT.match(opening)
    after = first + match[0].count(" ") if match else first
    return after if after < last else first
