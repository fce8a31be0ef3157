"""Links to the verdict page of one check: signed, expiring, readable without a log-in.

The link itself is the permission. It names one check of one application and its last second,
under a signature by SECRET_KEY; nothing of it is stored but an entry in the trail.
"""

import base64
import binascii
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from django.core.signing import BadSignature, Signer
from django.db import transaction

from analysis.models import Check
from audit.models import Event
from audit.services import append

_SALT = "analysis.confidence_view"
_UUID_BYTES, _TIME_BYTES = 16, 5


class LinkError(Exception):
    """Raised if a link gives no access."""


class LinkForged(LinkError):
    """Raised if a link was not signed here, or was changed or truncated."""


class LinkExpired(LinkError):
    """Raised if a link has expired."""


@dataclass(frozen=True, slots=True)
class Link:
    """The content of a token. `expires_at` is a whole second, UTC."""

    application_id: UUID
    check_id: UUID
    expires_at: datetime


@transaction.atomic
def make_link(*, check: Check, seconds: int, by: str) -> tuple[str, datetime]:
    """Return a token for this check and the second at which it expires."""
    expires_at = datetime.fromtimestamp(int(time.time()) + seconds, UTC)
    append(
        Event.CHECK_LINK_MADE,
        subject=check,
        by=by,
        application_id=check.application_id,
        expires_at=expires_at.isoformat(),
    )
    return sign(Link(check.application_id, check.pk, expires_at)), expires_at


def sign(link: Link) -> str:
    """Return the token, in characters that need no escaping in a URL."""
    end = int(link.expires_at.timestamp()).to_bytes(_TIME_BYTES, "big")
    packed = link.application_id.bytes + link.check_id.bytes + end
    return _signer().sign(base64.urlsafe_b64encode(packed).decode().rstrip("="))


def read_link(token: str) -> Link:
    """Return what the token names. Raises LinkForged or LinkExpired."""
    try:
        signed = _signer().unsign(token)
        packed = base64.urlsafe_b64decode(signed + "=" * (-len(signed) % 4))
    except (BadSignature, binascii.Error) as error:
        raise LinkForged from error
    if len(packed) != 2 * _UUID_BYTES + _TIME_BYTES:
        raise LinkForged
    application, check = packed[:_UUID_BYTES], packed[_UUID_BYTES : 2 * _UUID_BYTES]
    end = int.from_bytes(packed[-_TIME_BYTES:], "big")
    link = Link(UUID(bytes=application), UUID(bytes=check), datetime.fromtimestamp(end, UTC))
    if end <= time.time():
        raise LinkExpired
    return link


def _signer() -> Signer:
    return Signer(sep=".", salt=_SALT)
