"""Plain text: only its encoding has to be found."""

from documents.parsing.encodings import decode
from documents.parsing.types import Extract, ParsingContext


def parse(data: bytes, context: ParsingContext) -> Extract:
    """The text as it stands, without a title."""
    decoded = decode(data)
    warnings = (decoded.warning,) if decoded.warning else ()
    return Extract(parts=(decoded.text,), encoding=decoded.encoding, warnings=warnings)
