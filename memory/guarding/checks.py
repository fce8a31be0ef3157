"""All guards in one place, the most private first."""

from memory.guarding import orders, passing, personal, reported_speech, secret, transcripts
from memory.guarding.types import Refusal

_PRIVATE = (secret.refusal, personal.refusal)
_GUARDS = (*_PRIVATE, reported_speech.refusal, orders.refusal, passing.refusal)


def refusal(sentence: str) -> Refusal | None:
    """Return why this sentence must never be stored, or None."""
    return next((reason for guard in _GUARDS if (reason := guard(sentence))), None)


def statement_refusal(statement: str) -> Refusal | None:
    """Return why nothing of the statement may be stored, or None."""
    return transcripts.refusal(statement)


def private(text: str) -> Refusal | None:
    """Return the refusal of personal data and secrets in a text of any length, or None."""
    return next((reason for guard in _PRIVATE if (reason := guard(text))), None)
