"""`remember`: processes a manager's words after a turn."""

from memory.guarding.checks import private, refusal, statement_refusal
from memory.judging import judges
from memory.judging.rules import ENOUGH, FactJudgement
from memory.models import MOST_SOURCE, MOST_TEXT, Manager, Origin, Target
from memory.outcomes import FactOutcome, MemoryOutcome, Refusal, Status
from memory.reading.sentence import split
from memory.services.writing import NewFact, write


def remember(
    manager: Manager, statement: str, *, context: str = "", source: str = "", by: str = ""
) -> MemoryOutcome:
    """Judge what a manager said and store what is worth keeping.

    `statement`: the manager's own words, never those of a document, a weather reply or an answer.
    `context`: what the words reply to; read by the judge, never stored. `source`: where it was
    said, for later readers ("conversation …, turn 3"). Each sentence is handled separately: what
    must never be stored does not even reach the judge.
    """
    judge = judges.configured_judge()
    refused, clean = _guard_statement(statement)
    judgements = judge.judge(clean, context) if clean else ()
    who = by or f"manager:{manager.pk}"
    outcomes = [_keep(manager, judgement, judge.name, source, who) for judgement in judgements]
    nothing = [_refusal("", "nothing_said", "Nothing was entered.")]
    return MemoryOutcome(judge.name, tuple([*outcomes, *refused] or nothing))


def _guard_statement(statement: str) -> tuple[list[FactOutcome], list[str]]:
    """Return the refused parts of a statement, and the sentences for the judge."""
    why = statement_refusal(statement)
    if why:
        return [_refusal("", why.code, why.reason)], []
    guarded = [(sentence, refusal(sentence)) for sentence in split(statement)]
    refused = [_of_guard(sentence, why) for sentence, why in guarded if why]
    clean = [sentence for sentence, why in guarded if not why]
    spread = private("\n".join(clean))  # a password may stand in the sentence after its name
    return ([*refused, _of_guard("", spread)], []) if spread else (refused, clean)


def _of_guard(sentence: str, why: Refusal, confidence: float = 1.0) -> FactOutcome:
    """Return a refusal, repeating the words only if they are not private."""
    return _refusal("" if why.hidden else sentence, why.code, why.reason, confidence)


def _keep(
    manager: Manager, judgement: FactJudgement, judge: str, source: str, by: str
) -> FactOutcome:
    """Store one judged fact, unless it is below the threshold."""
    fact = tidy(judgement.fact)
    if not judgement.worth_storing:
        return _refusal(fact, "not_worth_storing", judgement.reason, judgement.confidence)
    if judgement.confidence < ENOUGH:
        reason = f"The judge is not sure enough ({judgement.confidence:.2f}, {ENOUGH} is needed)."
        return _refusal(fact, "unsure", reason, judgement.confidence)
    new = NewFact(
        fact,
        Target(judgement.target),
        judgement.confidence,
        judge,
        Origin.STATED,
        source[:MOST_SOURCE],
    )
    return guarded_write(manager, new, by=by)


def guarded_write(manager: Manager, fact: NewFact, *, by: str) -> FactOutcome:
    """Write a fact after checking the guards again: a judge may have composed it."""
    if not fact.text:
        return _refusal("", "nothing_said", "Nothing was entered.", fact.confidence)
    if len(fact.text) > MOST_TEXT:
        reason = f"A fact has at most {MOST_TEXT} characters; a transcript is not kept."
        return _refusal("", "transcript", reason, fact.confidence)
    why = statement_refusal(fact.text) or refusal(fact.text)
    if why:
        return _of_guard(fact.text, why, fact.confidence)
    return write(manager, fact, by=by)


def tidy(fact: str) -> str:
    """Return one line: white space normalised, without what databases cannot store."""
    return " ".join(fact.replace("\x00", " ").split())


def _refusal(fact: str, code: str, reason: str, confidence: float = 1.0) -> FactOutcome:
    return FactOutcome(Status.REFUSED, fact, "", confidence, code=code, reason=reason)
