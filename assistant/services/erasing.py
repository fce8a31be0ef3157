"""Erases questions with answers and evidence; an entry in the audit trail stays.

A turn whose check is erased goes with it, since both quote the same words. Conversely the check
stays: `analysis.services.erasure` erases it, under its own retention periods.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from analysis.models import LegalHold
from analysis.services.erasure import ErasureReport, open_erasure, register_eraser
from assistant.models import ENDED, Conversation, Turn, TurnEvidence
from audit.models import Event
from audit.services import append_all, entry


@transaction.atomic
def erase_turns(*, turn_ids: Collection[UUID], by: str, reason: str) -> ErasureReport:
    """Erase these turns, and conversations without any left; safe to repeat.

    Turns on legal hold or not yet answered are unchanged and reported.
    """
    outcome, erasable = ErasureReport(), list[Turn]()
    for turn in _rows().filter(pk__in=turn_ids).annotate(is_held=_on_hold()):
        if turn.is_held:
            outcome.on_hold.append(turn.pk)
        elif turn.state not in ENDED:
            outcome.unfinished.append(turn.pk)
        else:
            erasable.append(turn)
    with open_erasure():
        _remove(erasable, by, reason)
    outcome.erased = [turn.pk for turn in erasable]
    return outcome


def register_turns() -> None:
    """Register the erasure of turns with the erasure of checks; called when the apps are ready."""
    register_eraser(_with_checks)


def _with_checks(check_ids: Sequence[UUID], by: str, reason: str) -> None:
    _remove(list(_rows().filter(check_record__in=check_ids)), by, reason)


def _rows() -> QuerySet[Turn]:
    rows = Turn.objects.select_for_update(of=("self",)).order_by("pk")
    return rows.only("id", "conversation_id", "application_id", "state")


def _on_hold() -> Exists:
    holds = LegalHold.objects.filter(lifted_at=None, application=OuterRef("application"))
    about = Q(check_record=None) | Q(check_record=OuterRef("check_record"))
    return Exists(holds.filter(about))


def _remove(turns: Sequence[Turn], by: str, reason: str) -> None:
    """Delete these turns, within a transaction that allows erasure."""
    turns_by_conversation = defaultdict[UUID, list[Turn]](list)
    for turn in turns:
        turns_by_conversation[turn.conversation_id].append(turn)
    append_all(
        [
            entry(
                Event.CONVERSATION_ERASED,
                subject=Conversation(pk=conversation),
                by=by,
                application_id=of_one[0].application_id,
                turns=[str(turn.pk) for turn in of_one],
                reason=reason,
            )
            for conversation, of_one in turns_by_conversation.items()
        ]
    )
    ids = [turn.pk for turn in turns]
    TurnEvidence.objects.filter(turn__in=ids).delete()
    Turn.objects.filter(pk__in=ids).delete()
    conversations = Conversation.objects.filter(pk__in=turns_by_conversation)
    conversations.filter(turns=None).delete()
    conversations.update(title="")  # it quotes the first question
