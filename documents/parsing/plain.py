"""Plain text: only its encoding must be detected."""

from documents.parsing.encodings import decode
from documents.parsing.types import Extract, ParsingLimits


def parse(data: bytes, limits: ParsingLimits) -> Extract:
    """Return the text unchanged, without a title."""
    decoded = decode(data)
    return Extract((decoded.text,), encoding=decoded.encoding, warnings=decoded.warnings)
