"""The PDF around a record: the record is attached, and a signature follows the last byte.

Readers ignore a comment after `%%EOF`; the signature there covers every byte before it.
"""

import base64
import binascii
from collections.abc import Sequence
from io import BytesIO

from pypdf import PdfReader, PdfWriter
from pypdf.errors import PyPdfError

from analysis.records.document import RecordError
from audit import signing

ATTACHMENT = "record.json"
_MARK = b"\n%watchdog-signature "


def is_pdf(data: bytes) -> bool:
    """Return whether the data begins like a PDF."""
    return data.startswith(b"%PDF-")


def wrap(pages: bytes, record: bytes) -> bytes:
    """Attach the record to the PDF and sign the whole."""
    writer = PdfWriter(clone_from=BytesIO(pages))
    writer.add_attachment(ATTACHMENT, record)
    buffer = BytesIO()
    writer.write(buffer)
    body = buffer.getvalue()
    return body + _MARK + base64.b64encode(signing.sign(body)) + b"\n"


def is_signed(data: bytes, keys: Sequence[str]) -> bool:
    """Return whether the signature at the end of the PDF was made by one of `keys`."""
    body, _, signed = data.rpartition(_MARK)
    if not signed.endswith(b"\n"):
        return False
    try:
        signature = base64.b64decode(signed[:-1], validate=True)
    except (binascii.Error, ValueError):
        return False
    exact = base64.b64encode(signature) + b"\n" == signed
    return exact and signing.is_signed(body, signature, keys)


def unwrap(data: bytes) -> bytes:
    """Return the attached record. Raises RecordError."""
    try:
        attachment = PdfReader(BytesIO(data)).attachments.get(ATTACHMENT)
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"The PDF cannot be read: {error}") from error
    if not attachment:
        raise RecordError("The PDF contains no decision record.")
    return bytes(attachment[0])
