"""The form of an API key: `wd_<prefix>_<secret>`; pure functions, no tables."""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

_MARK = "wd"
_PREFIX_BYTES = 5
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class NewKey:
    """A new key. `token` is shown once and never stored."""

    token: str
    prefix: str
    secret_sha256: str


def make_key() -> NewKey:
    """Create a key with 256 random bits, so that its plain SHA-256 cannot be reversed."""
    prefix = secrets.token_hex(_PREFIX_BYTES)
    secret = secrets.token_hex(_SECRET_BYTES)
    return NewKey(f"{_MARK}_{prefix}_{secret}", prefix, digest(secret))


def read_key(token: str) -> NewKey:
    """Return a key that an operator made. Raises ValueError where it could be guessed."""
    prefix, secret = split(token) or ("", "")
    if not (
        re.fullmatch(rf"[0-9a-f]{{{2 * _PREFIX_BYTES}}}", prefix)
        and re.fullmatch(rf"[0-9a-f]{{{2 * _SECRET_BYTES}}}", secret)
    ):
        raise ValueError(
            f"A key is {_MARK}_, {2 * _PREFIX_BYTES} hexadecimal digits, _ and "
            f"{2 * _SECRET_BYTES} more, at random."
        )
    return NewKey(token, prefix, digest(secret))


def digest(secret: str) -> str:
    """Return the hexadecimal SHA-256 of the secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def split(token: str) -> tuple[str, str] | None:
    """Return prefix and secret of a token, or None if it does not look like a key."""
    match token.split("_"):
        case [mark, prefix, secret] if mark == _MARK and prefix and secret:
            return prefix, secret
        case _:
            return None


def matches(secret: str, secret_sha256: str) -> bool:
    """Return whether the secret belongs to this key; compared in constant time."""
    return hmac.compare_digest(digest(secret), secret_sha256)
