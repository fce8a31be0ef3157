"""Yes, no or the figure: what a sentence of a rule answers to a question.

Arithmetic and the words of rules, nothing else. Where they do not settle a question there is no
lead, and the sentence stands for itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from assistant.synthesis.limits import Limit, Side, Stance, limits_in, stance_of
from assistant.synthesis.subject import terms_of
from documents.lexical import terms
from lib.text.negation import negations
from lib.text.tokens import tokenize
from lib.text.verbs import predicates
from lib.text.words import BE

YES, NO = "Yes", "No"


class QuestionKind(StrEnum):
    PERMISSION = "permission"
    NEED = "need"
    FACT = "fact"
    FIGURE = "figure"
    WHO = "who"
    WHERE = "where"
    WHEN = "when"
    OTHER = "other"


_AUXILIARY = re.compile(
    r"^(?:and |so |then )?(?:may|can|could|should|must|shall|is|are|do|does|did|was|were|has|have|"
    r"will|would)\b",
    re.IGNORECASE,
)
_PERMISSION = re.compile(
    r"^(?:and |so )?(?:may|can|could)\b|"
    r"\b(?:allowed|permitted|acceptable|forbidden|prohibited|enough|safe|ok|okay|fine|possible|"
    r"legal|too \w+)\b",
    re.IGNORECASE,
)
_NEED = re.compile(
    r"^(?:and |so )?must\b|\b(?:needs?|needed|required?|necessary|have to|has to|mandatory)\b",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(
    r"\b(?:forbidden|prohibited|stops?|stopped|too (?!many\b|few\b)\w+)\b", re.IGNORECASE
)
_NEGATED = re.compile(r"\b(?:not|no|never|nobody|none|nothing)\b|n[’']t\b", re.IGNORECASE)
_FRONTED = re.compile(r"^\W*(?:and |so |but )?\w+n[’']t\b", re.IGNORECASE)
"""A negation that only colours the question: "Can't we pour?" asks whether we can."""
_WITHOUT = re.compile(r"\bwithout\b", re.IGNORECASE)
_FIGURE = re.compile(
    r"\bhow (?:much|many|high|deep|far|long|wide|fast|strong|heavy|hot|cold|tall|close|thick|"
    r"steep|soon)\b|"
    r"\b(?:at|from|above|below|up to) (?:what|which)\b|"
    r"\b(?:what|which) (?:\w+ ){0,6}?(?:limits?|maximum|minimum|speed|height|depth|distance|load|"
    r"weight|temperature|width|length|angle|slope|capacity|strength|level|gusts|number|deadline)\b",
    re.IGNORECASE,
)
_UNITS = (
    (re.compile(r"\b(?:wind|gusts?|speed|fast|breeze)\b", re.I), ("m/s",)),
    (re.compile(r"\b(?:temperature|hot|cold|warm)\b", re.I), ("temperature",)),
    (re.compile(r"\b(?:weight|heavy|load|capacity)\b", re.I), ("kg",)),
    (re.compile(r"\b(?:angle|slope|steep)\b", re.I), ("degrees", "")),
    (re.compile(r"\b(?:noise|sound|loud)\b", re.I), ("count db",)),
    (re.compile(r"\b(?:how soon|deadlines?)\b", re.I), ("s",)),
    (re.compile(r"\bhow long\b", re.I), ("s", "m")),
    (re.compile(r"\b(?:deep|depth|high|height|tall|far|distance|wide|width|length|close|thick|"
                r"how much line)\b", re.I), ("m",)),
)  # fmt: skip


_BARE_WIND = re.compile(
    r"\b(?:winds?|gusts?|gusting|breeze)(?: (?:is|are|at|of|now|up|to|hits?|reach(?:es)?|about))* "
    r"(\d{1,3}(?:\.\d+)?)(?![\w/.:%°]| ?(?:k|m|b|°|mins?|hours?|h\b))"
    r"|(?<![\w.])(\d{1,3}) (?:winds?|gusts?)\b",
    re.IGNORECASE,
)
_WIND_UNITS = ("km/h", "mph", "m/s")
_WITH = re.compile(r"\bwith (?:the |our |a |an )?(\w+)", re.IGNORECASE)
_LACKING = re.compile(r"\bwithout (?:a |an |any |the )?(\w+)", re.IGNORECASE)


_WH = re.compile(
    r"^(?:and |so |but )?(?:(?:at|from|to|on|in|for|by|with) )?"
    r"(?:what|which|who|whom|where|when|why|how)\b",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"^(?:i|we|our|my|the|it|there|this|that|you|nobody|no|all|every|please note)\b|"
    r"^[A-Z][a-z]+ is\b",
    re.IGNORECASE,
)


def is_statement(text: str) -> bool:
    """Whether a manager states something and asks nothing."""
    if "?" in text or _AUXILIARY.match(text) or _WH.search(text):
        return False
    tokens = tokenize(text)
    says = not BE.isdisjoint(tokens.lower)
    if _TELLING.match(text) or text.rstrip().endswith("."):
        return says or predicates(tokens, 0, len(tokens))
    return says


def asks_of(question: str) -> QuestionKind:
    """The kind of a question by its words."""
    plain = question.strip().lower()
    if _AUXILIARY.match(plain):
        if _PERMISSION.search(plain):
            return QuestionKind.PERMISSION
        return QuestionKind.NEED if _NEED.search(plain) else QuestionKind.FACT
    if _FIGURE.search(plain):
        return QuestionKind.FIGURE
    for word in ("who", "where", "when"):
        if re.search(rf"^(?:\w+ )?{word}(?:m|se)?\b", plain):
            return QuestionKind(word)
    return QuestionKind.OTHER


def asks_of_permission(question: str) -> bool:
    """Whether a question wants to know what may or must be done."""
    return asks_of(question) in (QuestionKind.PERMISSION, QuestionKind.NEED)


_PLACE = re.compile(
    r"\b(?:in|at|on|near|behind|beside|under|inside|outside|opposite|next to|above|below)\b", re.I
)
_TIME = re.compile(
    r"\b(?:every|each|daily|weekly|monthly|before|after|when|while|until|during|once|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|morning|noon|evening|night|january|february|"
    r"march|april|june|july|august|september|october|november|december)\b|\d{1,2}:\d\d",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"\b(?:by|persons?|managers?|supervisors?|engineers?|operators?|drivers?|foreman|officers?|"
    r"owners?|employers?|called|contractors?|coordinators?)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"^[A-Z][a-z]+ (?:[A-Z][a-z]+ )?(?:is|was)\b|\b(?:is|named|called) [A-Z][a-z]+")


def fits(question: str, sentence: str) -> bool:
    """Whether a sentence holds the kind of thing that is asked for: a figure of the dimension, a
    place, a time, a person; for a figure of the question, one to hold it against."""
    asks = asks_of(question)
    if asks is QuestionKind.FIGURE:
        return figure_for(question, sentence) is not None
    if asks in _KINDS:
        return any(kind.search(sentence) for kind in _KINDS[asks])
    values = (
        question_figures(question)
        if asks in (QuestionKind.PERMISSION, QuestionKind.NEED, QuestionKind.FACT)
        else ()
    )
    return not values or _pair(values, limits_in(sentence)) is not None


_KINDS = {
    QuestionKind.WHERE: (_PLACE,),
    QuestionKind.WHEN: (_TIME,),
    QuestionKind.WHO: (_PERSON, _NAME),
}


def units_asked(question: str) -> tuple[str, ...]:
    """The dimensions that a figure may have that answers; none where the question names none."""
    return next((units for words, units in _UNITS if words.search(question)), ())


def question_figures(question: str) -> tuple[Limit, ...]:
    """The figures of a question that a limit can be compared with."""
    return tuple(
        item for item in limits_in(question) if item.unit and not item.unit.startswith("cou")
    )


@dataclass(frozen=True, slots=True)
class Decision:
    """What leads an answer: yes, no or a figure; `limit` is the one that it rests on."""

    lead: str
    limit: Limit | None = None


def decide(question: str, sentence: str, values: Sequence[Limit] = ()) -> Decision | None:
    """What the sentence answers; None where its words do not settle it.

    `values` are the figures to hold against its limits, by default those of the question.
    """
    asks = asks_of(question)
    if asks is QuestionKind.FIGURE:
        limit = figure_for(question, sentence)
        return Decision(limit.words, limit) if limit else None
    if asks not in (QuestionKind.PERMISSION, QuestionKind.NEED, QuestionKind.FACT):
        return None
    if _NEGATED.search(_FRONTED.sub("", question)):
        return None  # a yes to "Is it not allowed?" may mean either
    if _has_what_it_lacks(question, sentence):
        return None
    own = question_figures(question)
    readings = () if own else wind_readings(question)
    if readings and _pair(readings, limits_in(sentence)):
        return _agreed(question, asks, sentence, readings)
    values = values or own
    if values:
        return _decide_by_limits(question, asks, sentence, values)
    is_yes = _by_words(question, asks, sentence)
    return None if is_yes is None else Decision(YES if is_yes else NO)


def _decide_by_limits(
    question: str, asks: QuestionKind, sentence: str, values: Sequence[Limit]
) -> Decision | None:
    pair = _pair(values, limits_in(sentence))
    if pair is None:
        return None
    is_yes = _by_limit(question, asks, stance_of(sentence), *pair)
    return None if is_yes is None else Decision(YES if is_yes else NO, pair[1])


def _agreed(
    question: str, asks: QuestionKind, sentence: str, readings: Sequence[Limit]
) -> Decision | None:
    """What follows in whatever unit the wind is meant; None where that matters."""
    decisions = [_decide_by_limits(question, asks, sentence, [reading]) for reading in readings]
    return decisions[0] if len({item and item.lead for item in decisions}) == 1 else None


def wind_readings(question: str) -> tuple[Limit, ...]:
    """A wind without a unit ("gusts 45"), in each unit that it may be meant in."""
    match = _BARE_WIND.search(question)
    if match is None:
        return ()
    figure = match[1] or match[2]
    return tuple(limit for unit in _WIND_UNITS for limit in limits_in(f"{figure} {unit}"))


def _has_what_it_lacks(question: str, sentence: str) -> bool:
    """Whether the rule is for what is done without a thing, and the question is for with it."""
    lacking = (terms_of(word) for word in _LACKING.findall(sentence))
    having = frozenset[str]().union(*map(terms_of, _WITH.findall(question)))
    return any(item & having for item in lacking)


def figure_for(question: str, sentence: str) -> Limit | None:
    """The figure of a sentence that answers "how much", of the dimension asked for."""
    limits, units = limits_in(sentence), units_asked(question)
    if not units:
        terms = terms_of(question)
        many = re.search(r"\bhow many\b", question, re.IGNORECASE)
        fits = [item for item in limits if not many or set(item.unit.split()[1:]) & terms]
        return fits[0] if fits else None
    fits = [item for item in limits if item.unit in units]
    match = _at_its_word(question, sentence, fits)
    return match or next(iter(fits), None)


def _at_its_word(question: str, sentence: str, fits: Sequence[Limit]) -> Limit | None:
    """Of several figures the one that stands nearest behind a word of the question."""
    if len(fits) < 2:
        return None
    words = set(terms(question))
    tokens = tokenize(sentence)
    at = [tokens.starts[n] for n, term in enumerate(tokens.terms) if term and term in words]

    def away(limit: Limit) -> int:
        where = sentence.find(limit.words)
        return min((abs(where - place) for place in at), default=0)

    return min(fits, key=away)


def _pair(values: Sequence[Limit], limits: Sequence[Limit]) -> tuple[Limit, Limit] | None:
    pairs = ((_in_unit_of(item, v), item) for v in values for item in limits)
    return next((pair for pair in pairs if _comparable(*pair)), None)


def _in_unit_of(limit: Limit, value: Limit) -> Limit:
    """Bare degrees beside a temperature are degrees of its scale."""
    if value.unit != "degrees" or limit.unit != "temperature":
        return value
    is_fahrenheit = limit.words.rstrip().endswith("F")
    low, high = ((end - 32) * 5 / 9 if is_fahrenheit else end for end in (value.low, value.high))
    return replace(value, low=low, high=high, unit=limit.unit)


def _comparable(limit: Limit, other: Limit) -> bool:
    clocks = limit.unit.startswith("clock") and other.unit.startswith("clock")
    rain = {limit.unit, other.unit} == {"m/s", "m"} and "mm" in limit.words and "mm" in other.words
    return limit.unit == other.unit or clocks or rain


def _by_limit(
    question: str, question_kind: QuestionKind, stance: Stance, value: Limit, limit: Limit
) -> bool | None:
    if limit.side is Side.EXACTLY and not limit.holds(value.value):
        return None  # which way a bare figure bounds is not known
    worth = value.value * 3600 if value.unit == "m/s" and limit.unit == "m" else value.value
    holds = limit.holds(worth)
    allowed = _is_allowed(stance, limit, holds)
    if question_kind is QuestionKind.PERMISSION and not _FORBIDDEN.search(question):
        if allowed is None and _WITHOUT.search(question):
            return not holds
        return allowed
    if _FORBIDDEN.search(question):
        return None if allowed is None else not allowed
    if limit.bounds and question_kind is QuestionKind.FACT:
        return holds
    if stance in (Stance.REQUIRES, Stance.STATES):
        return holds
    return allowed


def _is_allowed(stance: Stance, limit: Limit, holds: bool) -> bool | None:
    """Whether something may be done at a value; None where the rule does not say."""
    if limit.bounds or stance in (Stance.ONLY, Stance.ALLOWS):
        return holds
    if stance is Stance.FORBIDS:
        return not holds
    return holds if limit.side is Side.EXACTLY else None


def _by_words(question: str, question_kind: QuestionKind, sentence: str) -> bool | None:
    stance = stance_of(sentence)
    if question_kind is QuestionKind.PERMISSION:
        if _FORBIDDEN.search(question):
            return stance is Stance.FORBIDS
        if _WITHOUT.search(question) and stance is Stance.REQUIRES:
            return False
        return _permits(stance)
    if question_kind is QuestionKind.NEED:
        return {Stance.REQUIRES: True, Stance.STATES: True, Stance.ALLOWS: False}.get(stance)
    return not _is_denied(question, sentence)


def _permits(stance: Stance) -> bool | None:
    known_as = {Stance.FORBIDS: False, Stance.ALLOWS: True, Stance.ONLY: True}
    return known_as.get(stance)


def _is_denied(question: str, sentence: str) -> bool:
    """Whether words of the question stand where the sentence denies something."""
    tokens, question_words = tokenize(sentence), set(terms(question))
    return any(
        question_words & {term for term in tokens.terms[negation.first : negation.last] if term}
        for negation in negations(tokens, 0, len(tokens))
    )
