"""All guards in one place, the most private first."""

from memory.guarding import orders, passing, personal, reported, secret, transcripts
from memory.guarding.types import Refusal

_PRIVATE = (secret.refusal, personal.refusal)
_GUARDS = (
    *_PRIVATE,
    reported.refusal,
    orders.refusal,
    passing.refusal,
)


def refusal(sentence: str) -> Refusal | None:
    """Why this sentence must never be stored, or None."""
    return next((found for guard in _GUARDS if (found := guard(sentence))), None)


def whole(statement: str) -> Refusal | None:
    """Why nothing of all that was said may be stored, or None."""
    return transcripts.refusal(statement)


def private(text: str) -> Refusal | None:
    """The refusal of personal data and secrets alone, in a text of any length, or None."""
    return next((found for guard in _PRIVATE if (found := guard(text))), None)
