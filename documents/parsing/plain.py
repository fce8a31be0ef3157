"""Plain text: only its encoding must be detected."""

from documents.parsing.encodings import decode
from documents.parsing.types import Extract, ParsingLimits


def parse(data: bytes, limits: ParsingLimits) -> Extract:
    """Return the text unchanged, without a title."""
    decoded = decode(data)
    warnings = (decoded.warning,) if decoded.warning else ()
    return Extract(parts=(decoded.text,), encoding=decoded.encoding, warnings=warnings)
