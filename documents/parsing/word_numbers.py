"""Automatic numbers of a Word document's paragraphs: "1.", "2.3", "(b)"."""

import re
from typing import Any

from docx.oxml.ns import qn

from documents.parsing.scripts import list_number

_VAL = qn("w:val")
_PLACE = re.compile(r"%([1-9])")
_KINDS = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}
_MOST = 1_000_000


class Numbers:
    """Counts paragraphs as Word does: by list and level, restarting below each higher level.

    Bullets have no number.
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
        self._read(numbering)
        for style in document.styles.element.iter(qn("w:style")):
            if (properties := style.find(f"{qn('w:pPr')}/{qn('w:numPr')}")) is not None:
                self._by_style[style.get(qn("w:styleId"))] = properties

    def _read(self, numbering: Any) -> None:
        abstract = {
            each.get(qn("w:abstractNumId")): {
                int(level.get(qn("w:ilvl"), "0")): (
                    _number(_value(level, "w:start", "1")),
                    _value(level, "w:numFmt", "decimal"),
                    _value(level, "w:lvlText", ""),
                )
                for level in each.iter(qn("w:lvl"))
            }
            for each in numbering.iter(qn("w:abstractNum"))
        }
        for each in numbering.iter(qn("w:num")):
            name = each.get(qn("w:numId"))
            levels = dict(abstract.get(_value(each, "w:abstractNumId", ""), {}))
            for change in each.iter(qn("w:lvlOverride")):
                at, start = (
                    int(change.get(qn("w:ilvl"), "0")),
                    _value(change, "w:startOverride", ""),
                )
                if start and at in levels:
                    levels[at] = (_number(start), *levels[at][1:])
                    self._restarts.setdefault(name, set()).add(at)
            self._levels[name] = levels
            self._abstract[name] = _value(each, "w:abstractNumId", "")

    def of(self, paragraph: Any) -> str:
        """Return the number before a paragraph, or ""."""
        properties = paragraph.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
        style = paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
        if properties is None and style is not None:
            properties = self._by_style.get(style.get(_VAL))
        if properties is None:
            return ""
        name, at = _value(properties, "w:numId", "0"), _number(_value(properties, "w:ilvl", "0"))
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
            return ""

        def count(match: re.Match[str]) -> str:
            level = int(match[1]) - 1
            start, kind, _ = levels.get(level, (1, "decimal", ""))
            return _written(counts.get(level, start), kind)

        return _PLACE.sub(count, text)


def _value(element: Any, name: str, otherwise: str) -> str:
    child = element.find(qn(name))
    return otherwise if child is None else child.get(_VAL, otherwise)


def _number(text: str) -> int:
    return min(int(text), _MOST) if text.isascii() and text.isdecimal() and len(text) < 9 else 1


def _written(number: int, form: str) -> str:
    return f"{number:02}" if form == "decimalZero" else list_number(number, _KINDS.get(form, "1"))
