"""The secret of a webhook and the signature of its messages. Pure functions.

The scheme is that of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over
"id.timestamp.body", so that a receiver may use any library made for it, or
`watchdog_client.verify`.
"""

import base64
import hashlib
import hmac
from collections.abc import Sequence

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
_MARK, _VERSION = "whsec_", "v1"
_INFO = b"watchdog webhook secret"
_BYTES = 32


def secret_of(salt: str, root: str) -> str:
    """Return the receivers' secret, "whsec_" and 32 bytes in base64.

    Derived (HKDF) from the installation's `root` secret and the subscription's `salt`: it is not
    stored, and a copy of the database does not contain it.
    """
    derived = HKDF(algorithm=SHA256(), length=_BYTES, salt=bytes.fromhex(salt), info=_INFO)
    return _MARK + base64.b64encode(derived.derive(root.encode())).decode()


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the value of the header `webhook-signature`."""
    key = base64.b64decode(secret.removeprefix(_MARK), validate=True)
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    return f"{_VERSION},{base64.b64encode(digest).decode()}"


def headers(secrets: Sequence[str], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the three headers of a message, signed with each of the secrets."""
    signatures = [signature(secret, message_id, timestamp, body) for secret in secrets]
    return {ID: message_id, TIMESTAMP: str(timestamp), SIGNATURE: " ".join(signatures)}
