"""The judge for when no language model is configured: small rules, each with its confidence.

Each rule looks at one sentence for one kind of fact that is worth keeping. The
first that applies decides; a sentence that none applies to is not worth storing.
"""

from collections.abc import Callable
from dataclasses import dataclass

from memory.judging.types import COMPANY, USER, Judged
from memory.reading.people import named_in_role, own_name, own_role
from memory.reading.places import location
from memory.reading.sentence import Sentence, read
from memory.reading.standing import is_passing, is_recurring, is_rule
from memory.reading.vocabulary import (
    EQUIPMENT_NOUNS,
    PREFERS,
    SCHEDULE_NOUNS,
    TEAM_NOUNS,
    UNIT_CHOICES,
    WORKS,
)
from text.words import word_set

RULES_JUDGE = "rules-1"
_ME = word_set("i i'm i've i'd i'll my me mine myself")
_WE = word_set("we we're we've our us ours we'll")
_LEAD_INS = (
    "remember that ", "remember: ", "remember, ", "please remember that ", "please note that ",
    "please note: ", "note that ", "note: ", "for the record, ", "for the record: ", "fyi, ",
    "fyi: ", "by the way, ", "just so you know, ", "keep in mind that ", "be aware that ",
    "for your information, ", "as a reminder, ", "hi, ", "hello, ", "good morning, ",
)  # fmt: skip
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
_MORE = 3


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of fact: how it is told, whose it is, and how sure that makes the judge."""

    kind: str
    holds: Callable[[Sentence], bool]
    target: Callable[[Sentence], str]
    confidence: float


def judge(sentence: str) -> Judged:
    """Judge one sentence of a manager, lead-ins such as "remember that" taken off."""
    fact, asked = _without_lead_in(sentence)
    found = read(fact)
    why_not = next((why for holds, why in _REFUSALS if holds(found)), "")
    if why_not:
        return Judged(False, 0.9, fact, "", why_not)
    if _unsure(found):
        return Judged(True, 0.4, fact, _owner(found))
    rule = next((rule for rule in RULES if rule.holds(found)), None)
    if rule:
        return Judged(True, rule.confidence, fact, rule.target(found))
    if asked and not is_passing(found):
        return Judged(True, 0.8, fact, _owner(found))
    return Judged(False, 0.7, fact, "", "No lasting fact about the manager or the site was found.")


def _without_lead_in(sentence: str) -> tuple[str, bool]:
    """The sentence without its lead-ins, and whether one of them asks to remember it."""
    fact, asked = sentence.strip(), False
    while lead := next((lead for lead in _LEAD_INS if fact.lower().startswith(lead)), None):
        asked = asked or lead.strip(" ,:") not in ("hi", "hello", "good morning")
        fact = fact[len(lead) :].strip()
    return fact[:1].upper() + fact[1:], asked


def _unsure(found: Sentence) -> bool:
    return found.has(_UNSURE) or found.phrase(*_UNSURE_PHRASES)


def _owner(found: Sentence) -> str:
    return USER if found.has(_ME) else COMPANY


def _is_request(found: Sentence) -> bool:
    words = [word for word in found.words if word != "please"]
    return bool(words) and words[0] in _REQUESTS and not _prefers(found) and not is_rule(found)


def _supposes(found: Sentence) -> bool:
    conditional = found.words[:1] == ("if",) and found.has(("would", "could", "had", "were"))
    return found.words[:1] != () and (found.words[0] in _SUPPOSES or conditional)


def _is_over(found: Sentence) -> bool:
    """ "Our limit used to be 25 km/h"; "they are used to heights" is something else."""
    used = found.phrase(("used", "to", "be"), ("used", "to", "have"))
    return used or found.has(("formerly", "previously"))


def _prefers(found: Sentence) -> bool:
    """ "I prefer metric units", "please give me temperatures in Celsius", "answer in German"."""
    chosen = any(found.has(words) for words in UNIT_CHOICES.values())
    asks = [word for word in found.words[:_MORE] if word in _IMPERATIVE_CHOICES]
    says = found.has(_ME) and found.has(PREFERS)
    return ((says and not found.has(("need", "want", "like"))) or (says and chosen)) or (
        bool(asks) and chosen and not is_rule_of_site(found)
    )


def is_rule_of_site(found: Sentence) -> bool:
    """A standing rule that is more than a preference of words and units."""
    return found.physical and is_rule(found)


def _has_schedule(found: Sentence) -> bool:
    timed = any(measure.unit.startswith("clock") for measure in found.measures)
    planned = found.has(SCHEDULE_NOUNS)
    shift = planned and found.has(("shift", "hours", "rota"))
    return (is_recurring(found) and (planned or timed or found.has(_ME))) or (
        shift and found.has(_ME | _WE)
    )


def _has_works(found: Sentence) -> bool:
    """ "We're running crane ops", "my teams are erecting steel", "my active work packages"."""
    if found.phrase(*_ACTIVE):
        return True
    busy = found.has(WORKS) and found.has(("are", "am", "we're", "i'm", "is"))
    return busy and found.has(_ME | _WE)


def _counts(found: Sentence) -> bool:
    """ "We have 3 glazing crews", "four excavators are on site"."""
    counted = [m for m in found.measures if m.things and not m.unit]
    if not counted or found.has(_NO_THINGS):
        return False
    known = found.has(TEAM_NOUNS | EQUIPMENT_NOUNS)
    ours = found.has(_WE) or found.phrase(*_ON_SITE) or found.words[:1] == ("there",)
    return ours and (known or found.has(_OWNS))


def _has_milestone(found: Sentence) -> bool:
    dated = any(date.month or date.day for date in found.dates)
    return dated and (found.has(_MILESTONES) or found.has(SCHEDULE_NOUNS))


def _uses(found: Sentence) -> bool:
    ours = found.has(_WE) or found.phrase(("on", "site"), ("this", "site"), ("the", "site"))
    return ours and found.has(EQUIPMENT_NOUNS) and found.has(_USES | {"is", "are"})


def _rules_site(found: Sentence) -> bool:
    """A limit or a rule that is not just what "I" have to do now."""
    if not is_rule(found) or (found.has(_ME) and not found.physical):
        return False
    return not is_passing(found)


_REFUSALS: tuple[tuple[Callable[[Sentence], bool], str], ...] = (
    (lambda found: len(found.words) < _MORE, "Too few words to be a fact."),
    (_is_request, "A request or a greeting is no fact."),
    (_supposes, "What is only supposed is no fact."),
    (_is_over, "What held once and holds no longer is no fact."),
)
RULES: tuple[Rule, ...] = (
    Rule("preference", _prefers, lambda _: USER, 0.85),
    Rule("location", lambda found: bool(location(found)), lambda _: COMPANY, 0.8),
    Rule("limit or rule", _rules_site, lambda _: COMPANY, 0.85),
    Rule("name", lambda found: bool(own_name(found)), lambda _: USER, 0.9),
    Rule("role", lambda found: bool(own_role(found)), lambda _: USER, 0.9),
    Rule("milestone", _has_milestone, lambda _: COMPANY, 0.75),
    Rule(
        "schedule",
        lambda found: not is_passing(found) and _has_schedule(found),
        lambda found: USER if found.has(_ME) else COMPANY,
        0.8,
    ),
    Rule("team", _counts, lambda _: COMPANY, 0.8),
    Rule("person", lambda found: named_in_role(found) is not None, lambda _: COMPANY, 0.8),
    Rule("works", lambda f: not is_passing(f) and _has_works(f), lambda _: USER, 0.75),
    Rule("equipment", lambda f: not is_passing(f) and _uses(f), lambda _: COMPANY, 0.7),
)
