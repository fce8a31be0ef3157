"""Reads LaTeX as its reader sees it: `$300\\,\\mathrm{m}$` is "300 m"."""

import re
from collections.abc import Iterator

from lib.text.characters import SUPERSCRIPTS
from lib.text.decoded import Edit

_MATHS = re.compile(r"(?<![\\$\w])(\$\$?)(?=[^\s$])([^$\n]{1,300}?)(?<=[^\s\\])\1(?![\d$])")
_CLOSING = re.compile(r"\$(?!\d)")
"""A sign that stands before no price, as one of every formula does."""
_DISPLAY = re.compile(r"\$\$([^$]{1,2000})\$\$")
_PROSE = re.compile(
    r"(?<![\\{A-Za-z])[A-Za-z]{2,} |^\d[\d.,]* ?(?:/|per|a|and|or|to|-|–)", re.IGNORECASE
)
_BRACKETED = re.compile(r"\\\((.{1,300}?)\\\)|\\\[(.{1,300}?)\\\]", re.DOTALL)
_LABEL = re.compile(r"\s*\d{1,3}(?:[,\s–-]+\d{1,3})*\s*")
_WRAPPER = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt|up)?|math(?:rm|bf|it|sf|tt|bb|cal)|operatorname|boxed|fbox|num|emph"
    r"|underline|unit|si|mbox|bm|boldsymbol|ensuremath|(?:sub)*section\*?|paragraph)[ ]?\{"
)
_QUANTITY = re.compile(
    r"\\(?:SI|qty)(?:\[[^\]\n]{0,80}\])?\{([^{}\n]{1,40})\}\{\\?([^{}\n]{0,40})\}"
)
_FRACTION = re.compile(r"\\[dt]?frac(?:\{([^{}\n]{1,20})\}\{([^{}\n]{1,20})\}|(\d)(\d))")
_SYMBOLS = {
    "times": "×", "cdot": "×", "approx": "≈", "sim": "~", "leq": "≤", "le": "≤", "geq": "≥",
    "ge": "≥", "pm": "±", "to": "→", "percent": "%", "euro": "€", "pounds": "£", "circ": "°",
    "degree": "°", "celsius": "°C", "quad": " ", "qquad": " ", "thinspace": " ", "left": "",
    "right": "", "lt": "<", "gt": ">", "ldots": "…", "dots": "…",
    "meter": "m", "metre": "m", "kilometer": "km", "second": "s", "hour": "h", "day": "days",
}  # fmt: skip
_SYMBOL = re.compile(rf"\\({'|'.join(sorted(_SYMBOLS, key=len, reverse=True))})(?![A-Za-z])")
_SPACE = re.compile(r"\\[,;:> ]|\\!|(?<=\d)~(?=[\\A-Za-z])")
_ESCAPED = re.compile(r"\\(?=[%$&#_{}\[\]])")
_COMMA = re.compile(r"(?<=\d)\{([.,])\}(?=\d)")
_RAISED = re.compile(r"\^\{?(\\circ|°)\}?|\^\{(-?\d{1,2})\}")
_LOWERED = re.compile(r"_\{?(\d{1,2})\}?")


def commands(text: str) -> Iterator[Edit]:
    """Yield the edits of commands that wrap a text, of spaces, symbols and escaped signs."""
    if "\\" not in text:
        return
    edits = [*_wrappers(text), *_quantities(text), *_fractions(text)]
    edits += [(*match.span(), _SYMBOLS[match[1]]) for match in _SYMBOL.finditer(text)]
    edits += [(*match.span(), "" if match[0] == "\\!" else " ") for match in _SPACE.finditer(text)]
    edits += [(*match.span(), "") for match in _ESCAPED.finditer(text)]
    edits += [(*match.span(), match[1]) for match in _COMMA.finditer(text)]
    yield from apart(edits)


def formulas(text: str) -> Iterator[Edit]:
    """Yield the edits that remove the signs around a formula and the braces inside it."""
    edits = list[Edit]()
    for start, end, signs in _formulas(text):
        edits += [(start, start + signs, ""), (end - signs, end, "")]
        inside = start + signs, end - signs
        for match in _RAISED.finditer(text, *inside):
            edits.append((*match.span(), "°" if match[1] else _superscript(match[2])))
        for match in _LOWERED.finditer(text, *inside):
            edits.append((*match.span(), match[1]))
    yield from apart(edits)


def _formulas(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield start and end of each formula, and the length of the signs around it.

    "\\[1\\]" is no formula but a mark in brackets that Markdown needs escaped.
    """
    if text.count("$") > 1 and ("$$" in text or _CLOSING.search(text)):
        for match in _DISPLAY.finditer(text):
            yield *match.span(), 2
        for match in _MATHS.finditer(text):
            if len(match[1]) == 1 and not _PROSE.search(match[2]):
                yield *match.span(), 1
    if "\\" in text:
        for match in _BRACKETED.finditer(text):
            if not _LABEL.fullmatch(match[2] or "-"):
                yield *match.span(), 2


def apart(edits: list[Edit]) -> Iterator[Edit]:
    """Yield the edits in order; of two that overlap only the longer one, or else the first."""
    done = 0
    for edit in sorted(edits, key=lambda edit: (edit[0], -edit[1])):
        if edit[0] >= done and edit[1] > edit[0]:
            yield edit
            done = edit[1]


def _wrappers(text: str) -> Iterator[Edit]:
    closing = dict[int, int]()
    open_braces = list[int]()
    for match in re.finditer(r"[{}]", text):
        if match[0] == "{":
            open_braces.append(match.start())
        elif open_braces:
            closing[open_braces.pop()] = match.start()
    for match in _WRAPPER.finditer(text):
        end = closing.get(match.end() - 1)
        if end is not None:
            yield *match.span(), ""
            yield end, end + 1, ""


def _quantities(text: str) -> Iterator[Edit]:
    for match in _QUANTITY.finditer(text):
        yield match.start(), match.start(1), ""
        yield match.end(1), match.start(2), " "
        yield match.end() - 1, match.end(), ""


def _fractions(text: str) -> Iterator[Edit]:
    for match in _FRACTION.finditer(text):
        over, under = match[1] or match[3], match[2] or match[4]
        whole = text[match.start() - 1 : match.start()].isdigit()
        yield *match.span(), f"{' ' * whole}{over}/{under}"


def _superscript(digits: str) -> str:
    return "".join("⁻" if char == "-" else SUPERSCRIPTS[int(char)] for char in digits)
