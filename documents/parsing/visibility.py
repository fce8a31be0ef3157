"""Determines whether a reader sees an element, from its attributes and styles alone."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from documents.parsing.types import STRUCK, UNDRAWN

# The CSS that hides an element: inline styles and simple rules of style sheets.

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
_MOVING = ("left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top")
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
    size = _length(style.get("font-size"))
    relative = style.get("font-size", "").endswith(("em", "%"))
    if size is not None and (size == 0 or (size <= _UNREADABLE and not relative)):
        return "font-size:0"
    sides = (_length(style.get(side)) for side in ("width", "height", "max-width", "max-height"))
    cut = style.get("overflow", "") in ("hidden", "clip")
    if cut and any(side is not None and abs(side) <= _UNREADABLE for side in sides):
        return "zero size"
    moves = (_length(style.get(name)) for name in _MOVING)
    if any(length is not None and length <= _OFF_SCREEN for length in moves):
        return "off screen"
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


_NEVER_SHOWN = {
    "style": "style sheet",
    **dict.fromkeys(("s", "del", "strike"), STRUCK),
    **{tag: tag for tag in (*UNDRAWN, "annotation")},
}
_INVISIBLE, _TRANSPARENT = "visibility:hidden", "transparent"
_ATTRIBUTE_COLOURS = (("color", "color"), ("text", "color"), ("bgcolor", "background-color"))


@dataclass(frozen=True, slots=True)
class Style:
    """The inherited style of an element: how it is hidden ("" if it is not) and its colours.

    `ground` is None if an image or an unknown colour is behind the text.
    """

    hidden: str = ""
    ink: Colour | None = (0, 0, 0)
    ground: Colour | None = WHITE
    undoable: bool = False
    """Hidden by visibility or colour, which an element inside can set again."""


@dataclass(slots=True)
class Sheets:
    """The simple rules of the style sheets read so far."""

    rules: dict[str, Declarations] = field(default_factory=dict)

    def add(self, sheet: str) -> None:
        for selector, style in rules(sheet).items():
            self.rules.setdefault(selector, {}).update(style)

    def style(self, tag: str, attributes: Mapping[str, str]) -> Declarations:
        """Return the declarations that apply to an element; its own style comes last and wins."""
        applying: Declarations = {}
        if self.rules:
            classes = attributes.get("class", "").lower().split()[:50]
            selectors = [f".{name}" for name in classes]
            if attributes.get("id"):
                selectors.append(f"#{attributes['id'].lower()}")
            for selector in [tag, *selectors, *(tag + name for name in selectors)]:
                applying.update(self.rules.get(selector, {}))
        for attribute, name in _ATTRIBUTE_COLOURS:
            if attribute in attributes:
                applying[name] = attributes[attribute].lower()
        applying.update(declarations(attributes.get("style", "")))
        return applying


def look(tag: str, attributes: Mapping[str, str], sheets: Sheets, parent: Style) -> Style:
    """Return the style of an element inside its parent."""
    if parent.hidden and not parent.undoable:
        return parent
    if tag in _NEVER_SHOWN:
        return Style(_NEVER_SHOWN[tag])
    if "hidden" in attributes and attributes["hidden"].lower() != "until-found":
        return Style("hidden")
    if attributes.get("aria-hidden", "").strip().lower() == "true":
        return Style("aria-hidden")
    if tag == "input":
        return Style("input")
    style = sheets.style(tag, attributes) if attributes or sheets.rules else {}
    if not style:
        return parent
    how = hides(style)
    if parent.hidden == _INVISIBLE and not how and style.get("visibility") != "visible":
        return parent
    ground = _ground(style, parent.ground)
    ink = colour(style["color"]) if "color" in style else parent.ink
    undoable = how in ("", _INVISIBLE)
    if not how and parent.hidden == _TRANSPARENT and "color" not in style:
        how = _TRANSPARENT
    if not how and transparent(style.get("color", "")):
        how = _TRANSPARENT
    if not how and ink and ground and is_indistinguishable(ink, ground):
        how = "same colour as its background"
    return Style(how, ink, ground, undoable)


def _ground(style: Declarations, inherited: Colour | None) -> Colour | None:
    """Return the colour behind the text, or None if it is unknown."""
    value = style.get("background-color") or style.get("background", "")
    if "url(" in value or "gradient" in value or style.get("background-image", "none") != "none":
        return None
    if not value or value in ("none", "inherit", "initial") or transparent(value):
        return inherited
    return colour(value)
