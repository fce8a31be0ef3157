"""Word documents by python-docx: paragraphs, headings and tables in document order.

python-docx opens the package and knows the styles; the text is read from the XML, since
`paragraph.text` omits tracked insertions, content controls, formulas and symbols. Automatic numbers
are counted, footnotes and endnotes follow their paragraph, headers precede the text and footers
follow it.
"""

import io
import re
from collections.abc import Iterator
from typing import Any

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from documents.parsing.scripts import list_number, script_text
from documents.parsing.types import (
    LONGEST_SPANNED,
    MOST_SPANNED,
    STRUCK,
    Extract,
    HiddenText,
    ParsingLimits,
    UnreadableReason,
    refusal,
)

_P, _TBL, _TR, _TC, _R, _T = (qn(f"w:{name}") for name in ("p", "tbl", "tr", "tc", "r", "t"))
_RPR, _VAL = qn("w:rPr"), qn("w:val")
_WITHIN = {qn(f"w:{name}") for name in ("ins", "hyperlink", "smartTag", "sdt", "sdtContent")} | {
    qn(f"w:{name}") for name in ("customXml", "moveTo", "fldSimple", "dir", "bdo")
}
"""Wrappers whose content belongs to the text; w:del and w:moveFrom do not."""
_SIGNS = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
_FORMULAS = {qn("m:oMath"), qn("m:oMathPara")}
_NOTES = {qn("w:footnoteReference"): "footnotes", qn("w:endnoteReference"): "endnotes"}
_SYMBOLS = {
    0x22: "∀", 0x24: "∃", 0x40: "≅", 0x44: "Δ", 0x57: "Ω", 0x61: "α", 0x62: "β", 0x64: "δ",
    0x67: "γ", 0x6D: "μ", 0x70: "π", 0x73: "σ", 0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←",
    0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB7: "•",
    0xB8: "÷", 0xB9: "≠", 0xBB: "≈", 0xD6: "√", 0xD7: "⋅", 0xE5: "∑",
}  # fmt: skip
"""Of the font Symbol, by the low byte of the character."""
UNKNOWN_SYMBOLS = "Symbols of a special font could not be read."
_OFF = ("0", "false", "off", "none")
_WHITE = {"ffffff", "fefefe", "fdfdfd"}
_SHADE, _FILL, _UNFILLED = qn("w:shd"), qn("w:fill"), (None, "auto", "FFFFFF", "ffffff")
_TEXTBOX = qn("w:txbxContent")
_SCRIPTS = {"superscript": "sup", "subscript": "sub"}
_SYM = qn("w:sym")
_WORDS = re.compile(r"[^\W\d_]{2,}")
"""A word; a header that only numbers pages has none."""


def parse(data: bytes, limits: ParsingLimits) -> Extract:
    """Return the visible text, without comments."""
    try:
        document: Any = docx.Document(io.BytesIO(data))
        # By their English names, which a document keeps whatever the language of Word.
        headings = {
            style.style_id
            for style in document.styles
            if style.style_id and (style.name or "").lower().startswith(("heading", "title"))
        }
        reader = _Reader(document)
        heads, feet = (
            reader.beside(document, headings, kind)
            for kind in ("headerReference", "footerReference")
        )
        text = "\n".join([*heads, *reader.blocks(document.element.body, headings), *feet])
        return Extract(
            parts=(text,),
            title=document.core_properties.title,
            hidden_text=tuple(reader.hidden),
            warnings=(UNKNOWN_SYMBOLS,) if reader.unknown_symbols else (),
        )
    except MemoryError:
        raise
    except Exception as error:
        if "emory allocation" in str(error):
            raise MemoryError from error
        raise refusal(UnreadableReason.DAMAGED, what="Word document") from error


class _Reader:
    """Walks the body and collects hidden text on the way."""

    def __init__(self, document: Any) -> None:
        self.hidden: list[HiddenText] = []
        self.unknown_symbols = False
        self._numbers = Numbers(document)
        self._notes = {kind: _parts(document, kind) for kind in set(_NOTES.values())}
        self._shades = {
            style.style_id: list(style.element.iter(_SHADE)) for style in document.styles
        }
        self._behind: list[str] = []
        """The notes of the paragraph that is being read."""

    def blocks(self, parent: Any, headings: set[str]) -> Iterator[str]:
        """Yield lines of text, with a blank line before headings and around tables."""
        for child in parent:
            if child.tag == _P:
                number, text = self._numbers.of(child), "".join(self._inline(child))
                notes, self._behind = self._behind, []
                text = "".join([f"{number} " if number and text.strip() else "", text, *notes])
                is_heading = _value(child, "w:pPr", "w:pStyle") in headings
                yield f"\n{text}" if is_heading else text + "\n"
            elif child.tag == _TBL:
                yield from (*self._rows(child, headings), "")
            elif child.tag in _WITHIN:
                yield from self.blocks(child, headings)

    def beside(self, document: Any, headings: set[str], kind: str) -> Iterator[str]:
        """Return the distinct headers or footers that contain text."""
        texts = dict[str, None]()
        for reference in document.element.body.iter(qn(f"w:{kind}")):
            part = document.part.related_parts.get(reference.get(qn("r:id")))
            if part is not None:
                lines = "\n".join(self.blocks(part.element, headings)).splitlines()
                texts |= dict.fromkeys(line for line in lines if len(_WORDS.findall(line)) > 1)
        return (f"{text}\n" for text in texts)

    def _rows(self, table: Any, headings: set[str]) -> Iterator[str]:
        above = dict[int, str]()
        for row in _children(table, _TR):
            texts = list[str]()
            before = _find(row, "w:trPr", "w:gridBefore")
            column = 0 if before is None else _number(before.get(_VAL, ""))
            cells = list(_children(row, _TC))
            for cell in cells:
                lines = (line.removeprefix("- ") for line in self.blocks(cell, headings))
                text = " ".join(" ".join(lines).split())
                merge = _find(cell, "w:tcPr", "w:vMerge")
                if merge is not None and merge.get(_VAL) != "restart":
                    text = text or above.get(column, "")
                columns = _number(_value(cell, "w:tcPr", "w:gridSpan", otherwise="1"))
                columns = max(1, min(columns, MOST_SPANNED))
                above |= dict.fromkeys(range(column, column + columns), text)
                column += columns
                repeats = len(cells) > 1 and len(text) <= LONGEST_SPANNED
                texts += [text] * (columns if repeats else 1)
            yield " | ".join(texts)

    def _symbol(self, element: Any) -> str:
        code = int(element.get(qn("w:char"), "0"), 16)
        if element.get(qn("w:font"), "").lower() == "symbol":
            low = code & 0xFF if 0xF000 <= code <= 0xF0FF else code
            if sign := _SYMBOLS.get(low) or (chr(low) if 0x20 < low < 0x40 else ""):
                return sign
        elif not 0xE000 <= code <= 0xF8FF:
            return chr(code)
        self.unknown_symbols = True
        return "\ufffd"

    def _inline(self, parent: Any) -> Iterator[str]:
        for child in parent:
            if child.tag == _R:
                yield from self._run(child)
            elif child.tag in _WITHIN:
                yield from self._inline(child)
            elif child.tag in _FORMULAS:
                yield _formula(child)

    def _run(self, run: Any) -> Iterator[str]:
        text, properties = "".join(self._signs(run)), run.find(_RPR)
        how, script = "", None
        if properties is not None:
            how = _hidden(properties) or self._unseen_white(run, properties)
            script = _SCRIPTS.get(_value(properties, "w:vertAlign"))
        if how:
            if text.strip():
                self.hidden.append(HiddenText(how, text))
            return
        yield script_text(text, script, "0") if script else text
        for box in run.iter(_TEXTBOX):
            # Word writes each box twice, for new and for old versions.
            if not any("Fallback" in str(above.tag) for above in box.iterancestors()):
                yield "\n" + "\n".join(self.blocks(box, set()))

    def _unseen_white(self, run: Any, properties: Any) -> str:
        """Return how white text is hidden; "" for other text, and on a coloured ground."""
        if _value(properties, "w:color").lower() not in _WHITE:
            return ""
        if any(_find(properties, name) is not None for name in ("w:shd", "w:highlight")):
            return ""
        for above in run.iterancestors(_P, _TC, _TBL):
            style = _find(above, "w:tblPr", "w:tblStyle")
            grounds = [_find(above, name, "w:shd") for name in ("w:pPr", "w:tcPr")]
            if style is not None:
                grounds += self._shades.get(style.get(_VAL), [])
            if any(each is not None and each.get(_FILL) not in _UNFILLED for each in grounds):
                return ""
        return "same colour as its background"

    def _signs(self, run: Any) -> Iterator[str]:
        for child in run:
            if child.tag == _T:
                yield child.text or ""
            elif child.tag in _SIGNS:
                yield _SIGNS[child.tag]
            elif child.tag == _SYM:
                yield self._symbol(child)
            elif child.tag in _NOTES:
                kind = _NOTES[child.tag]
                note = self._notes[kind].pop(child.get(qn("w:id")), None)
                if note is not None:
                    outer, self._behind = self._behind, []
                    text = " ".join(" ".join(self.blocks(note, set())).split())
                    self._behind = [*outer, f" (Note: {text})"] if text else outer


def _parts(document: Any, kind: str) -> dict[str, Any]:
    """Return the footnotes or endnotes by id, without separators."""
    for part in document.part.related_parts.values():
        if str(part.partname).endswith(f"/{kind}.xml"):
            notes = parse_xml(part.blob)
            return {note.get(qn("w:id")): note for note in notes if note.get(qn("w:type")) is None}
    return {}


def _formula(element: Any) -> str:
    """Return a formula in one line: "5 mg/kg", "(a + b)/c", "x^2"."""
    if element.tag == qn("m:t"):
        return element.text or ""
    parts = [_formula(child) for child in element]
    if element.tag == qn("m:f"):
        above, below = (_formula(element.find(qn(f"m:{name}"))) for name in ("num", "den"))
        return f"{_bracketed(above)}/{_bracketed(below)}"
    if element.tag in (qn("m:sSup"), qn("m:sSub")):
        name, sign = ("sup", "^") if element.tag == qn("m:sSup") else ("sub", "_")
        base, script = (_formula(element.find(qn(f"m:{each}"))) for each in ("e", name))
        return f"{_bracketed(base)}{sign}{_bracketed(script)}"
    if element.tag == qn("m:rad"):
        return f"√({_formula(element.find(qn('m:e')))})"
    return "".join(parts)


def _bracketed(text: str) -> str:
    return f"({text})" if re.search(r"[+−-]", text) else text


def _children(parent: Any, tag: str) -> Iterator[Any]:
    """Yield the rows of a table or the cells of a row, those in content controls too."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in _WITHIN:
            yield from _children(child, tag)


def _hidden(properties: Any) -> str:
    """Return how a run's properties hide it: hidden, struck out or tiny text; else ""."""
    if _is_on(properties, "w:vanish"):
        return "hidden text"
    if _is_on(properties, "w:strike") or _is_on(properties, "w:dstrike"):
        return STRUCK
    return "font-size:0" if _value(properties, "w:sz") in ("0", "1", "2") else ""


def _is_on(properties: Any, name: str) -> bool:
    """Return whether a property is set, which may also be set to "off"."""
    toggle = _find(properties, name)
    return toggle is not None and toggle.get(_VAL, "1").lower() not in _OFF


# Automatic numbers of a Word document's paragraphs: "1.", "2.3", "(b)".

_PLACE = re.compile(r"%([1-9])")
_KINDS = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}
_MOST = 1_000_000


class Numbers:
    """Counts paragraphs as Word does: by list and level, restarting below each higher level.

    A bullet is "-".
    """

    def __init__(self, document: Any) -> None:
        self._levels = dict[str, dict[int, tuple[int, str, str]]]()
        """By list: start, format and text of each level."""
        self._abstract = dict[str, str]()
        """Lists of one abstract list go on counting where another stopped, unless they restart."""
        self._restarts = dict[str, set[int]]()
        self._counts = dict[str, dict[int, int]]()
        self._by_style = dict[str, Any]()
        try:
            numbering = document.part.numbering_part.element
        except (KeyError, NotImplementedError):  # a document without lists
            return
        abstract = {
            each.get(qn("w:abstractNumId")): {
                int(level.get(qn("w:ilvl"), "0")): (
                    _number(_value(level, "w:start", otherwise="1")),
                    _value(level, "w:numFmt", otherwise="decimal"),
                    _value(level, "w:lvlText"),
                )
                for level in each.iter(qn("w:lvl"))
            }
            for each in numbering.iter(qn("w:abstractNum"))
        }
        for each in numbering.iter(qn("w:num")):
            name, kind = each.get(qn("w:numId")), _value(each, "w:abstractNumId")
            levels = dict(abstract.get(kind, {}))
            for change in each.iter(qn("w:lvlOverride")):
                at = int(change.get(qn("w:ilvl"), "0"))
                start = _value(change, "w:startOverride")
                if start and at in levels:
                    levels[at] = (_number(start), *levels[at][1:])
                    self._restarts.setdefault(name, set()).add(at)
            self._levels[name], self._abstract[name] = levels, kind
        for style in document.styles.element.iter(qn("w:style")):
            if (properties := _find(style, "w:pPr", "w:numPr")) is not None:
                self._by_style[style.get(qn("w:styleId"))] = properties

    def of(self, paragraph: Any) -> str:
        """Return the number or bullet before a paragraph, or ""."""
        properties = _find(paragraph, "w:pPr", "w:numPr")
        style = _find(paragraph, "w:pPr", "w:pStyle")
        if properties is None and style is not None:
            properties = self._by_style.get(style.get(_VAL))
        if properties is None:
            return ""
        name = _value(properties, "w:numId", otherwise="0")
        at = _number(_value(properties, "w:ilvl", otherwise="0"))
        levels = self._levels.get(name, {})
        if at not in levels:
            return ""
        counts = self._counts.setdefault(self._abstract[name], {})
        if at in self._restarts.get(name, ()):
            self._restarts[name].discard(at)
            counts.pop(at, None)
        counts[at] = counts.get(at, levels[at][0] - 1) + 1
        for deeper in [level for level in counts if level > at]:
            del counts[deeper]
        _, form, text = levels[at]
        if form in ("bullet", "none"):
            return "-" if form == "bullet" else ""

        def count(match: re.Match[str]) -> str:
            level = int(match[1]) - 1
            start, kind, _ = levels.get(level, (1, "decimal", ""))
            number = counts.get(level, start)
            if kind == "decimalZero":
                return f"{number:02}"
            return list_number(number, _KINDS.get(kind, "1"))

        return _PLACE.sub(count, text)


def _find(element: Any, *names: str) -> Any:
    """Return the element at this path below another, or None."""
    return element.find("/".join(map(qn, names)))


def _value(element: Any, *names: str, otherwise: str = "") -> str:
    """Return the value (`w:val`) of the element at this path, or `otherwise`."""
    child = _find(element, *names)
    return otherwise if child is None else child.get(_VAL, otherwise)


def _number(text: str) -> int:
    return min(int(text), _MOST) if text.isascii() and text.isdecimal() and len(text) < 9 else 1
