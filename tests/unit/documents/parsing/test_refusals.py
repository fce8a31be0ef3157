"""Each reason for which a file is refused, and beside it the like file that is accepted."""

import pytest

from documents.parsing.funnel import parse
from documents.parsing.types import FileType, ParsingLimits, UnreadableDocument, UnreadableReason
from tests.unit.documents.parsing.files import (
    encrypted_pdf,
    office_type,
    package,
    pdf,
    pdf_bomb,
    raw_pdf,
    with_entry,
    word,
)

ZIP = package(types="")


def refused(data, filename="file", **limits):
    with pytest.raises(UnreadableDocument) as caught:
        parse(data, filename=filename, limits=ParsingLimits(**limits))
    sentence = caught.value.sentence
    # A reader must be told what to do, in words without gaps.
    assert sentence.endswith(".")
    assert sentence.count(". ") >= 1
    assert "{" not in sentence
    return caught.value


def reason(data, filename="file", **limits):
    return refused(data, filename, **limits).reason_code


def test_empty():
    assert reason(b"") is UnreadableReason.EMPTY


@pytest.mark.parametrize(
    "data",
    [
        b" \n\t\r\n ",
        b"\xef\xbb\xbf",
        b"<html><body><p> </p><script>var a = 1</script></body></html>",
        "<!doctype html><p hidden>secret".encode("utf-16"),
        word(),
    ],
)
def test_nothing_a_reader_would_see(data):
    assert reason(data) is UnreadableReason.NO_TEXT


def test_scanned_pdf():
    assert reason(pdf("", "")) is UnreadableReason.SCANNED
    mixed = parse(pdf("Ladders", "", ""), filename="a.pdf")
    assert mixed.warnings == ("Pages 2, 3 without text (blank or scanned).",)


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_password_of_a_pdf(algorithm):
    error = refused(encrypted_pdf("Ladders", "secret", algorithm))
    assert error.reason_code is UnreadableReason.PASSWORD
    expected = "This PDF is protected by a password. Remove the password and upload it again."
    assert error.sentence == expected
    assert parse(encrypted_pdf("Ladders", "", algorithm), filename="a.pdf").text == "Ladders"


def test_password_of_a_word_document():
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    assert reason(ole + "EncryptedPackage".encode("utf-16-le")) is UnreadableReason.PASSWORD
    assert reason(ole) is UnreadableReason.UNSUPPORTED


def test_password_of_a_zip():
    data = bytearray(word(lambda document: document.add_paragraph("Ladders")))
    at = data.find(b"PK\x01\x02")
    data[at + 8] |= 1
    assert reason(bytes(data)) is UnreadableReason.PASSWORD


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
@pytest.mark.parametrize(
    "data",
    [pdf("Ladders", "Trenches"), word(lambda document: document.add_paragraph("Ladders"))],
    ids=["pdf", "docx"],
)
def test_truncated(data, share):
    assert reason(data[: int(len(data) * share)]) is UnreadableReason.DAMAGED


def test_a_pdf_without_its_index_is_repaired_but_not_without_its_pages():
    data = pdf("Ladders")
    shifted = data.replace(b"%PDF-1.4\n", b"%PDF-1.4\n% a comment that moves everything\n")
    assert parse(shifted, filename="a.pdf").text == "Ladders"
    assert reason(data.replace(b"/Pages", b"/Sages")) is UnreadableReason.DAMAGED
    assert reason(b"%PDF-1.4\nnothing\n%%EOF") is UnreadableReason.DAMAGED


@pytest.mark.parametrize("entry", ["word/document.xml", "_rels/.rels", "word/styles.xml"])
@pytest.mark.parametrize("body", [b"", b"<broken", b"<a/>"])
def test_damaged_word_document(entry, body):
    data = word(lambda document: document.add_paragraph("Ladders"))
    assert reason(with_entry(data, entry, body)) in (
        UnreadableReason.DAMAGED,
        UnreadableReason.NO_TEXT,
    )


@pytest.mark.parametrize(
    "data", [bytes(range(256)) * 8, b"text\0text", b"\0" * 100, b"\x01\x02\x03\x90\x81" * 100]
)
@pytest.mark.parametrize("filename", ["a.txt", "a.md", "a.html", "a.pdf"])
def test_binary(data, filename):
    assert reason(data, filename) in (
        UnreadableReason.BINARY,
        UnreadableReason.UNKNOWN_ENCODING,
        UnreadableReason.GARBLED,
    )


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "PNG"),
        (b"\xff\xd8\xff\xe0" + bytes(50), "JPEG"),
        (b"GIF89a" + bytes(50), "GIF"),
        (b"RIFF\0\0\0\0WEBP", "picture"),
        (b"\0\0\0\x20ftypheic", "picture"),
        (b"MZ\x90\0\x03", "Windows"),
        (b"\x7fELF\x02", "Linux"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
        (b"{\\rtf1 hello}", "RTF"),
        (b"%!PS-Adobe-3.0", "PostScript"),
        (bytes(257) + b"ustar", "tar"),
        (b"SQLite format 3\0", "database"),
        (ZIP, "zip archive"),
        (package(types=office_type("spreadsheetml.sheet")), "Excel"),
        (package(types=office_type("presentationml")), "PowerPoint"),
        (package(types=office_type("word.document.macroEnabled.main")), "macros"),
        (package(mimetype="application/vnd.oasis.opendocument.text"), "OpenDocument"),
        (package(mimetype="application/epub+zip"), "EPUB"),
    ],
)
@pytest.mark.parametrize("filename", ["a.txt", "a.docx", "a.pdf", "a"])
def test_unsupported_whatever_its_name(data, what, filename):
    error = refused(data, filename)
    assert error.reason_code is UnreadableReason.UNSUPPORTED
    assert what in error.sentence


@pytest.mark.parametrize("text", ["MZ is a country code.", "BMW builds cars.", "RIFF raff", "ID3 "])
def test_text_that_begins_like_a_signature_is_text(text):
    assert parse(text.encode(), filename="a.txt").text == text


def test_unknown_encoding():
    noise = bytes(128 + (index * 37) % 32 for index in range(4000))
    assert reason(noise) in (UnreadableReason.UNKNOWN_ENCODING, UnreadableReason.GARBLED)


def test_garbled():
    assert reason(("\ue001\ue002\ue003 a" * 50).encode()) is UnreadableReason.GARBLED
    assert "\ue001" in parse(("A bullet: \ue001 safe. " * 5).encode(), filename="a.txt").text


def test_too_large():
    error = refused(b"a" * 101, max_bytes=100)
    assert error.reason_code is UnreadableReason.TOO_LARGE
    assert parse(b"a" * 100, filename="a", limits=ParsingLimits(max_bytes=100)).text == "a" * 100


def test_too_many_pages():
    error = refused(pdf("a", "b", "c"), max_pages=2)
    assert error.reason_code is UnreadableReason.TOO_MANY_PAGES
    assert "3 pages; the limit is 2" in error.sentence
    assert len(parse(pdf("a", "b"), filename="a", limits=ParsingLimits(max_pages=2)).pages) == 2


@pytest.mark.parametrize("data", [b"a" * 20, pdf("a" * 10, "b" * 10)], ids=["txt", "pdf"])
def test_too_much_text(data):
    assert reason(data, max_characters=19) is UnreadableReason.TOO_MUCH_TEXT
    assert parse(data, filename="a", limits=ParsingLimits(max_characters=20))


def test_zip_bomb_in_word():
    data = word(lambda document: document.add_paragraph("Ladders"))
    bomb = with_entry(data, "word/media/image1.png", bytes(200 * 2**20))
    assert len(bomb) < 2**20
    assert reason(bomb) is UnreadableReason.ZIP_BOMB
    many = package(types="", **{f"f{index}": "" for index in range(6000)})
    assert reason(many) is UnreadableReason.ZIP_BOMB


def test_repetitive_word_document_is_no_bomb():
    text = "Guardrails shall be 42 inches high. " * 2_000
    data = word(lambda document: document.add_paragraph(text))
    assert parse(data, filename="a.docx").file_type is FileType.DOCX


def test_a_pdf_that_unpacks_to_much_is_one_without_text():
    assert reason(pdf_bomb()) is UnreadableReason.SCANNED


def test_nested_too_deep():
    def nested(depth):
        return ("<html>" + "<div>" * depth + "Ladders").encode()

    assert parse(nested(400), filename="a.html").text == "Ladders"
    for depth in (600, 200_000):
        assert reason(nested(depth)) is UnreadableReason.NESTED_TOO_DEEP


def test_entities_are_not_expanded():
    laughs = b'<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]>'
    body = b'<w:document xmlns:w="http://x"><w:body>&c;</w:body></w:document>'
    assert reason(with_entry(word(), "word/document.xml", laughs + body)) in (
        UnreadableReason.DAMAGED,
        UnreadableReason.NO_TEXT,
    )


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ZeroDivisionError, UnreadableReason.PARSER_FAILED),
        (MemoryError, UnreadableReason.TOO_MUCH_MEMORY),
    ],
)
def test_whatever_a_parser_raises_is_one_exception(monkeypatch, error, told):
    def broken(data, context):
        raise error

    monkeypatch.setattr("documents.parsing.plain.parse", broken)
    assert reason(b"text") is told


def test_a_broken_page_is_named_and_the_others_are_read():
    data = raw_pdf(b"BT /F1 12 Tf 72 720 Td (Ladders) Tj ET", b"not packed").replace(
        b"<< /Length 10 >>", b"<< /Filter /JBIG2Decode /Length 10 >>"
    )
    document = parse(data, filename="a.pdf")
    assert document.text.strip() == "Ladders"
    assert any("2" in warning for warning in document.warnings)
