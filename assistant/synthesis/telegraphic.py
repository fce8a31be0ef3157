"""Questions in a few words, as one types them on a phone, made whole: "crane at 45 km/h ok"."""

import re

from assistant.synthesis.limits import limits_in

_ASKS = re.compile(
    r"\b(?:what|which|who|whom|where|when|why|how|whose)\b|"
    r"^(?:and |so |then )?(?:may|can|could|should|must|shall|is|are|do|does|did|was|were|has|have|"
    r"will|would)\b",
    re.IGNORECASE,
)
_PERMITTED = re.compile(
    r"\b(?:ok|okay|fine|allowed|permitted|safe|possible|forbidden|prohibited|alright|enough|legal)"
    r"(?:\s+(?:now|then|here|today|tomorrow))?$",
    re.IGNORECASE,
)
_NEEDED = re.compile(r"\b(?:needed|required|necessary|mandatory|compulsory)$", re.IGNORECASE)
_DIMENSION = re.compile(
    r"\b(?:limits?|max(?:imum)?|min(?:imum)?|height|depth|distance|width|length|angle|slope|speed|"
    r"weight|load|capacity|temperature|level|number|deadline)\b",
    re.IGNORECASE,
)
_NEEDS = re.compile(
    r"^(?P<who>(?!(?:do|does|who|what)\b)[\w ]{1,40}?) needs? (?P<what>.+)$", re.IGNORECASE
)
_CIRCUMSTANCE = re.compile(
    r"^(?P<now>(?:its|it['’]s|it is|winds?|gusts?|thunder|rain|raining|snow|snowing|ice)\b[^,?]*), "
    r"(?P<asked>[^,]+ [^,]+)$",
    re.IGNORECASE,
)
"""What the day is like, before what is asked: "its 34 degrees, crew needs a break?"."""
_QUESTION_LAST = re.compile(
    r"^(?P<now>(?!(?:if|when|what|which|how|who|where)\b)[^,?]+), (?:so )?"
    r"(?P<asked>(?:can|could|may|must|should|do|does|is|are) [^,]+)$",
    re.IGNORECASE,
)
"""How things are, then the question: "scaffold full of ice, can we work on it"."""
_LATE = re.compile(r"^(?P<thing>.+?)\s+(?P<word>where|when|who)$", re.IGNORECASE)
_OF_WIND = re.compile(r"\b(?:wind|gusts?)$", re.IGNORECASE)
_TELLING = re.compile(
    r"^(?:i|we|our|my|it|there|this|that|you)\b|\b(?:right|correct|true|no)$|, \w+ \w+$",
    re.IGNORECASE,
)
"""A statement with a tag ("…, right?") is no question with words left out."""
_MOST_WORDS = 7


def in_whole(question: str) -> str:
    """The question with the verb that it leaves out; as it is where it leaves none out."""
    bare = question.strip().rstrip("?.! ")
    if question.rstrip().endswith("?") and (split := _CIRCUMSTANCE.match(bare)):
        whole = in_whole(f"{split['asked']}?").rstrip("? ")
        return f"{whole}, {lower_first(split['now'])}?"
    if not _ASKS.search(bare) and (split := _QUESTION_LAST.match(bare)):
        return f"{split['asked']}, {lower_first(split['now'])}?"
    late = _LATE.match(bare)
    if late and not _ASKS.search(late["thing"]):
        return f"{late['word'].capitalize()} is {late['thing']}?"
    if not bare or _ASKS.search(bare) or _TELLING.search(bare):
        return question
    if question.rstrip().endswith("?") and (needs := _NEEDS.match(bare)):
        return f"Does {lower_first(needs['who'])} need {needs['what']}?"
    if _PERMITTED.search(bare) or _NEEDED.search(bare):
        return f"Is {lower_first(bare)}?"
    if limits_in(bare):
        # A limit with its figure is told, not asked for.
        return question if _DIMENSION.search(bare) else f"Is {lower_first(bare)} allowed?"
    if _OF_WIND.search(bare) and len(bare.split()) > 1:
        return f"What is the {lower_first(bare)} limit?"
    if _DIMENSION.search(bare):
        return f"What is the {_with_limit(lower_first(bare))}?"
    is_short = len(bare.split()) <= _MOST_WORDS and question.rstrip().endswith("?")
    return f"Is {lower_first(bare)} allowed?" if is_short else question


def _with_limit(bare: str) -> str:
    """ "max wind" asks for a limit of the wind."""
    return re.sub(r"\bmax\b", "maximum", re.sub(r"\bmin\b", "minimum", bare))


def lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
