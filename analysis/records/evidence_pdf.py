"""An evidence pack on paper: a chapter after the other, each table with its rows."""

from collections.abc import Sequence

from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import LongTable, Paragraph, TableStyle

from analysis.records.document import Document
from analysis.records.evidence import Chapter, EvidenceTable, Value
from analysis.records.front import Story, moment
from analysis.records.glyphs import BOLD, HEADING, SMALL, TITLE, markup
from analysis.records.pdf import WIDTH, build, digests, facts, paragraphs, small

_TABLE = TableStyle(
    [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, -1), 0.25, "#bbbbbb"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), 4),
        ("TOPPADDING", (0, 0), (-1, -1), 1),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
    ]
)
_CELL = ParagraphStyle("cell", SMALL, wordWrap="CJK")  # it may break anywhere
_HEAD = ParagraphStyle("head", _CELL, fontName=BOLD)
_FIGURE = ParagraphStyle("figure", SMALL, alignment=TA_RIGHT)
_FIGURES_HEAD = ParagraphStyle("figures head", _HEAD, alignment=TA_RIGHT)
_LONGEST_CELL = 600
_WIDE, _NARROW = 24, 7


def render(document: Document, chapters: Sequence[Chapter]) -> bytes:
    """Return the A4 pages without the attached JSON; `chapters` are the document's, in words."""
    application, period = document["application"], document["period"]
    name = f"Evidence pack of {application['slug']}, {period['first']} to {period['last']}"
    return build(name, _story(document, chapters))


def _story(document: Document, chapters: Sequence[Chapter]) -> Story:
    application, period = document["application"], document["period"]
    yield Paragraph("Evidence pack", TITLE)
    yield from facts(
        {
            "application": f"{application['name']} ({application['slug']})",
            "period": f"{period['first']} to {period['last']}, both included (UTC)",
            "made": moment(document["made_at"]),
            "engine": document["engine_version"],
        }
    )
    for chapter in chapters:
        yield Paragraph(markup(chapter.title), HEADING)
        yield from paragraphs(chapter.text)
        for table in chapter.tables:
            yield from paragraphs("")
            yield Paragraph(markup(table.title), _HEAD)
            if not table.rows:
                yield from small("None.")
            else:
                head = [
                    Paragraph(markup(column), _FIGURES_HEAD if is_figure else _HEAD)
                    for column, is_figure in table.heads
                ]
                rows = [
                    [Paragraph(_text(v), _FIGURE if is_figure else _CELL) for v, is_figure in row]
                    for row in table.cells
                ]
                widths = _widths(table)
                yield LongTable(
                    [head, *rows], colWidths=widths, repeatRows=1, style=_TABLE, hAlign="LEFT"
                )
            if table.note:
                yield from small(table.note)
    hashes = {**document["sha256"]["chapters"], "CSV": document["sha256"]["csv"]}
    yield from digests(hashes, document["public_key"], "The same as JSON")


def _text(value: Value) -> str:
    text = str(value)
    return markup(text if len(text) <= _LONGEST_CELL else f"{text[:_LONGEST_CELL]}… (in the JSON)")


def _widths(table: EvidenceTable) -> list[float]:
    """Return the columns' widths: shares of the page by their longest cell, within bounds."""
    columns = zip(table.columns, *table.rows, strict=True)
    needs = [max(_NARROW, min(_WIDE, max(len(str(v)) for v in column))) for column in columns]
    return [WIDTH * need / sum(needs) for need in needs]
