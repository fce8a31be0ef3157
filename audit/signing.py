"""Ed25519 signatures of seals, heads and decision records.

A public key is enough to verify, so an auditor needs no secret of ours; Django's signing would need
SECRET_KEY on both sides. The private key is `TRAIL_SIGNING_KEY`, or is derived from SECRET_KEY if
none is set.
"""

import base64
import hashlib
from collections.abc import Sequence
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

_INFO = b"watchdog trail signing key"
_KEY_BYTES = 32


class SigningKeyError(ValueError):
    """Raised for an invalid key."""


def sign(message: bytes) -> bytes:
    """Return the Ed25519 signature of a message, 64 bytes."""
    return _private(settings.TRAIL_SIGNING_KEY, settings.SECRET_KEY).sign(message)


def public_key() -> str:
    """Return the key that verifies our signatures, base64 of 32 bytes."""
    key = _private(settings.TRAIL_SIGNING_KEY, settings.SECRET_KEY).public_key()
    return base64.b64encode(key.public_bytes_raw()).decode()


def trusted_keys() -> list[str]:
    """Return our own key and the earlier ones (`TRAIL_PUBLIC_KEYS`)."""
    return [public_key(), *settings.TRAIL_PUBLIC_KEYS]


def key_name(public: str) -> str:
    """Return a short name of a public key: the first 16 hex digits of its SHA-256."""
    return hashlib.sha256(_decoded(public)).hexdigest()[:16]


def is_signed(message: bytes, signature: bytes, keys: Sequence[str]) -> bool:
    """Return whether one of `keys` made the signature.

    Raises SigningKeyError for an invalid key.
    """
    return any(_verifies(key, message, signature) for key in keys)


def _verifies(key: str, message: bytes, signature: bytes) -> bool:
    try:
        _public(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=4)
def _private(configured: str, secret: str) -> Ed25519PrivateKey:
    if configured:
        return Ed25519PrivateKey.from_private_bytes(_decoded(configured))
    derived = HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=_INFO)
    return Ed25519PrivateKey.from_private_bytes(derived.derive(secret.encode()))


@lru_cache(maxsize=64)
def _public(key: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(_decoded(key))


def _decoded(key: str) -> bytes:
    try:
        key_bytes = base64.b64decode(key, validate=True)
    except ValueError as error:
        raise SigningKeyError("A key is 32 bytes in base64.") from error
    if len(key_bytes) != _KEY_BYTES:
        raise SigningKeyError("A key is 32 bytes in base64.")
    return key_bytes
