"""A question as regulations word it: they speak of depths and wind speeds, not of how deep."""

import re

from assistant.weather.asking import asks_for_weather
from documents.lexical import terms
from lib.text.tokens import tokenize

_NOUNS = {
    "deep": "depth", "high": "height", "tall": "height", "far": "distance", "close": "distance",
    "near": "distance", "long": "length", "wide": "width", "heavy": "weight load",
    "fast": "speed", "steep": "slope angle", "strong": "strength", "hot": "temperature",
    "cold": "temperature", "often": "frequency interval", "thick": "thickness",
}  # fmt: skip
_SITE = {
    "trench": "excavation", "trenches": "excavations", "harness": "personal fall arrest system",
    "hard hat": "head protection", "hard hats": "head protection", "helmet": "head protection",
    "forklift": "powered industrial truck", "cherry picker": "aerial lift",
    "handrail": "guardrail", "earplugs": "hearing protection", "scaffolding": "scaffold",
    "spoil": "excavated materials", "tower crane": "crane", "mobile crane": "crane",
    "welding": "hot work", "weld": "hot work", "grinding": "hot work", "torch": "hot work",
    "muster point": "assembly point",
}  # fmt: skip
"""Words of the site, and what rules call the same thing."""
_PEOPLE = frozenset(
    ("worker", "workers", "crew", "men", "people", "staff", "labourer", "labourers", "operative")
)
"""Rules say "employee"."""
_CALLED = re.compile(rf"\b({'|'.join(_SITE)})\b", re.IGNORECASE)
_HOW = re.compile(rf"\bhow\s+({'|'.join(_NOUNS)})\b", re.IGNORECASE)
_WIND = re.compile(r"\b(?:gusts?|gusty|windy|storms?|stormy|gales?|breez\w+)\b", re.IGNORECASE)
_FIGURE = re.compile(r"\b\d[\d.,]*\s*(?:km/h|kph|mph|m/s|kmh|°?\s?[CF]\b|%|[a-zA-Z]{1,2}\b)?")
_PLACE = re.compile(r"\b(?:in|at|near)\s+(?:the\s+)?[A-Z][\w'’-]+(?:[ ,]+[A-Z][\w'’-]+)*")
_ASKED = re.compile(
    r"\b(?:may|can|must|should|shall|do|does|is|are|was|what|which|when|where|who|why|how|from|"
    r"we|i|our|my|you|it|they|if|be|have|has|need|needs|before|please|tell|me|today|tomorrow|"
    r"tonight|now|this|next|week|morning|afternoon|much|many|the|a|an|to|of|at|in|on)\b",
    re.IGNORECASE,
)


def as_ruled(question: str) -> str:
    """The question's matter in the nouns of rules, without its figures: "depth excavation
    protective system"; "" where that leaves nothing new to look for.

    A word of the site gives way to what rules call it: kept beside it, it would lead to the
    passages that hold both. Where the weather is asked for, what the work stops at is looked for.
    """
    nouns = [_NOUNS[word.lower()] for word in _HOW.findall(question)]
    outdoors = asks_for_weather(tokenize(question))
    if outdoors or _WIND.search(question):
        nouns += ["wind gusts speed stops" if outdoors else "wind speed"]
    nouns += [_SITE[word.lower()] for word in dict.fromkeys(_CALLED.findall(question))]
    if not nouns:
        return ""
    matter = _PLACE.sub(" ", question) if outdoors else question
    for pattern in (_HOW, _CALLED, _FIGURE, _ASKED):
        matter = pattern.sub(" ", matter)
    words = re.findall(r"[\w'-]+", matter)
    return " ".join([*nouns, *words])


def without_place(question: str) -> str:
    """The question without the town that it asks the weather for."""
    return _PLACE.sub(" ", question) if asks_for_weather(tokenize(question)) else question


def matters(question: str) -> list[tuple[frozenset[str], ...]]:
    """The question's words as terms, each with what rules say instead: of a row, one is enough.

    What a row names may have several words ("hard hats", "head protection"). Figures are left out.
    """
    noun_by_word = {word.lower(): _NOUNS[word.lower()] for word in _HOW.findall(question)}
    noun_by_word |= {word.lower(): _SITE[word.lower()] for word in _CALLED.findall(question)}
    noun_by_word |= {
        word: "employee" for word in re.findall(r"[a-z]+", question.lower()) if word in _PEOPLE
    }
    rows = {(_terms(word), _terms(noun)) for word, noun in noun_by_word.items()}
    row_terms = frozenset[str]().union(*(item for row in rows for item in row))
    others = _terms(f"{question} {as_ruled(question)}") - row_terms
    return [*rows, *((frozenset([word]),) for word in others)]


def question_terms(question: str) -> tuple[tuple[frozenset[str], ...], ...]:
    """The question's own words as terms, each with what rules call it: of a row, one is enough."""
    words = dict.fromkeys(word.lower() for word in _CALLED.findall(question))
    rows = [(_terms(word), _terms(_SITE[word])) for word in words]
    row_terms = frozenset[str]().union(*(item for row in rows for item in row[:1]))
    return (*rows, *((frozenset([word]),) for word in sorted(_terms(question) - row_terms)))


def _terms(text: str) -> frozenset[str]:
    return frozenset(word for word in terms(text) if not word[0].isdigit())
