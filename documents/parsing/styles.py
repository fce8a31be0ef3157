"""The CSS that hides an element: inline styles and simple rules of style sheets."""

import re
from collections.abc import Iterator

from documents.parsing.types import STRUCK

Declarations = dict[str, str]
"""Property to value, both in lower case."""
Colour = tuple[int, int, int]

WHITE: Colour = (255, 255, 255)
_NAMED: dict[str, Colour] = {
    "white": WHITE,
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255),
    "whitesmoke": (245, 245, 245),
    "black": (0, 0, 0),
}
_NEAR = 16
"""Colours this near in each channel cannot be told apart by a reader."""
_OFF_SCREEN = -500.0
_UNREADABLE = 1.0
"""Font sizes up to this many pixels or points are not seen."""
_MOST_RULES = 5_000
_LONGEST = 2_000
_SIMPLE = re.compile(r"(?:[a-z][a-z0-9]*)?(?:[.#][\w-]+)?")
_LENGTH = re.compile(r"(-?\d*\.?\d+)(px|pt|em|rem|vw|vh|%)?")
_CLIPPED = re.compile(r"rect\(0|rect\(1px,? ?1px|inset\((?:50|100)%|circle\(0")
_RGB = re.compile(r"rgba?\((\d+)[, ]+(\d+)[, ]+(\d+)(?:[,/ ]+([\d.]+%?))?")


def declarations(style: str) -> Declarations:
    """Return the declarations of a style attribute or of a rule's body."""
    values = {}
    for part in style[: 10 * _LONGEST].split(";"):
        name, colon, value = part.partition(":")
        if colon:
            value = value.replace("!important", "").strip()
            values[name.strip().lower()] = value[:_LONGEST].lower()
    return values


def rules(sheet: str) -> dict[str, Declarations]:
    """Return declarations by selector, for selectors of one tag, class or id outside any @media."""
    rules_by_selector: dict[str, Declarations] = {}
    pieces, at = [], 0
    while (start := sheet.find("/*", at)) >= 0:
        pieces.append(sheet[at:start])
        end = sheet.find("*/", start + 2)
        at = end + 2 if end >= 0 else len(sheet)
    for selectors, body in _top_level("".join([*pieces, sheet[at:]])):
        for selector in selectors.split(","):
            selector = selector.strip().lower()
            if len(rules_by_selector) < _MOST_RULES and selector and _SIMPLE.fullmatch(selector):
                rules_by_selector.setdefault(selector, {}).update(declarations(body))
    return rules_by_selector


def _top_level(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield pairs of selector and body; whatever @media and the like enclose is left out."""
    depth, start, body_start = 0, 0, 0
    for brace in re.finditer(r"[{}]", sheet):
        at = brace.start()
        if brace[0] == "{":
            depth += 1
            body_start = at if depth == 1 else body_start
        else:
            depth = max(0, depth - 1)
        if brace[0] == "}" and depth == 0:
            selectors = sheet[start:body_start]
            if "@" not in selectors:
                yield selectors.rpartition(";")[2], sheet[body_start + 1 : at]
            start = at + 1


def hides(style: Declarations) -> str:
    """Return how these declarations alone hide an element, or ""."""
    if style.get("display") == "none":
        return "display:none"
    if style.get("visibility") in ("hidden", "collapse"):
        return "visibility:hidden"
    if _length(style.get("opacity")) == 0:
        return "opacity:0"
    if "line-through" in style.get("text-decoration", "") + style.get("text-decoration-line", ""):
        return STRUCK
    return _too_small(style) or _off_screen(style) or _clipped(style)


def _too_small(style: Declarations) -> str:
    size = _length(style.get("font-size"))
    relative = style.get("font-size", "").endswith(("em", "%"))
    if size is not None and (size == 0 or (size <= _UNREADABLE and not relative)):
        return "font-size:0"
    sides = (_length(style.get(side)) for side in ("width", "height", "max-width", "max-height"))
    cut = style.get("overflow", "") in ("hidden", "clip")
    if cut and any(side is not None and abs(side) <= _UNREADABLE for side in sides):
        return "zero size"
    return ""


def _off_screen(style: Declarations) -> str:
    sides = ("left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top")
    lengths = (_length(style.get(side)) for side in sides)
    moved = any(length is not None and length <= _OFF_SCREEN for length in lengths)
    return "off screen" if moved else ""


def _clipped(style: Declarations) -> str:
    clip = style.get("clip", "") + style.get("clip-path", "")
    if _CLIPPED.search(clip) or "scale(0)" in style.get("transform", ""):
        return "clipped away"
    return ""


def _length(value: str | None) -> float | None:
    match = _LENGTH.match(value) if value else None
    return float(match[1]) if match else None


def colour(value: str) -> Colour | None:
    """Return red, green and blue of a lower-case CSS colour, or None if unknown."""
    value = value.strip()
    if value in _NAMED:
        return _NAMED[value]
    digits = value.removeprefix("#")
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    if re.fullmatch(r"[0-9a-f]{6}(?:[0-9a-f]{2})?", digits):
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    match = _RGB.match(value)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def transparent(value: str) -> bool:
    """Return whether a lower-case CSS colour is fully transparent."""
    value = value.strip()
    match = _RGB.match(value)
    if match:
        return match[4] is not None and float(match[4].rstrip("%").strip(".") or 0) == 0
    through = (len(value), value[-2:]) == (9, "00") or (len(value), value[-1:]) == (5, "0")
    return value == "transparent" or (value.startswith("#") and through)


def is_indistinguishable(colour: Colour, other: Colour) -> bool:
    """Return whether a reader cannot tell one colour from the other."""
    return all(abs(a - b) <= _NEAR for a, b in zip(colour, other, strict=True))
