"""Word documents by python-docx: paragraphs, headings and tables in document order.

python-docx opens the package and knows the styles; the text is taken from the XML itself,
since its own `paragraph.text` leaves out tracked insertions and content controls.
"""

import io
from collections.abc import Iterator
from typing import Any

import docx
from docx.oxml.ns import qn

from documents.parsing.refusals import refusal
from documents.parsing.scripts import script_text
from documents.parsing.types import Extract, HiddenText, ParsingContext, UnreadableReason

_P, _TBL, _TR, _TC, _R, _T = (qn(f"w:{name}") for name in ("p", "tbl", "tr", "tc", "r", "t"))
_RPR, _PPR, _VAL = qn("w:rPr"), qn("w:pPr"), qn("w:val")
_WITHIN = {qn(f"w:{name}") for name in ("ins", "hyperlink", "smartTag", "sdt", "sdtContent")} | {
    qn(f"w:{name}") for name in ("customXml", "moveTo", "fldSimple", "dir", "bdo")
}
"""Wrappers whose content belongs to the text; w:del and w:moveFrom do not."""
_SIGNS = {
    qn("w:tab"): "\t",
    qn("w:br"): "\n",
    qn("w:cr"): "\n",
    qn("w:noBreakHyphen"): "-",
}
_OFF = ("0", "false", "off", "none")
_WHITE = {"ffffff", "fefefe", "fdfdfd"}
_TEXTBOX = qn("w:txbxContent")


def parse(data: bytes, context: ParsingContext) -> Extract:
    """The body's visible text; headers, footers and comments are left out."""
    try:
        document: Any = docx.Document(io.BytesIO(data))
        reader = _Reader()
        text = "\n".join(reader.blocks(document.element.body, _headings(document)))
        return Extract(
            parts=(text,), title=document.core_properties.title, hidden_text=tuple(reader.hidden)
        )
    except MemoryError:
        raise
    except Exception as error:
        if "emory allocation" in str(error):
            raise MemoryError from error
        raise refusal(UnreadableReason.DAMAGED, what="Word document") from error


def _headings(document: Any) -> set[str]:
    """Ids of the styles that are headings, whatever the language of Word was."""
    return {
        style.style_id
        for style in document.styles
        if style.style_id and (style.name or "").lower().startswith(("heading", "title"))
    }


class _Reader:
    """Walks the body; collects what is hidden on the way."""

    def __init__(self) -> None:
        self.hidden: list[HiddenText] = []

    def blocks(self, parent: Any, headings: set[str]) -> Iterator[str]:
        """Lines of text: a blank line before headings and around tables."""
        for child in parent:
            if child.tag == _P:
                text = self._paragraph(child)
                yield f"\n{text}" if _style(child) in headings else text + "\n"
            elif child.tag == _TBL:
                yield from (*self._rows(child, headings), "")
            elif child.tag in _WITHIN:
                yield from self.blocks(child, headings)

    def _rows(self, table: Any, headings: set[str]) -> Iterator[str]:
        for row in table.iterchildren(_TR):
            cells = (" ".join(self.blocks(cell, headings)) for cell in row.iterchildren(_TC))
            yield " | ".join(" ".join(cell.split()) for cell in cells)

    def _paragraph(self, paragraph: Any) -> str:
        return "".join(self._inline(paragraph))

    def _inline(self, parent: Any) -> Iterator[str]:
        for child in parent:
            if child.tag == _R:
                yield from self._run(child)
            elif child.tag in _WITHIN:
                yield from self._inline(child)

    def _run(self, run: Any) -> Iterator[str]:
        text = "".join(_signs(run))
        how = _hidden(run.find(_RPR))
        if how:
            if text.strip():
                self.hidden.append(HiddenText(how, text))
            return
        yield script_text(text, _script(run.find(_RPR)), "0") if text else ""
        for box in run.iter(_TEXTBOX):
            # Word writes each box twice, for new and for old versions.
            if not any("Fallback" in str(above.tag) for above in box.iterancestors()):
                yield "\n" + "\n".join(self.blocks(box, set()))


def _signs(run: Any) -> Iterator[str]:
    for child in run:
        if child.tag == _T:
            yield child.text or ""
        elif child.tag in _SIGNS:
            yield _SIGNS[child.tag]


def _style(paragraph: Any) -> str:
    properties = paragraph.find(_PPR)
    style = properties.find(qn("w:pStyle")) if properties is not None else None
    return "" if style is None else style.get(_VAL, "")


def _hidden(properties: Any) -> str:
    """How a run's own properties hide it: Word's hidden text, white or tiny letters."""
    if properties is None:
        return ""
    vanish = properties.find(qn("w:vanish"))
    if vanish is not None and vanish.get(_VAL, "1").lower() not in _OFF:
        return "hidden text"
    size = properties.find(qn("w:sz"))
    if size is not None and size.get(_VAL) in ("0", "1", "2"):
        return "font-size:0"
    ink = properties.find(qn("w:color"))
    behind = [properties.find(qn(name)) for name in ("w:shd", "w:highlight")]
    white = ink is not None and ink.get(_VAL, "").lower() in _WHITE
    return "same colour as its background" if white and behind == [None, None] else ""


def _script(properties: Any) -> str:
    """ "sup", "sub" or "": how the run stands to the line."""
    element = properties.find(qn("w:vertAlign")) if properties is not None else None
    value = element.get(_VAL, "") if element is not None else ""
    return {"superscript": "sup", "subscript": "sub"}.get(value, "")
