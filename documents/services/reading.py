"""Reading uploaded files in the sandbox that this machine offers."""

import structlog
from django.conf import settings

from documents.parsing.isolation import parse_isolated
from documents.parsing.refusals import refusal
from documents.parsing.types import ParsedDocument, UnreadableReason
from lib.sandbox import Tier, available

log = structlog.get_logger(__name__)


def read_file(data: bytes, *, filename: str) -> ParsedDocument:
    """Return the visible text of an uploaded file; raises only UnreadableDocument.

    Without a sandbox files are refused, unless the operator allows them.
    """
    availability = available([Tier(name) for name in settings.SANDBOX_TIERS])
    if availability.tier is None and not settings.DOCUMENTS_WITHOUT_SANDBOX:
        log.error("no_sandbox", reason=availability.reason)
        raise refusal(UnreadableReason.NO_SANDBOX)
    return parse_isolated(data, filename=filename, tier=availability.tier)
