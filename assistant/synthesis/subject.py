"""What a question is about, and whether a sentence speaks of that: a limit of another subject is
no answer."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from assistant.synthesis.limits import limits_in
from assistant.synthesis.wording import called, without_place
from assistant.weather.words import NAMING
from documents.lexical import terms
from text.stems import stem
from text.tokens import tokenize
from text.words import word_set

ENOUGH = 0.8
"""Share of a question's subject from which a sentence speaks of it."""
_NEAR = 0.5
"""What a word counts that stands in a sentence beside it, and not in the sentence itself."""
_LIGHT = frozenset(
    stem(word)
    for word in word_set(
        "limit limits maximum minimum least most greatest largest smallest wind-speed speed work "
        "works working site people person persons worker workers employee employees crew crews "
        "men staff somebody anybody everyone anyone someone nobody team teams job "
        "go goes going stand stands standing lie lies lying stay keep kept put take taken takes "
        "make made use used using run running continue happen do done "
        "carry carried hold leave left be need needed needs require required requires must "
        "allow allowed permit permitted acceptable safe ok okay enough possible necessary "
        "prohibited forbidden please tell decide decided whether say says told handbook document "
        "documents rule rules osha regulation regulations soon long often many much far high deep "
        "wide height depth width length distance weight load temperature time times today "
        "tomorrow now forecast forecasts weather apply applies means way level other thing things "
        "place placed stop stops stopped extend start begin around interval frequency angle reach "
        "kind climb climbing"
    )
)
"""Words that say nothing of the subject: they stand in questions and rules on anything."""
_SAME = tuple(
    frozenset(map(stem, group.split()))
    for group in (
        "wind winds windy gust gusts breeze gale",
        "storm storms thunderstorm rainstorm stormy",
        "trench trenches excavation excavations",
        "lift lifts lifted hoist hoisting hoisted raise raised",
        "break breaks pause rest",
        "glass glazing pane panes glaze",
        "ice icy snow",
        "inspect inspects inspected inspection inspections examine examination",
        "deliver delivery deliveries",
        "wear worn wears",
        "person persons people personnel employee employees worker workers",
        "damaged broken defective defect defects defects damage",
        "test tests tested testing",
        "grit gritted gritting",
        "forbid forbidden prohibit prohibited prohibition",
        "handover hand-over",
        "accident accidents incident incidents",
        "night nights",
        "lorry lorries truck trucks",
        "ear hearing",
        "pour pours poured pouring",
        "guardrail guardrails handrail railing",
        "occupied occupy somebody",
        "protect protected protects protection protective",
    )
)


Row = tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """The words of a question that say what it is about; of each row one naming is enough.

    `heads`: for a word that stands right before another, that other: "tower" before "crane".
    """

    rows: tuple[Row, ...]
    heads: dict[str, str] = field(default_factory=dict)

    def share(self, text: str, near: str = "") -> float:
        """How much of the subject (0-1) a text speaks of; `near` is what stands around it."""
        if not self.rows:
            return 0.0
        own, around = known(text), known(near)
        return sum(self._worth(row, own, around) for row in self.rows) / len(self.rows)

    def _worth(self, row: Row, own: frozenset[str], around: frozenset[str]) -> float:
        """A rule on cranes is one on tower cranes too, but for what it does not say of them."""
        if _holds(row, own):
            return 1.0
        heads = {self.heads[word] for one in row for word in one if word in self.heads}
        return _NEAR if _holds(row, around) or heads & own else 0.0

    def is_of(self, text: str, near: str = "") -> bool:
        """Whether a text speaks of the subject."""
        return self.share(text, near) >= ENOUGH


def subject_of(question: str) -> Subject:
    """The subject of a question; where it has only light words, those."""
    plain = _without_figures(question)
    rows = _merged(called(plain), _alternatives(plain))
    heavy = tuple(row for row in rows if not any(one <= _LIGHT for one in row))
    return Subject(heavy or rows, _heads(plain))


def matter_of(question: str) -> str:
    """What of a message asks for more than the weather: "What gusts are forecast, and may the crane
    run?" asks whether the crane may run. The whole where nothing else is asked."""
    asking = [one for one in _SENTENCE.findall(question) if one.rstrip().endswith("?")]
    parts = [part for one in asking or [question] for part in _JOINT.split(one)]
    other = [part for part in parts if NAMING.isdisjoint(tokenize(part).lower)]
    return without_place(" ".join(part.strip(" ,") for part in other).strip() or question)


_SENTENCE = re.compile(r"[^.?!]+(?:[.](?=\d)[^.?!]+)*[.?!]*")
_JOINT = re.compile(
    r",?\s+and\s+(?=(?:what|which|may|can|is|are|how|when|do|does|must|should|will)\b)", re.I
)
_LISTED = re.compile(r"\b(\w+(?:, \w+)*,? or \w+|\w+ and \w+(?= works?\b))", re.IGNORECASE)


def _alternatives(question: str) -> list[frozenset[str]]:
    """The terms of each list of the question: "wind, gust, rain or temperature limits"."""
    return [frozenset(terms(found)) for found in _LISTED.findall(question)]


def _merged(rows: Sequence[Row], lists: Sequence[frozenset[str]]) -> tuple[Row, ...]:
    """The rows, those of one list as one row."""
    named = frozenset[str]().union(*lists)
    alone = [row for row in rows if not (row[0] <= named)]
    return (*alone, *(tuple(frozenset([word]) for word in one) for one in lists if one))


def _heads(question: str) -> dict[str, str]:
    tokens = tokenize(question)
    pairs = [
        (tokens.terms[at], tokens.terms[at + 1])
        for at in range(len(tokens) - 1)
        if tokens.starts[at + 1] - tokens.ends[at] == 1
    ]
    return {one: head for one, head in pairs if one and head and head not in _LIGHT}


def _without_figures(question: str) -> str:
    for one in limits_in(question):
        question = re.sub(rf"{re.escape(one.words)}(?:\s+(?:an?|per) \w+)?", " ", question)
    return question


def _holds(row: Sequence[frozenset[str]], words: frozenset[str]) -> bool:
    return any(one and one <= words for one in row)


@lru_cache(maxsize=2048)
def known(text: str) -> frozenset[str]:
    """The terms of a text with the words that mean the same."""
    own = set(terms(text))
    if any(one.unit == "m/s" for one in limits_in(text)):
        own.add("wind")  # a limit in km/h is one of the wind, whether or not it says so
    for group in _SAME:
        if own & group:
            own |= group
    return frozenset(own)


def shared(one: str, other: str) -> float:
    """Likeness (0-1) of what two sentences are about: common terms among all, without figures."""
    first, second = _heavy(one), _heavy(other)
    return len(first & second) / len(first | second) if first and second else 0.0


def _heavy(text: str) -> set[str]:
    return {word for word in terms(text) if word not in _LIGHT and not word[0].isdigit()}


def joined(texts: Iterable[str]) -> str:
    """Some texts as one, to look for words in."""
    return " \n ".join(texts)
