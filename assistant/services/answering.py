"""Answers an accepted question: gathers, writes, checks, remembers, finishes.

Each part is stored when done, so that whoever takes over after a crash continues from there:
evidence is gathered once, an answer submitted once.
"""

from collections.abc import Sequence
from functools import partial
from time import perf_counter
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction

from analysis.engine.codec import encode
from analysis.models import AnnotatedAnswer, Check
from analysis.selectors.checks import has_ended
from analysis.selectors.results import decision_in_place
from analysis.services.checking import run_check
from analysis.services.submission import NewCheck, submit
from assistant.evidence import EvidenceBundle, EvidenceKind, Item, SourceResult, bundle_of
from assistant.gathering.collecting import gather_evidence
from assistant.models import Step, Turn, TurnEvidence
from assistant.presenting import (
    FAILED,
    KNOWN,
    NOT_CHECKED,
    NOT_KEPT,
    AnswerText,
    Beside,
    answer_text,
    beside_of,
)
from assistant.services import lifecycle
from assistant.services.understanding import message_of, spelt
from assistant.services.writing import write
from assistant.synthesis.citing import cited_sentences
from assistant.synthesis.drafts import Draft
from assistant.synthesis.extractive import BY as QUOTED
from assistant.understanding.asking import ManagerMessage
from assistant.weather.days import asks_for_limits
from lib.text.tokens import tokenize
from lib.workqueue.broker import wait_for_end
from lib.workqueue.queue import LeaseLost
from memory.outcomes import Status
from memory.services import remember

log = structlog.get_logger(__name__)
COURTESY = "courtesy"
"""`written_by` of the answer to a greeting or a thanks."""
_MOST_ARRIVED, _PREVIEW = 4, 240
"""Items of each source, and code points of each, that are shown before the answer is written."""


class CheckPending(Exception):
    """Raised while the answer waits for a worker's check; the question is resumed later."""


def answer(turn_id: UUID, *, here: bool = True) -> bool:
    """Answer a question; return False if there was nothing to do, or this attempt failed.

    `here`: also run the check in this process; otherwise a worker does, and this waits for it. Safe
    to call twice or late: only the holder of the lease finishes it.
    """
    turn = lifecycle.claim(turn_id)
    if turn is None:
        return False
    try:
        _answer(turn, here=here)
    except LeaseLost:
        log.warning("lease_lost", turn_id=str(turn_id))
        return False
    except Exception as error:
        log.error("turn_failed", turn_id=str(turn_id), exc_info=error)
        lifecycle.retry(turn, error=type(error).__name__)
        return False
    return True


def _answer(turn: Turn, *, here: bool) -> None:
    clock = _Clock(turn)
    message = message_of(turn)
    bundle = _bundle(turn, message)
    clock.lap("gathering")
    if turn.writing is None:
        _show_step(turn, Step.WRITING)
        _write(turn, message, bundle)
        clock.lap("writing")
    if turn.check_record_id is not None:
        _show_step(turn, Step.CHECKING)
        _wait_for_check(turn.check_record_id, here=here)
        clock.lap("checking")
    memory = _remembered(turn, message)
    clock.lap("remembering")
    acknowledged = _acknowledged(turn, message, memory["facts"])
    answer_view = _answer_of_turn(
        turn, bundle, [fact["fact"] for fact in memory["facts"] if fact["stored"]], acknowledged
    )
    writing = (turn.writing or {}) | {
        "acknowledged": acknowledged,
        "cited": list(answer_view.cited),
        "side_by_side": [
            encode(comparison) | {"text": comparison.text} for comparison in answer_view.comparisons
        ],
        "notes": list(answer_view.notes),
    }
    lifecycle.finish(
        turn,
        answer=answer_view.text,
        writing=writing,
        memory=memory,
        milliseconds=clock.milliseconds,
    )


def _show_step(turn: Turn, step: Step) -> None:
    lifecycle.note(turn, step=step, durable=False)


class _Clock:
    """Milliseconds of each part; a part done by an earlier attempt keeps its own."""

    def __init__(self, turn: Turn) -> None:
        self.milliseconds: dict[str, float] = dict(turn.milliseconds)
        self.began = perf_counter()

    def lap(self, name: str) -> None:
        now = perf_counter()
        self.milliseconds[name] = round((now - self.began) * 1000, 1)
        self.began = now


def _bundle(turn: Turn, message: ManagerMessage) -> EvidenceBundle:
    """Return the evidence for the message, gathered and stored unless an earlier attempt did.

    A courtesy has an empty bundle, which is not stored.
    """
    if message.reply:
        return EvidenceBundle((), (), 0.0)
    row = TurnEvidence.objects.filter(pk=turn.pk).first()
    if row is not None:
        return bundle_of(row.contents)
    gather = partial(
        gather_evidence, turn, turn.conversation.manager,
        on_step=partial(_show_step, turn), on_arrival=partial(_save_previews, turn),
    )  # fmt: skip
    bundle = gather(message.questions)
    questions = spelt(message.questions, bundle)
    if questions != message.questions:
        bundle = gather(questions)
    lifecycle.note(turn, milliseconds={"gathering": bundle.ms}, durable=False)
    TurnEvidence.objects.create(turn=turn, contents=encode(bundle), sha256=bundle.sha256())
    return bundle


def _save_previews(turn: Turn, kind: EvidenceKind, source_result: SourceResult) -> None:
    """Store the beginnings of a source's passages for people who wait; never flagged ones."""
    usable = [item for item in source_result.items if not item.flagged][:_MOST_ARRIVED]
    if usable:
        pieces = [{"title": item.title, "text": item.text[:_PREVIEW]} for item in usable]
        lifecycle.note(turn, arrived=turn.arrived | {kind.value: pieces}, durable=False)


def _write(turn: Turn, message: ManagerMessage, bundle: EvidenceBundle) -> None:
    """Write a draft and submit it, in one transaction."""
    if message.reply:
        lifecycle.note(turn, writing={"by": COURTESY, "found": None, "reply": message.reply})
        return
    draft = write(turn.application_id, turn.question, bundle)
    with transaction.atomic():
        beside = _beside(draft, bundle)
        check_id = _submit_draft(turn, bundle, draft, beside) if draft.text else None
        lifecycle.note(turn, check_record_id=check_id, writing=_draft_json(draft, beside))


def _draft_json(draft: Draft, beside: Beside) -> dict[str, Any]:
    return {
        "by": draft.by,
        "found": bool(draft.text) or draft.remembered,
        "beside": encode(beside) | {"cautions": list(beside.cautions)},
        "notes": list(draft.notes),
        "memories": list(draft.memories),
        "tokens": draft.tokens,
        "removed": list(draft.removed),
        "consensus": draft.consensus,
    }


def _beside(draft: Draft, bundle: EvidenceBundle) -> Beside:
    numbers = dict.fromkeys(number for conflict in draft.conflicts for number in conflict.numbers)
    cited = {number for number, _ in cited_sentences(draft.text)}
    documents = {item.number for item in bundle.usable if item.kind is EvidenceKind.DOCUMENT}
    asks_limits = any(asks_for_limits(tokenize(item.text)) for item in bundle.questions)
    return Beside(
        remembered=draft.remembered,
        closest=draft.closest,
        conflicts=tuple(conflict.text for conflict in draft.conflicts),
        numbers=tuple(numbers),
        incomplete=any(source.status in FAILED for source in bundle.sources),
        unruled=asks_limits and cited.isdisjoint(documents),
        suggested=draft.suggested,
    )


def _submit_draft(turn: Turn, bundle: EvidenceBundle, draft: Draft, beside: Beside) -> UUID:
    """Submit the draft as a check like any client's; its sources are the numbered usable items.

    Cautions are passed on, so that the check warns as the turn does.
    """
    cautions = [caution["text"] for caution in beside.cautions]
    new = NewCheck(
        answer=draft.text,
        query=" ".join(item.text for item in bundle.questions) or turn.question,
        sources=[_source(item) for item in bundle.usable],
        source_model=draft.by[:200],
        metadata={
            "assistant": {"turn": str(turn.pk), "evidence_sha256": bundle.sha256()},
            **({"cautions": cautions} if cautions else {}),
        },
        samples=list(draft.samples),
        token_logprobs=list(draft.logprobs) if draft.logprobs else None,
    )
    return submit(application_id=turn.application_id, new=new, by=turn.asked_by).id


def _source(item: Item) -> dict[str, Any]:
    if item.kind is EvidenceKind.DOCUMENT:
        source_id = f"{item.place['document_id']}:{item.place['chunk']}"
    else:
        source_id = item.uri or str(item.number)
    return {"id": source_id, "text": item.text, "title": item.title, "uri": item.uri}


def _wait_for_check(check_id: UUID, *, here: bool) -> None:
    """Wait until the check has ended. Raises CheckPending after the time that a check may take.

    `here`: run the check, unless a worker was quicker.
    """
    if here:
        run_check(check_id)
    ended = partial(has_ended, check_id)
    if not ended():
        wait_for_end(check_id, seconds=settings.CHECK_TIME_LIMIT_SECONDS, has_ended=ended)
    if not ended():
        raise CheckPending


def _remembered(turn: Turn, message: ManagerMessage) -> dict[str, Any]:
    """Return what was remembered of the manager's words; a failure does not affect the answer."""
    if not message.statements:
        return {"judge": "", "facts": [], "error": ""}
    try:
        outcome = remember(
            turn.conversation.manager,
            message.statements,
            source=f"conversation {turn.conversation_id}",
            by=turn.asked_by,
        )
    except Exception as error:
        log.error("memory_failed", turn_id=str(turn.pk), exc_info=error)
        return {"judge": "", "facts": [], "error": type(error).__name__}
    facts = [encode(fact) | {"stored": fact.stored} for fact in outcome.facts]
    return {"judge": outcome.judge, "facts": facts, "error": ""}


def _acknowledged(turn: Turn, message: ManagerMessage, facts: Sequence[dict[str, Any]]) -> str:
    """Return the reply to a pure statement of which nothing new was remembered, else ""."""
    if message.statements != turn.question or any(fact["stored"] for fact in facts):
        return ""
    is_known = any(fact["status"] == Status.DUPLICATE for fact in facts)
    return KNOWN if is_known else NOT_KEPT


def _final_response(check_id: UUID) -> str:
    """Return the checked text of an answer, or the sentence that it could not be checked."""
    answers = AnnotatedAnswer.objects.filter(pk=check_id)
    answer = answers.select_related("check_record").first()
    if answer is not None:
        return str(decision_in_place(answer)["final_response"])
    failed = Check.objects.filter(pk=check_id, state="failed").exists()
    return NOT_CHECKED if failed else ""


def _answer_of_turn(
    turn: Turn, bundle: EvidenceBundle, new_facts: list[str], acknowledged: str
) -> AnswerText:
    writing = turn.writing or {}
    if "reply" in writing:
        return AnswerText(writing["reply"], (), (), ())
    return answer_text(
        turn.question,
        _final_response(turn.check_record_id) if turn.check_record_id else "",
        bundle,
        writing.get("memories", ()),
        quoted=writing.get("by") == QUOTED,
        new_facts=new_facts,
        notes=writing.get("notes", ()),
        beside=beside_of(writing),
        told_before=turn.notes_before(),
        acknowledged=acknowledged,
    )
