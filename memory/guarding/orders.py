"""Detects orders that weaken the checks: memory must never make an answer look safer."""

from lib.text.words import word_set
from memory.guarding.types import Refusal
from memory.reading.sentence import read

_ORDER = Refusal(
    "instruction", "Memory stores facts; it accepts no instructions on how answers are judged."
)
_LEADS_IN = word_set(
    "remember note please always never from now on just only : , - and that you must should will "
    "shall have to ok okay so do don't not also simply"
)
_LIFTS = word_set("ignore forget disregard bypass override overrule overlook suppress disable")
_PASSES = word_set("approve allow accept pass clear permit")
_HOLDS = word_set("block warn flag refuse reject question doubt check mark hide suspect")
_ANSWERS = word_set("say answer reply respond tell confirm assume act pretend treat consider rate")
_SAFE = word_set(
    "yes no allow safe ok okay fine low supported approved verified allowed correct true "
    "that permitted green may can"
)
_CHECKED = word_set(
    "rule rules limit limits handbook manual check checks warning warnings safety policy risk "
    "answer answers instructions everything anything threshold thresholds me sources document "
    "documents memory injection verdict verdicts"
)


def refusal(text: str) -> Refusal | None:
    """Return the refusal of an order to the assistant or the checks, or None."""
    words = list(read(text).words)
    start = next((at for at, word in enumerate(words) if word not in _LEADS_IN), len(words))
    head, lead_in = (words[start] if start < len(words) else ""), words[:start]
    rest = frozenset(words[start + 1 :])
    if head in _LIFTS and rest & _CHECKED:
        return _ORDER
    if head in _HOLDS and {"never", "not", "don't"} & set(lead_in) and rest & _CHECKED:
        return _ORDER
    if head in _ANSWERS and rest & _SAFE and (head != "tell" or "me" not in rest or "that" in rest):
        return _ORDER
    return _ORDER if head in _PASSES and rest & _CHECKED else None
