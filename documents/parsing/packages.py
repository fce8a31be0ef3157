"""Zip packages: detects their kind, and checks their sizes before unpacking."""

import io
import zipfile

from documents.parsing.refusals import refusal
from documents.parsing.types import FileType, UnreadableDocument, UnreadableReason

_ENTRIES = 5_000
_UNPACKED_BYTES = 256 * 1024 * 1024
_RATIO = 100
"""Text packs about 10 to 1, repetitive XML up to 40 to 1."""
_SMALL = 8 * 1024 * 1024
"""Below this a high ratio does no harm: an empty spreadsheet packs well, too."""
_ENCRYPTED = 0x1
_TYPES = "[Content_Types].xml"
_WORD = b"wordprocessingml.document.main+xml"
_EXPORT = "Export it as PDF or plain text and upload that."
_SAVE_AS_WORD = "Save it as Word (.docx) or PDF and upload that."
_OTHERS = (
    (b"spreadsheetml", "an Excel workbook", _EXPORT),
    (b"presentationml", "a PowerPoint presentation", _EXPORT),
    (b"macroEnabled", "a Word document with macros", _SAVE_AS_WORD),
    (b"wordprocessingml.template", "a Word template", _SAVE_AS_WORD),
)
_MIMETYPES = (
    (b"application/vnd.oasis", "an OpenDocument file", _SAVE_AS_WORD),
    (b"application/epub", "an electronic book (EPUB)", _EXPORT),
)


def word_or_refusal(data: bytes) -> FileType:
    """Return DOCX if the package is a Word document. Raises UnreadableDocument otherwise."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            guard(package, len(data))
            names = set(package.namelist())
            if _TYPES in names:
                types = package.read(_TYPES)
                if _WORD in types:
                    return FileType.DOCX
                _refuse_first(types, _OTHERS)
            if "mimetype" in names:
                _refuse_first(package.read("mimetype"), _MIMETYPES)
            raise refusal(
                UnreadableReason.UNSUPPORTED,
                what="a zip archive",
                remedy="Unpack it and upload the documents inside.",
            )
    except UnreadableDocument:
        raise
    except Exception as error:  # zipfile raises half a dozen kinds on a broken archive
        raise refusal(UnreadableReason.DAMAGED, what="zip package") from error


def guard(package: zipfile.ZipFile, packed: int) -> None:
    """Refuse a package that unpacks to too much, by the sizes in its directory.

    zipfile never unpacks more of an entry than declared, so lying gains nothing.
    """
    entries = package.infolist()
    if any(entry.flag_bits & _ENCRYPTED for entry in entries):
        raise refusal(UnreadableReason.PASSWORD, what="zip package")
    unpacked = sum(entry.file_size for entry in entries)
    bomb = unpacked > _SMALL and unpacked > _RATIO * packed
    if bomb or unpacked > _UNPACKED_BYTES or len(entries) > _ENTRIES:
        raise refusal(UnreadableReason.ZIP_BOMB)


def _refuse_first(content: bytes, table: tuple[tuple[bytes, str, str], ...]) -> None:
    for mark, what, remedy in table:
        if mark in content:
            raise refusal(UnreadableReason.UNSUPPORTED, what=what, remedy=remedy)
