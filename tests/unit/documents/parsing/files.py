"""Files made for the tests: ordinary ones, damaged ones and ones made to do harm."""

import io
import zipfile
import zlib
from collections.abc import Sequence

import docx
from pypdf import PdfReader, PdfWriter


def pdf(*pages: str, title: str = "") -> bytes:
    """Return a small PDF with one line of text a page ("" for a blank page), written by hand."""
    return raw_pdf(*(content(page) for page in pages), title=title)


def pdf_of_lines(*pages: Sequence[str]) -> bytes:
    """Return a small PDF of several lines a page."""
    streams = (
        b"BT /F1 12 Tf 14 TL 72 720 Td "
        + b" T* ".join(f"({escaped(line)}) Tj".encode("latin-1") for line in page)
        + b" ET"
        for page in pages
    )
    return raw_pdf(*streams)


def escaped(text: str) -> str:
    """Return a text as it stands in a string of PDF."""
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def content(text: str) -> bytes:
    return f"BT /F1 12 Tf 72 720 Td ({escaped(text)}) Tj ET".encode("latin-1") if text else b""


def raw_pdf(*streams: bytes, title: str = "", packed: bool = False) -> bytes:
    """Return a PDF whose pages have these content streams."""
    kids = " ".join(f"{5 + 2 * index} 0 R" for index in range(len(streams)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(streams)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Title ({title}) >>".encode(),
    ]
    for index, stream in enumerate(streams):
        extra = "/Filter /FlateDecode " if packed else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {6 + 2 * index} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(
            f"<< {extra}/Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream"
        )
    return _assembled(objects)


def _assembled(objects: list[bytes]) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    xref = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R >>\n".encode()
    return bytes(out + f"startxref\n{xref}\n%%EOF\n".encode())


def encrypted_pdf(text: str, password: str, algorithm: str = "AES-256") -> bytes:
    """Return a PDF that opens with `password`.

    With "" everybody may read and nobody may edit it.
    """
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(text))))
    writer.encrypt(user_password=password, owner_password="owner", algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def pdf_bomb() -> bytes:
    """Return 200 MB of spaces in a packed content stream of 200 KB."""
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(b" " * 2**20) for _ in range(200)) + packer.flush()
    return raw_pdf(packed, packed=True)


def slow_pdf() -> bytes:
    """Return one page with millions of drawing commands."""
    return raw_pdf(zlib.compress(b"1 0 0 1 0 0 cm " * 4_000_000), packed=True)


def word(build=None) -> bytes:
    """Return a Word document filled by `build(document)`."""
    document = docx.Document()
    if build:
        build(document)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def with_entry(package: bytes, name: str, body: bytes) -> bytes:
    """Return the zip package with one entry added or replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(out, "w", 8) as new:
        for entry in old.infolist():
            if entry.filename != name:
                new.writestr(entry.filename, old.read(entry))
        new.writestr(name, body)
    return out.getvalue()


def package(**entries: str) -> bytes:
    """Return a zip file of these entries; "types" stands for [Content_Types].xml."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zip_file:
        for name, body in entries.items():
            zip_file.writestr("[Content_Types].xml" if name == "types" else name, body)
    return out.getvalue()


def office_type(kind: str) -> str:
    """Return a list of content types as Office writes it, for an unsupported kind."""
    return f'<Types><Override ContentType="application/vnd.ms-office.{kind}"/></Types>'
