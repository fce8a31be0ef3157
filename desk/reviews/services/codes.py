"""Writes reason codes and instructions; the trail says by whom."""

from django.contrib.auth.models import User
from django.db import transaction

from analysis.models import QueueInstructions, ReasonCode
from analysis.records.document import text_hash
from audit.models import Event
from audit.services import append


@transaction.atomic
def save_code(*, code: ReasonCode, by: User) -> None:
    """Save a new or changed reason code."""
    code.save()
    append(
        Event.REASON_CODE_CHANGED,
        subject=code,
        by=by.get_username(),
        code=code.code,
        label=code.label,
        decision=code.decision,
        is_active=code.is_active,
    )


@transaction.atomic
def save_instructions(*, instructions: QueueInstructions, by: User) -> None:
    """Save the instructions of a queue."""
    instructions.save()
    _note(instructions, by, instructions.text)


@transaction.atomic
def delete_instructions(*, instructions: QueueInstructions, by: User) -> None:
    """Delete the instructions of a queue."""
    _note(instructions, by, "")
    instructions.delete()


def _note(instructions: QueueInstructions, by: User, text: str) -> None:
    append(
        Event.APPLICATION_CHANGED,
        subject=instructions.application,
        by=by.get_username(),
        application_id=instructions.application_id,
        fields=["instructions"],
        queue=instructions.reason,
        text_sha256=text_hash(text),
    )
