"""All guards in one place, the most private first."""

from memory.guarding import personal, secret
from memory.guarding.types import Refusal

_GUARDS = (secret.refusal, personal.refusal)


def refusal(text: str) -> Refusal | None:
    """Why this must never be stored, or None."""
    return next((found for guard in _GUARDS if (found := guard(text))), None)
