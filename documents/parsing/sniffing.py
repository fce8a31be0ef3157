"""Detects a file's type from its bytes. The name only decides what bytes cannot tell."""

import io
import re
import zipfile
from pathlib import PurePath

from documents.parsing.types import FileType, UnreadableDocument, UnreadableReason, refusal

# Zip packages: detects their kind, and checks their sizes before unpacking.

_EXPORT = "Export it as PDF or plain text and upload that."
_UNPACK = "Unpack it and upload the documents inside."
_ENTRIES = 5_000
_UNPACKED_BYTES = 256 * 1024 * 1024
_RATIO = 100
"""Text packs about 10 to 1, repetitive XML up to 40 to 1."""
_SMALL = 8 * 1024 * 1024
"""Below this a high ratio does no harm: an empty spreadsheet packs well, too."""
_ENCRYPTED = 0x1
_TYPES = "[Content_Types].xml"
_WORD = b"wordprocessingml.document.main+xml"
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
                remedy=_UNPACK,
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


_HEAD = 2048
_PICTURE = "Run text recognition (OCR) on it and upload the result as text or PDF."
_PROGRAM = "Upload a document instead."
# A signature of printable letters could begin a text, so those count only beside a NUL.
_SIGNATURES: tuple[tuple[bytes, str, str, bool], ...] = (
    (b"\x89PNG\r\n", "a picture (PNG)", _PICTURE, False),
    (b"\xff\xd8\xff", "a picture (JPEG)", _PICTURE, False),
    (b"GIF87a", "a picture (GIF)", _PICTURE, False),
    (b"GIF89a", "a picture (GIF)", _PICTURE, False),
    (b"BM", "a picture (BMP)", _PICTURE, True),
    (b"II*\x00", "a picture (TIFF)", _PICTURE, False),
    (b"MM\x00*", "a picture (TIFF)", _PICTURE, False),
    (b"RIFF", "a picture, sound or film", _PICTURE, True),
    (b"MZ", "a program for Windows", _PROGRAM, True),
    (b"\x7fELF", "a program for Linux", _PROGRAM, False),
    (b"\xcf\xfa\xed\xfe", "a program for macOS", _PROGRAM, False),
    (b"\xca\xfe\xba\xbe", "a program", _PROGRAM, False),
    (b"\x1f\x8b", "a gzip archive", _UNPACK, False),
    (b"BZh", "a bzip2 archive", _UNPACK, True),
    (b"\xfd7zXZ\x00", "an xz archive", _UNPACK, False),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _UNPACK, False),
    (b"Rar!\x1a\x07", "a RAR archive", _UNPACK, False),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", _UNPACK, False),
    (b"ID3", "a sound file", _PROGRAM, True),
    (b"OggS", "a sound or film file", _PROGRAM, True),
    (b"SQLite format 3\x00", "a database", _EXPORT, False),
    (b"%!PS", "a PostScript file", "Convert it to PDF and upload that.", False),
    (b"{\\rtf", "a rich text file (RTF)", "Save it as Word (.docx) and upload that.", False),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_OFFICE = "EncryptedPackage".encode("utf-16-le")
_FTYP = slice(4, 8)
_DOCUMENT_TAG = re.compile(rb"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*){0,20}<(?:!doctype html|html)\b")
_ANY_TAG = re.compile(
    rb"<(?:head|body|title|meta|div|p|h[1-6]|table|ul|ol|span|article|section|main|br|a)[\s>/]"
)
_JSON_NAMES = {".json", ".jsonl", ".ndjson"}
_RECORD = "Send it with a check as the `record` of a source, or save it as plain text (.txt)."
_HTML_NAMES = {".html", ".htm", ".xhtml"}
_MARKDOWN_NAMES = {".md", ".markdown", ".mdown", ".mkd"}
_NAMED = {
    ".txt": FileType.TXT,
    ".csv": FileType.CSV,
    ".tsv": FileType.CSV,
    ".pdf": FileType.PDF,
    ".docx": FileType.DOCX,
    **dict.fromkeys(_HTML_NAMES, FileType.HTML),
    **dict.fromkeys(_MARKDOWN_NAMES, FileType.MARKDOWN),
}


def sniff(data: bytes, filename: str) -> FileType:
    """Return the type of a file from its bytes. Raises UnreadableDocument if unsupported."""
    if b"%PDF-" in data[:1024]:
        return FileType.PDF
    if data.startswith(b"PK\x03\x04"):
        return word_or_refusal(data)
    if data.startswith(_OLE):
        if _ENCRYPTED_OFFICE in data:
            raise refusal(UnreadableReason.PASSWORD, what="Office document")
        raise refusal(
            UnreadableReason.UNSUPPORTED,
            what="an Office document of the old kind (.doc, .xls, .ppt)",
            remedy=_SAVE_AS_WORD,
        )
    nul = b"\0" in data[:_HEAD]
    for signature, what, remedy, beside_nul in _SIGNATURES:
        if data.startswith(signature) and (nul or not beside_nul):
            raise refusal(UnreadableReason.UNSUPPORTED, what=what, remedy=remedy)
    if nul and data[_FTYP] == b"ftyp":
        raise refusal(UnreadableReason.UNSUPPORTED, what="a picture or film", remedy=_PICTURE)
    if data[257:262] == b"ustar":
        raise refusal(UnreadableReason.UNSUPPORTED, what="a tar archive", remedy=_UNPACK)
    suffix = PurePath(filename).suffix.lower()
    if suffix in _JSON_NAMES:
        raise refusal(UnreadableReason.UNSUPPORTED, what="a JSON file", remedy=_RECORD)
    # NULs dropped, the tags of UTF-16 and UTF-32 read like those of ASCII.
    head = data[: 4 * _HEAD].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xfe\xff")[:_HEAD].lower()
    if _DOCUMENT_TAG.match(head):
        return FileType.HTML
    if suffix in _MARKDOWN_NAMES:
        return FileType.MARKDOWN
    if _NAMED.get(suffix) is FileType.CSV:
        return FileType.CSV
    if suffix in _HTML_NAMES and _ANY_TAG.search(head):
        return FileType.HTML
    if suffix != ".txt" and _ANY_TAG.match(head.lstrip()):
        return FileType.HTML
    return FileType.TXT


def mislabelled(file_type: FileType, filename: str) -> str:
    """Return a warning if the name suggests another type than the bytes, or ""."""
    suffix = PurePath(filename).suffix.lower()
    promised = _NAMED.get(suffix)
    if promised in (None, file_type):
        return ""
    return f"The name ends in {suffix}, but the content is {file_type}; it was read as that."
