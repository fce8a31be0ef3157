"""Determines whether a reader sees an element, from its attributes and styles alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from documents.parsing import styles
from documents.parsing.styles import Colour, Declarations
from documents.parsing.types import STRUCK

_NEVER_SHOWN = {
    "script": "script",
    "style": "style sheet",
    "template": "template",
    "noscript": "noscript",
    "noframes": "noframes",
    "noembed": "noembed",
    "datalist": "datalist",
    "object": "object",
    "iframe": "iframe",
    "audio": "audio",
    "video": "video",
    "canvas": "canvas",
    "s": STRUCK,
    "del": STRUCK,
    "strike": STRUCK,
    "annotation": "annotation",
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
    ground: Colour | None = styles.WHITE
    undoable: bool = False
    """Hidden by visibility or colour, which an element inside can set again."""


@dataclass(slots=True)
class Sheets:
    """The simple rules of the style sheets read so far."""

    rules: dict[str, Declarations] = field(default_factory=dict)

    def add(self, sheet: str) -> None:
        for selector, style in styles.rules(sheet).items():
            self.rules.setdefault(selector, {}).update(style)

    def style(self, tag: str, attributes: Mapping[str, str]) -> Declarations:
        """Return the declarations that apply to an element; its own style comes last and wins."""
        declarations: Declarations = {}
        if self.rules:
            for selector in _selectors(tag, attributes):
                declarations.update(self.rules.get(selector, {}))
        for attribute, name in _ATTRIBUTE_COLOURS:
            if attribute in attributes:
                declarations[name] = attributes[attribute].lower()
        declarations.update(styles.declarations(attributes.get("style", "")))
        return declarations


def _selectors(tag: str, attributes: Mapping[str, str]) -> list[str]:
    classes = attributes.get("class", "").lower().split()[:50]
    selectors = [f".{name}" for name in classes]
    if attributes.get("id"):
        selectors.append(f"#{attributes['id'].lower()}")
    return [tag, *selectors, *(tag + name for name in selectors)]


def look(tag: str, attributes: Mapping[str, str], sheets: Sheets, parent: Style) -> Style:
    """Return the style of an element inside its parent."""
    if parent.hidden and not parent.undoable:
        return parent
    how = _NEVER_SHOWN.get(tag) or _by_attribute(tag, attributes)
    if how:
        return Style(how)
    style = sheets.style(tag, attributes) if attributes or sheets.rules else {}
    if not style:
        return parent
    return _styled(style, parent)


def _styled(style: Declarations, parent: Style) -> Style:
    how = styles.hides(style)
    if parent.hidden == _INVISIBLE and not how and style.get("visibility") != "visible":
        return parent
    ground = _ground(style, parent.ground)
    ink = styles.colour(style["color"]) if "color" in style else parent.ink
    undoable = how in ("", _INVISIBLE)
    if not how and parent.hidden == _TRANSPARENT and "color" not in style:
        how = _TRANSPARENT
    return Style(how or _unseen_ink(style, ink, ground), ink, ground, undoable)


def _by_attribute(tag: str, attributes: Mapping[str, str]) -> str:
    if "hidden" in attributes and attributes["hidden"].lower() != "until-found":
        return "hidden"
    if attributes.get("aria-hidden", "").strip().lower() == "true":
        return "aria-hidden"
    return "input" if tag == "input" else ""


def _ground(style: Declarations, inherited: Colour | None) -> Colour | None:
    """Return the colour behind the text, or None if it is unknown."""
    value = style.get("background-color") or style.get("background", "")
    if "url(" in value or "gradient" in value or style.get("background-image", "none") != "none":
        return None
    if not value or value in ("none", "inherit", "initial") or styles.transparent(value):
        return inherited
    return styles.colour(value)


def _unseen_ink(style: Declarations, ink: Colour | None, ground: Colour | None) -> str:
    if styles.transparent(style.get("color", "")):
        return _TRANSPARENT
    return (
        "same colour as its background"
        if ink and ground and styles.is_indistinguishable(ink, ground)
        else ""
    )
