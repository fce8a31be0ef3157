"""HTML tags, Markdown links and emphasis, and struck words, as a reader sees them."""

import re
from collections.abc import Iterator

from lib.text.characters import SUPERSCRIPTS
from lib.text.decoded import Edit
from lib.text.latex import apart
from lib.text.words import word_set

_INLINE = word_set(
    "a abbr b bdi big cite code em font i ins kbd label mark nobr pre q s samp small span strong "
    "sub sup tt u var wbr"
)
_BLOCK = word_set(
    "article aside blockquote body br center dd details div dl dt figcaption figure footer h1 h2 "
    "h3 h4 h5 h6 header hr html li main nav ol p section summary ul"
)
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]{0,15})((?:\s[^<>]{0,400})?)/?>")
_TEXT_ATTRIBUTE = re.compile(
    r"\b(?:alt|title|placeholder|label|value|content|summary|aria-\w+|data-[\w-]+)\s*=",
    re.IGNORECASE,
)
_RAISED_TAG = re.compile(r"<sup\b[^<>]{0,80}>\s*([\d,\s]{1,9})\s*</sup>", re.IGNORECASE)
_LINK = re.compile(
    r"\[(?P<text>[^\[\]\n]{1,300})\]\(\s?<?[^\s()<>\"]{0,500}(?:\([^\s()<>\"]{0,100}\))?>?\s?\)"
)
_ADDRESS = re.compile(r"\s?\(?(?:https?://|www\.)[^\s<>()\[\]\"']{1,500}(?<![.,;:!?])\)?")
_ADDRESS_WORD = re.compile(r"[^\W\d_]{2,}")
_MOST_ADDRESS_WORDS = 6
_EMPHASIS = re.compile(
    r"(?<![\w*`])(\*{1,3}|`|_{1,2})([$€£~≈<>≤≥+-]?\d[\d.,:/\u202f\xa0]*%?)\1(?![*`_\d])"
)


_STRUCK = re.compile(
    r"~~(?!\s)[^~\n]{1,300}?(?<!\s)~~|<(del|s|strike)\b[^<>]{0,200}>.{0,300}?</\1\s*>",
    re.IGNORECASE | re.DOTALL,
)


_ANY_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9]{0,15})\b([^<>]{0,800})>")
_HIDING = re.compile(
    r"\shidden(?=[\s=/]|$)|\saria-hidden\s*=\s*[\"']?true|display\s*:\s*none"
    r"|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)
_NEVER_SHOWN = word_set("script style template noscript title")
_NO_TEXT = word_set("meta input img link base")
_FARTHEST_END = 4_000
"""Characters within which a hidden element has to end."""


def without_hidden(text: str) -> str:
    """Return a text of HTML with what a browser does not show blanked out.

    Blanked are scripts, hidden elements, and elements whose only text is in attributes.
    """
    if "<" not in text or ">" not in text:
        return text
    parts, position = list[str](), 0
    for tag in _ANY_TAG.finditer(text):
        if tag.start() < position:
            continue
        end = _end_of_hidden(text, tag)
        if end:
            parts += text[position : tag.start()], re.sub(r"\S", " ", text[tag.start() : end])
            position = end
    return "".join((*parts, text[position:]))


def _end_of_hidden(text: str, tag: re.Match[str]) -> int:
    """Return where what a tag hides ends; 0 where it hides nothing."""
    name = tag[1].lower()
    if name in _NO_TEXT:
        return tag.end()
    if name not in _NEVER_SHOWN and not _HIDING.search(tag[2]):
        return 0
    closing = text.find(f"</{tag[1]}", tag.end(), tag.end() + _FARTHEST_END)
    return closing + len(tag[1]) + len("</>") if closing >= 0 else 0


def struck(text: str) -> Iterator[Edit]:
    """Yield the edits that remove words struck through: "~~50~~ 62 m" says 62 m."""
    if "~~" in text or "</" in text:
        yield from ((*match.span(), "") for match in _STRUCK.finditer(text))


def tags(text: str) -> Iterator[Edit]:
    """Yield each tag as nothing or as the end of a line; one whose attribute is shown stays."""
    if "<" not in text or ">" not in text:
        return
    edits = list[Edit]()
    for match in _RAISED_TAG.finditer(text):
        edits.append((*match.span(), _superscripts(match[1])))
    for match in _TAG.finditer(text):
        name = match[1].lower()
        if name not in _INLINE | _BLOCK or _TEXT_ATTRIBUTE.search(match[2]):
            continue
        edits.append((*match.span(), "\n" if name in _BLOCK else ""))
    yield from apart(edits)


def links(text: str) -> Iterator[Edit]:
    """Yield links as their text and addresses as nothing."""
    edits = list[Edit]()
    if "](" in text:
        edits += [edit for match in _LINK.finditer(text) for edit in _without_target(match)]
    if "://" in text or "www." in text:
        edits += [
            (*match.span(), "") for match in _ADDRESS.finditer(text) if _is_plain(text, match)
        ]
    yield from apart(edits)


def emphasis(text: str) -> Iterator[Edit]:
    """Yield the edits that remove the marks around a lone figure: "**300** m" is "300 m"."""
    if "*" not in text and "`" not in text and "_" not in text:
        return
    for match in _EMPHASIS.finditer(text):
        yield match.start(1), match.end(1), ""
        yield match.end(2), match.end(), ""


def _without_target(match: re.Match[str]) -> Iterator[Edit]:
    start, end = match.span("text")
    yield match.start(), start, ""
    yield end, match.end(), ""


def _is_plain(text: str, match: re.Match[str]) -> bool:
    """Return whether an address stands behind other words and is not itself a sentence."""
    line = text.rfind("\n", 0, match.start()) + 1
    words = _ADDRESS_WORD.findall(match[0].partition("://")[2])
    return (
        bool(_ADDRESS_WORD.search(text, line, match.start())) and len(words) <= _MOST_ADDRESS_WORDS
    )


def _superscripts(digits: str) -> str:
    return "".join(
        SUPERSCRIPTS[int(char)] for char in digits if char.isdecimal() and char.isascii()
    )
