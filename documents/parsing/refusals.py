"""Error messages for each reason: what is wrong with the file, and what to do about it."""

from documents.parsing.types import UnreadableDocument, UnreadableReason

SENTENCES = {
    UnreadableReason.EMPTY: "This file is empty. Check that it was saved and upload it again.",
    UnreadableReason.NO_TEXT: "This file contains no visible text. Upload one that does.",
    UnreadableReason.SCANNED: (
        "This PDF contains images of pages but no text. Run text recognition (OCR) on it and "
        "upload the result."
    ),
    UnreadableReason.PASSWORD: (
        "This {what} is protected by a password. Remove the password and upload it again."
    ),
    UnreadableReason.DAMAGED: (
        "This {what} is damaged or incomplete. Open it in the program it was made with, save it "
        "again and upload that copy."
    ),
    UnreadableReason.BINARY: (
        "This file contains binary data, not text. Upload a text, Markdown, HTML, PDF or Word "
        "(.docx) file."
    ),
    UnreadableReason.UNSUPPORTED: "This is {what}, which cannot be read. {remedy}",
    UnreadableReason.UNKNOWN_ENCODING: (
        "The character encoding of this file was not recognised. Save it "
        "as UTF-8 and upload it again."
    ),
    UnreadableReason.GARBLED: (
        "Most of the text of this file is unreadable. If it is a PDF, export it "
        "again with its fonts embedded, or upload the document it was made from."
    ),
    UnreadableReason.TOO_LARGE: (
        "This file has {size}; the limit is {limit}. Split it or remove its pictures, and upload "
        "the parts."
    ),
    UnreadableReason.TOO_MANY_PAGES: (
        "This PDF has {pages} pages; the limit is {limit}. Split it and upload the parts."
    ),
    UnreadableReason.TOO_MUCH_TEXT: (
        "This file contains more than {limit} characters of text. Split it and upload the parts."
    ),
    UnreadableReason.ZIP_BOMB: (
        "This file unpacks to far more than its size, like files made to do harm. Open it in the "
        "program it was made with, save it again and upload that copy."
    ),
    UnreadableReason.NESTED_TOO_DEEP: (
        "The elements of this page are nested more than {limit} deep. Save it as plain text or "
        "PDF and upload that."
    ),
    UnreadableReason.PARSER_FAILED: (
        "This file could not be read: its parser failed. Save it again or as "
        "plain text and upload that copy."
    ),
    UnreadableReason.TOO_MUCH_MEMORY: (
        "Reading this file took more memory than is allowed. Split it or remove its pictures, and "
        "upload the parts."
    ),
    UnreadableReason.NO_SANDBOX: (
        "This server cannot read files because it has no usable sandbox. Its operator can find out "
        "why with `manage.py sandbox_check`; upload the file again after that."
    ),
    UnreadableReason.TOO_SLOW: (
        "Reading this file took longer than {limit} seconds. Split it or save it as plain text, "
        "and upload that."
    ),
}


def refusal(reason: UnreadableReason, **facts: str) -> UnreadableDocument:
    """Return the exception for a reason, its message filled with the facts."""
    return UnreadableDocument(reason, SENTENCES[reason].format(**facts))


def megabytes(size: int) -> str:
    """Return a number of bytes for a reader: "50 MB", "0.3 MB"."""
    value = size / (1024 * 1024)
    return f"{value:,.0f} MB" if value >= 10 else f"{value:.1f} MB"
