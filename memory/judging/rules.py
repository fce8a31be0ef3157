"""The judge used without a language model: small rules, each with its confidence.

Each rule examines one sentence for one kind of fact worth keeping. The first that applies decides;
a sentence without one is not worth storing.
"""

from collections.abc import Callable
from dataclasses import dataclass

from lib.text.words import word_set
from memory.reading.meaning import (
    is_passing,
    is_recurring,
    is_rule,
    location,
    own_name,
    own_role,
    role_holder_in,
)
from memory.reading.sentence import (
    EQUIPMENT_NOUNS,
    PREFERS,
    SCHEDULE_NOUNS,
    TEAM_NOUNS,
    UNIT_CHOICES,
    WORKS,
    ParsedSentence,
    read,
)

# Judgements of a manager's words.

ENOUGH = 0.65
"""From this confidence on a fact is stored."""
USER, COMPANY = "user", "company"


@dataclass(frozen=True, slots=True)
class FactJudgement:
    """One judgement. `reason` says why it is not worth storing, or is ""."""

    worth_storing: bool
    confidence: float
    fact: str
    target: str
    reason: str = ""


RULES_JUDGE = "rules-1"
_FEWEST_WORDS, _OPENING = 3, 3
"""Words of the shortest fact, and those at the beginning that an order opens with."""
_ME = word_set("i i'm i've i'd i'll my me mine myself")
_WE = word_set("we we're we've our us ours we'll")
_LEAD_INS = (
    "remember that ", "remember: ", "remember, ", "please remember that ", "please note that ",
    "please note: ", "note that ", "note: ", "for the record, ", "for the record: ", "fyi, ",
    "fyi: ", "by the way, ", "just so you know, ", "keep in mind that ", "be aware that ",
    "for your information, ", "as a reminder, ", "hi, ", "hello, ", "good morning, ",
)  # fmt: skip
_GREETINGS = ("hi", "hello", "good morning")
_UNSURE = word_set("maybe perhaps possibly probably might guess unsure reckon presumably")
_UNSURE_PHRASES = (
    ("i", "think"), ("not", "sure"), ("don't", "quote"), ("i", "believe"), ("as", "far", "as"),
    ("no", "idea"), ("don't", "know"), ("i", "suppose"),
)  # fmt: skip
_SUPPOSES = word_set("suppose imagine assume assuming hypothetically supposing")
_REQUESTS = word_set(
    "tell show give summarise summarize check find list explain look search write send compare "
    "help read remind run calculate translate draft prepare open upload delete describe quote "
    "repeat print email get make let thanks thank ok okay great good hello hi hey yes no sure "
    "fine bye cheers sorry nevermind"
)
_IMPERATIVE_CHOICES = word_set("use give keep show list write answer speak reply always please")
_OWNS = word_set("have has we've i've there got own operate use run employ rent hire")
_ON_SITE = (("on", "site"), ("on", "the", "project"), ("on", "the", "job"), ("for", "us"))
_NO_THINGS = word_set(
    "question questions minute minutes hour hours problem problems issue issues idea ideas delay "
    "delays thing things kid kids child children concern concerns comment comments point points "
    "reason reasons missing sick injured absent ill late day days week "
    "weeks month months year years time times euro dollar percent"
)
_MILESTONES = word_set(
    "handover completion topping deadline due planned scheduled starts begins ends finishes "
    "completes milestone opens opening closing phase start end finish demobilisation tender "
    "inauguration commissioning"
)
_USES = word_set("use uses using")
_ACTIVE = (("work", "packages"), ("work", "package"), ("active", "works"), ("current", "works"))


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of fact: how to recognise it, whose it is, and the judge's confidence."""

    kind: str
    holds: Callable[[ParsedSentence], bool]
    target: Callable[[ParsedSentence], str]
    confidence: float


def judge(sentence: str) -> FactJudgement:
    """Judge one sentence of a manager, without lead-ins such as "remember that"."""
    fact, asks_to_remember = _without_lead_in(sentence)
    reading = read(fact)
    why_not = next((why for holds, why in _REFUSALS if holds(reading)), "")
    if why_not:
        return FactJudgement(False, 0.9, fact, "", why_not)
    if reading.has(_UNSURE) or reading.phrase(*_UNSURE_PHRASES):
        return FactJudgement(True, 0.4, fact, _owner(reading))
    rule = next((rule for rule in RULES if rule.holds(reading)), None)
    if rule:
        return FactJudgement(True, rule.confidence, fact, rule.target(reading))
    if asks_to_remember and not is_passing(reading):
        return FactJudgement(True, 0.8, fact, _owner(reading))
    return FactJudgement(
        False, 0.7, fact, "", "No lasting fact about the manager or the site was found."
    )


def _without_lead_in(sentence: str) -> tuple[str, bool]:
    """Return the sentence without its lead-ins, and whether one of them asks to remember it."""
    fact, asks_to_remember = sentence.strip(), False
    while lead := next((lead for lead in _LEAD_INS if fact.lower().startswith(lead)), None):
        asks_to_remember = asks_to_remember or lead.strip(" ,:") not in _GREETINGS
        fact = fact[len(lead) :].strip()
    return fact[:1].upper() + fact[1:], asks_to_remember


def _owner(sentence: ParsedSentence) -> str:
    return USER if sentence.has(_ME) else COMPANY


def _is_request(sentence: ParsedSentence) -> bool:
    opening = next((word for word in sentence.words if word != "please"), "")
    return opening in _REQUESTS and not _prefers(sentence) and not is_rule(sentence)


def _supposes(sentence: ParsedSentence) -> bool:
    opening = sentence.words[:1]
    conditional = opening == ("if",) and sentence.has(("would", "could", "had", "were"))
    return conditional or not _SUPPOSES.isdisjoint(opening)


def _is_over(sentence: ParsedSentence) -> bool:
    """Return whether it is past: "Our limit used to be 25 km/h", not "they are used to heights"."""
    used = sentence.phrase(("used", "to", "be"), ("used", "to", "have"))
    return used or sentence.has(("formerly", "previously"))


def _prefers(sentence: ParsedSentence) -> bool:
    """Return whether it states a preference: "I prefer metric units", "answer in German"."""
    chooses_units = any(map(sentence.choices_of, UNIT_CHOICES))
    says = sentence.has(_ME) and sentence.has(PREFERS)
    if says and (chooses_units or not sentence.has(("need", "want", "like"))):
        return True
    asks = not _IMPERATIVE_CHOICES.isdisjoint(sentence.words[:_OPENING])
    return asks and chooses_units and not (sentence.physical and is_rule(sentence))


def _has_schedule(sentence: ParsedSentence) -> bool:
    timed = any(measure.unit.startswith("clock") for measure in sentence.measures)
    if is_recurring(sentence) and (timed or sentence.has(SCHEDULE_NOUNS | _ME)):
        return True
    return sentence.has(("shift", "hours", "rota")) and sentence.has(_ME | _WE)


def _has_works(sentence: ParsedSentence) -> bool:
    """Return whether it names active works: "We're running crane ops"."""
    busy = sentence.has(WORKS) and sentence.has(("are", "am", "we're", "i'm", "is"))
    return sentence.phrase(*_ACTIVE) or (busy and sentence.has(_ME | _WE))


def _counts(sentence: ParsedSentence) -> bool:
    """Return whether it counts: "We have 3 glazing crews", "four excavators are on site"."""
    counts = any(measure.things and not measure.unit for measure in sentence.measures)
    if not counts or sentence.has(_NO_THINGS):
        return False
    ours = sentence.has(_WE) or sentence.phrase(*_ON_SITE) or sentence.words[:1] == ("there",)
    return ours and sentence.has(TEAM_NOUNS | EQUIPMENT_NOUNS | _OWNS)


def _has_milestone(sentence: ParsedSentence) -> bool:
    dated = any(date.month or date.day for date in sentence.dates)
    return dated and sentence.has(_MILESTONES | SCHEDULE_NOUNS)


def _uses(sentence: ParsedSentence) -> bool:
    ours = sentence.has(_WE) or sentence.phrase(("on", "site"), ("this", "site"), ("the", "site"))
    return ours and sentence.has(EQUIPMENT_NOUNS) and sentence.has(_USES | {"is", "are"})


def _rules_site(sentence: ParsedSentence) -> bool:
    """Return whether it is a limit or rule that is not just what "I" have to do now."""
    own_duty = sentence.has(_ME) and not sentence.physical
    return is_rule(sentence) and not own_duty and not is_passing(sentence)


_REFUSALS: tuple[tuple[Callable[[ParsedSentence], bool], str], ...] = (
    (lambda sentence: len(sentence.words) < _FEWEST_WORDS, "Too few words to be a fact."),
    (_is_request, "A request or a greeting is no fact."),
    (_supposes, "What is only supposed is no fact."),
    (_is_over, "What held once and holds no longer is no fact."),
)
RULES: tuple[Rule, ...] = (
    Rule("preference", _prefers, lambda _: USER, 0.85),
    Rule("location", lambda sentence: bool(location(sentence)), lambda _: COMPANY, 0.8),
    Rule("limit or rule", _rules_site, _owner, 0.85),
    Rule("name", lambda sentence: bool(own_name(sentence)), lambda _: USER, 0.9),
    Rule("role", lambda sentence: bool(own_role(sentence)), lambda _: USER, 0.9),
    Rule("milestone", _has_milestone, _owner, 0.75),
    Rule(
        "schedule",
        lambda sentence: not is_passing(sentence) and _has_schedule(sentence),
        _owner,
        0.8,
    ),
    Rule("team", _counts, lambda _: COMPANY, 0.8),
    Rule("person", lambda sentence: role_holder_in(sentence) is not None, _owner, 0.8),
    Rule("works", lambda f: not is_passing(f) and _has_works(f), lambda _: USER, 0.75),
    Rule("equipment", lambda f: not is_passing(f) and _uses(f), lambda _: COMPANY, 0.7),
)
