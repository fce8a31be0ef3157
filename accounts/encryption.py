"""Secrets in the database, encrypted or as a digest, so that a copy of it reveals none.

The keys are derived from SECRET_KEY, which is kept elsewhere, one for each purpose. Data encrypted
with a former key (`SECRET_KEY_FALLBACKS`) can still be read.
"""

import base64
import hashlib
import hmac
import os
from collections.abc import Iterator
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

_KEY_BYTES = 32
_NONCE_BYTES = 12


class UndecryptableError(Exception):
    """Raised if a secret was encrypted with a lost key, or for another row."""


def encrypt(secret: bytes, *, purpose: str, row: str) -> str:
    """Encrypt with AES-256-GCM, in base64; decryption requires the same purpose and row."""
    nonce = os.urandom(_NONCE_BYTES)
    cipher = AESGCM(_key(settings.SECRET_KEY, purpose))
    return base64.urlsafe_b64encode(nonce + cipher.encrypt(nonce, secret, row.encode())).decode()


def decrypt(text: str, *, purpose: str, row: str) -> bytes:
    """Return the secret that `encrypt` was given. Raises UndecryptableError."""
    packed = base64.urlsafe_b64decode(text)
    nonce, encrypted = packed[:_NONCE_BYTES], packed[_NONCE_BYTES:]
    for key in _keys(purpose):
        try:
            return AESGCM(key).decrypt(nonce, encrypted, row.encode())
        except InvalidTag:
            continue
    raise UndecryptableError("Set the SECRET_KEY of then in SECRET_KEY_FALLBACKS.")


def digests(secret: str, *, purpose: str, row: str, length: int) -> list[str]:
    """Return keyed digests of `length` base32 characters by the present and each former key."""
    message = f"{row}:{secret}".encode()
    codes = (hmac.new(key, message, hashlib.sha256).digest() for key in _keys(purpose))
    return [base64.b32encode(code).decode().lower()[:length] for code in codes]


def _keys(purpose: str) -> Iterator[bytes]:
    """Yield the present key, then the former ones."""
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        yield _key(secret, purpose)


@lru_cache(maxsize=16)
def _key(secret: str, purpose: str) -> bytes:
    info = f"watchdog {purpose}".encode()
    return HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=info).derive(secret.encode())
