"""Reads of the assistant, within one application: conversations, turns, briefings."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet
from django.db.models.functions import Substr

from analysis.engine.codec import encode
from analysis.engine.decision import APPLICATION_CAUTION
from analysis.engine.types import ClaimStatus
from analysis.models import Claim
from assistant.evidence import EvidenceKind, Item, bundle_of
from assistant.models import (
    OPEN,
    BriefingMail,
    BriefingSchedule,
    Conversation,
    Turn,
    TurnEvidence,
    TurnState,
)
from assistant.presenting import beside_of, item_document
from documents.models import Document
from memory.models import Manager
from memory.selectors.entries import changeable

FAILED = "The question could not be answered: every attempt failed. It is kept."


def conversations_of(application_id: UUID, manager: str = "") -> QuerySet[Conversation]:
    """Return an application's conversations with their number of turns.

    `manager` filters by name.
    """
    conversations = Conversation.objects.filter(manager__application_id=application_id)
    if manager:
        conversations = conversations.filter(manager__name=manager)
    return conversations.select_related("manager").annotate(turn_count=Count("turns"))


def conversations_with(manager: Manager) -> QuerySet[Conversation]:
    """Return one manager's conversations, newest first."""
    conversations = Conversation.objects.filter(manager=manager).select_related("manager")
    return conversations.annotate(turn_count=Count("turns")).order_by("-id")


def conversation_of(application_id: UUID, conversation_id: UUID) -> Conversation:
    """Return one conversation. Raises Conversation.DoesNotExist, also for another application's."""
    conversations = Conversation.objects.select_related("manager")
    return conversations.get(pk=conversation_id, manager__application_id=application_id)


def turns_of(conversation_id: UUID) -> QuerySet[Turn]:
    """Return the turns of a conversation in order, with everything `turn_document` reads."""
    return _whole().filter(conversation_id=conversation_id).order_by("id")


def turn_of(application_id: UUID, turn_id: UUID) -> Turn:
    """Return one turn. Raises Turn.DoesNotExist, also for another application's."""
    return _whole().get(pk=turn_id, application_id=application_id)


def _whole() -> QuerySet[Turn]:
    read = ("evidence", "check_record__annotated_answer", "conversation__manager")
    return Turn.objects.select_related(*read).defer(
        "check_record__sources",
        "check_record__samples",
        "check_record__token_logprobs",
        "check_record__annotated_answer__measurement",
    )


def turn_document(turn: Turn) -> dict[str, Any]:
    """Return a turn for clients and pages; answer members are null or empty until it is done.

    It contains nothing of a draft: whatever is shown has been checked.
    """
    done = turn.state == TurnState.DONE
    writing = turn.writing or {}
    result = writing if done else {}
    beside = result.get("beside", {})
    return {
        "id": turn.pk,
        "conversation": turn.conversation_id,
        "manager": turn.conversation.manager.name,
        "question": turn.question,
        "collections": turn.collections,
        "documents": turn.documents,
        "state": turn.state,
        "step": turn.step,
        "created_at": turn.created_at,
        "finished_at": turn.finished_at,
        "answer": turn.answer if done else FAILED if turn.state == TurnState.FAILED else None,
        "found": result.get("found"),
        "written_by": result.get("by"),
        "conflicts": beside.get("conflicts", []),
        "suggested_questions": beside.get("suggested", []),
        "notes": result.get("notes", []),
        "side_by_side": result.get("side_by_side", []),
        "verdict": _verdict(turn) if done else None,
        "evidence": (
            _evidence(turn.evidence, writing.get("cited", []))
            if hasattr(turn, "evidence")
            else None
        ),
        "memory": turn.memory if done else None,
        "tokens": writing.get("tokens", 0) if done else None,
        "consensus": result.get("consensus") or None,
        "milliseconds": turn.milliseconds,
    }


def _verdict(turn: Turn) -> dict[str, Any] | None:
    """Return the pipeline's verdict on the answer, with the assistant's own cautions.

    None if nothing was claimed. What claims nothing from documents has cautions alone.
    """
    check, cautions = turn.check_record, beside_of(turn.writing or {}).cautions
    if check is None and not cautions:
        return None
    answer = getattr(check, "annotated_answer", None)
    decision = answer.decision if answer else None
    stored_reasons: list[dict[str, Any]] = decision["reasons"] if decision else []
    reasons = [reason for reason in stored_reasons if reason["code"] != APPLICATION_CAUTION]
    decided = check is None or any(
        reason["decided"] for reason in stored_reasons if reason not in reasons
    )
    explanation = decision["risk"]["explanation"] if decision else None
    own = [caution | {"action": "WARN", "decided": decided} for caution in cautions]
    return {
        "check_id": check.pk if check else None,
        "action": (check.action if check else None) or "WARN",
        "risk_score": check.risk_score if check else None,
        "risk_level": check.risk_level if check else None,
        "explanation": cautions[0]["text"] if decided else explanation,
        "reasons": [*own, *reasons],
    }


def _evidence(evidence: TurnEvidence, cited: list[int]) -> dict[str, Any]:
    bundle = bundle_of(evidence.contents)
    return {
        "sha256": evidence.sha256,
        "milliseconds": bundle.ms,
        "injection_detected": bool(bundle.flagged),
        "sources": encode(bundle.sources),
        "items": [item_document(item, cited) for item in bundle.items],
    }


Statuses = dict[str, ClaimStatus]
_AROUND = 1_200
"""Characters before and after a passage that its sheet shows."""


def around_passage(item: Item) -> tuple[str, str]:
    """Return what stands before and after a passage in its document; "" if it is not there now."""
    if item.kind is not EvidenceKind.DOCUMENT:
        return "", ""
    start, end = item.place["start"], item.place["end"]
    first = max(0, start - _AROUND)
    stretch = Substr("text", first + 1, end + _AROUND - first)
    documents = Document.objects.filter(pk=item.place["document_id"])
    text = documents.values_list(stretch, flat=True).first() or ""
    if text[start - first : end - first] != item.text:
        return "", ""
    return text[: start - first], text[end - first :]


def some_turns(
    conversation: Conversation, before: UUID | None, most: int
) -> tuple[list[Turn], bool]:
    """Return the newest turns (before `before`, if given) in order, and whether there are more."""
    turns = turns_of(conversation.pk).order_by("-id")
    if before is not None:
        turns = turns.filter(pk__lt=before)
    newest = list(turns[: most + 1])
    return newest[:most][::-1], len(newest) > most


def statuses_of(turns: Sequence[Turn]) -> dict[UUID, Statuses]:
    """Return the verdict of each claim by check and claim id. One query."""
    checks = [turn.check_record_id for turn in turns if turn.check_record_id]
    statuses_by_check = defaultdict[UUID, Statuses](dict)
    claims = Claim.objects.filter(annotated_answer__in=checks)
    for check, name, status in claims.values_list("annotated_answer_id", "claim_id", "status"):
        statuses_by_check[check][name] = ClaimStatus(status)
    return statuses_by_check


def undoable(manager: Manager, documents: Iterable[dict[str, Any]]) -> frozenset[str]:
    """Return the memory entries of these turns that can be undone. One query."""
    ids = [
        fact["entry_id"]
        for document in documents
        for fact in (document["memory"] or {"facts": []})["facts"]
        if fact["stored"]
    ]
    entries = changeable(manager).filter(pk__in=ids, superseded_at=None)
    return frozenset(str(pk) for pk in entries.values_list("pk", flat=True))


def pending(conversation_id: UUID) -> list[UUID]:
    turns = Turn.objects.filter(conversation=conversation_id, state__in=OPEN)
    return list(turns.order_by("id").values_list("pk", flat=True))


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a question: whether it has ended, its step, and the sources that arrived."""

    ended: bool
    step: str
    arrived: frozenset[str]


def progress(turn_ids: Iterable[UUID]) -> dict[UUID, Progress]:
    """Return the progress of each question. One query."""
    turns = Turn.objects.filter(pk__in=list(turn_ids))
    return {
        pk: Progress(state not in OPEN, step, frozenset(arrived))
        for pk, state, step, arrived in turns.values_list("pk", "state", "step", "arrived")
    }


def is_first_checked(turn: Turn) -> bool:
    """Return whether no earlier answer of the conversation has a check."""
    earlier = Turn.objects.filter(conversation=turn.conversation_id, pk__lt=turn.pk)
    return not earlier.exclude(check_record=None).exists()


def schedule_of(manager: Manager) -> BriefingSchedule | None:
    """Return the manager's schedule, even a stopped one; None if there never was one."""
    return BriefingSchedule.objects.filter(manager=manager).first()


def last_mail_of(manager: Manager) -> BriefingMail | None:
    """Return the newest briefing mail, whatever became of it."""
    briefing_mails = BriefingMail.objects.filter(conversation__manager=manager)
    return briefing_mails.select_related("conversation").order_by("-conversation_id").first()
