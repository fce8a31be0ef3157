"""Heads: the last seal of each chain at a moment, signed, to be kept outside the database."""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import timezone

from audit import signing
from audit.sealing import canonical
from audit.seals import heads_of

FORMAT = "watchdog-heads-1"


class HeadsError(ValueError):
    """Raised for a file without trustworthy heads; the message says why."""


@dataclass(frozen=True, slots=True)
class Head:
    """The last seal of a chain: its number, its number of entries, and its hash in hex."""

    chain: UUID
    number: int
    position: int
    hash: str


def heads_document() -> dict[str, Any]:
    """Return all heads with the public key and the signature over the rest."""
    heads = [
        {
            "chain": str(seal.chain),
            "number": seal.number,
            "position": seal.position,
            "hash": bytes(seal.hash).hex(),
        }
        for seal in sorted(heads_of().values(), key=lambda seal: str(seal.chain))
    ]
    body = {"format": FORMAT, "made_at": timezone.now().isoformat(), "heads": heads}
    signature = base64.b64encode(signing.sign(canonical(body))).decode()
    return {**body, "public_key": signing.public_key(), "signature": signature}


def read_heads(text: str, keys: Sequence[str]) -> dict[UUID, Head]:
    """Return the heads of a document signed by one of `keys`. Raises HeadsError."""
    try:
        document = json.loads(text)
        signature = base64.b64decode(document.pop("signature"), validate=True)
        document.pop("public_key")
        if document.get("format") != FORMAT:
            raise HeadsError(f"It is not a file of heads ({FORMAT}).")
        if not signing.is_signed(canonical(document), signature, keys):
            raise HeadsError("The heads are not signed by a key that is trusted here.")
        heads = [Head(**{**head, "chain": UUID(head["chain"])}) for head in document["heads"]]
    except HeadsError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise HeadsError(f"It is not a file of heads: {error}") from error
    return {head.chain: head for head in heads}
