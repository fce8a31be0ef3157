"""Reads for a manager's pages: several turns at once, with a fixed number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models.functions import Substr

from analysis.engine.types import ClaimStatus
from analysis.models import Claim
from assistant.evidence import EvidenceKind, Item
from assistant.models import BriefingMail, BriefingSchedule, Conversation, Turn, TurnState
from assistant.selectors.turns import turn_document, turns_of
from documents.models import Document
from memory.models import Manager
from memory.selectors.entries import changeable

Statuses = dict[str, ClaimStatus]
_AROUND = 1_200
"""Characters before and after a passage that its sheet shows."""
_PENDING = (TurnState.QUEUED, TurnState.RUNNING)


def own_conversation(manager: Manager, conversation_id: UUID) -> Conversation:
    """Return the manager's conversation. Raises Conversation.DoesNotExist, also for another's."""
    return Conversation.objects.get(pk=conversation_id, manager=manager)


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


def documents_of_turns(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    return [turn_document(turn) for turn in turns]


def pending(conversation_id: UUID) -> list[UUID]:
    turns = Turn.objects.filter(conversation=conversation_id, state__in=_PENDING)
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
        pk: Progress(state not in _PENDING, step, frozenset(arrived))
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
