"""What a question is about, and whether a sentence speaks of that: a limit of another subject is
no answer."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from assistant.synthesis.limits import limits_in
from assistant.synthesis.wording import question_terms, without_place
from assistant.weather.words import NAMING
from documents.lexical import terms
from lib.text.stems import stem
from lib.text.tokens import tokenize
from lib.text.words import word_set

ENOUGH = 0.8
"""Share of a question's subject from which a sentence speaks of it."""
_NEAR = 0.5
"""What a word counts that stands in a sentence beside it, and not in the sentence itself."""
LIGHT = frozenset(
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
        "kind climb climbing fine alright legal apart away close right correct "
        "guy guys lad lads bloke blokes mate mates boys come comes coming see get gets getting got "
        "ago lean leans leaning min max stuff full covered deadline deadlines higher lower"
    )
)
"""Words that say nothing of the subject: they stand in questions and rules on anything."""
_SAME = tuple(
    frozenset(map(stem, group.split()))
    for group in (
        "wind winds windy gust gusts breeze gale",
        "storm storms thunderstorm rainstorm stormy thunder lightning",
        "trench trenches excavation excavations dig digs digging excavate excavated",
        "lift lifts lifted hoist hoisting hoisted raise raised",
        "break breaks pause rest",
        "glass glazing pane panes glaze",
        "ice icy snow",
        "inspect inspects inspected inspection inspections examine examination check checks",
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
        "protect protected protects protection protective shore shored shoring",
        "child children kid kids",
        "board boards plank planks",
        "heat heated heating heater heaters",
        "move moves moved moving push pushed pushing shift shifted",
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
        own, around = terms_of(text), terms_of(near)
        return sum(self._worth(row, own, around) for row in self.rows) / len(self.rows)

    def _worth(self, row: Row, own: frozenset[str], around: frozenset[str]) -> float:
        """A rule on cranes is one on tower cranes too, but for what it does not say of them."""
        if _contains_row(row, own):
            return 1.0
        heads = {self.heads[word] for item in row for word in item if word in self.heads}
        return _NEAR if _contains_row(row, around) or heads & own else 0.0

    def is_of(self, text: str, near: str = "") -> bool:
        return self.share(text, near) >= ENOUGH


def subject_of(question: str) -> Subject:
    """The subject of a question; where it has only light words, those."""
    plain = _without_figures(question)
    rows = _merge_lists(question_terms(plain), _alternatives(plain))
    heavy = tuple(row for row in rows if not any(item <= LIGHT for item in row))
    return Subject(heavy or rows, _heads(plain))


def matter_of(question: str) -> str:
    """What of a message asks for more than the weather: "What gusts are forecast, and may the crane
    run?" asks whether the crane may run. The whole where nothing else is asked."""
    asking = [item for item in _SENTENCE.findall(question) if item.rstrip().endswith("?")]
    parts = [part for item in asking or [question] for part in _JOINT.split(item)]
    other = [part for part in parts if NAMING.isdisjoint(tokenize(part).lower)]
    return without_place(" ".join(part.strip(" ,") for part in other).strip() or question)


_SENTENCE = re.compile(r"[^.?!]+(?:[.](?=\d)[^.?!]+)*[.?!]*")
_JOINT = re.compile(
    r",?\s+and\s+(?=(?:what|which|may|can|is|are|how|when|do|does|must|should|will)\b)", re.I
)
_LISTED = re.compile(r"\b(\w+(?:, \w+)*,? or \w+|\w+ and \w+(?= works?\b))", re.IGNORECASE)


def _alternatives(question: str) -> list[frozenset[str]]:
    """The terms of each list of the question: "wind, gust, rain or temperature limits"."""
    return [frozenset(terms(phrase)) for phrase in _LISTED.findall(question)]


def _merge_lists(rows: Sequence[Row], lists: Sequence[frozenset[str]]) -> tuple[Row, ...]:
    """The rows, those of one list as one row."""
    list_words = frozenset[str]().union(*lists)
    alone = [row for row in rows if not (row[0] <= list_words)]
    return (*alone, *(tuple(frozenset([word]) for word in item) for item in lists if item))


def _heads(question: str) -> dict[str, str]:
    tokens = tokenize(question)
    pairs = [
        (tokens.terms[at], tokens.terms[at + 1])
        for at in range(len(tokens) - 1)
        if tokens.starts[at + 1] - tokens.ends[at] == 1
    ]
    return {term: head for term, head in pairs if term and head and head not in LIGHT}


def _without_figures(question: str) -> str:
    for item in limits_in(question):
        question = re.sub(rf"{re.escape(item.words)}(?:\s+(?:an?|per) \w+)?", " ", question)
    return question


def _contains_row(row: Sequence[frozenset[str]], words: frozenset[str]) -> bool:
    return any(item and item <= words for item in row)


@lru_cache(maxsize=2048)
def terms_of(text: str) -> frozenset[str]:
    """The terms of a text with the words that mean the same."""
    own = set(terms(text))
    if any(item.unit == "m/s" for item in limits_in(text)):
        own.add("wind")  # a limit in km/h is one of the wind, whether or not it says so
    for group in _SAME:
        if own & group:
            own |= group
    return frozenset(own)


def likeness(sentence: str, other: str) -> float:
    """Likeness (0-1) of what two sentences are about: common terms among all, without figures."""
    first, second = _heavy(sentence), _heavy(other)
    return len(first & second) / len(first | second) if first and second else 0.0


def _heavy(text: str) -> set[str]:
    return {word for word in terms(text) if word not in LIGHT and not word[0].isdigit()}


def join_texts(texts: Iterable[str]) -> str:
    """Some texts as one, to look for words in."""
    return " \n ".join(texts)
