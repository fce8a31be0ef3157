"""Citation marks in a text, with code-point offsets: `[1]`, `[2, 3]`, `[4-6]`, `[Source 7]`,
`(Passage 8)`.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass

from lib.text.blocks import BlockKind, blocks

Span = tuple[int, int]
_MOST_IN_RANGE = 50
# At most three digits: `[2024]` is a year. The repetition is bounded, so nothing backtracks far.
_NAME = r"(?:sources?|documents?|docs?|passages?|refs?)\.?:?\s?#?"
_NUMBERS = rf"\d{{1,3}}(?:\s?(?:[-–—,;&]|and)\s?(?:{_NAME})?\d{{1,3}}){{0,40}}"
# Round brackets cite only where they name a source: "(3)" is anything.
_MARK = re.compile(
    rf"\[(?:{_NAME})?({_NUMBERS})\](?!\()|\((?:{_NAME})({_NUMBERS})\)", re.IGNORECASE
)
_SAID_BY = re.compile(
    r"\b(?:according to|as (?:stated|said|written|described|explained) (?:in|by)|based on|per) "
    r"(?:the )?(?:source|document|doc|passage) #?(\d{1,3})\b"
    r"|(?<![^\n.!?\s])(?:source|document|passage) #?(\d{1,3}) "
    r"(?:states|says|mentions|explains|notes|confirms|reports|shows|indicates|adds)\b",
    re.IGNORECASE,
)
"""A source that is named before what it is cited for."""
_NAMED = ("source", "doc", "passage")
_PART = re.compile(r"(\d+)(?:\s?[-–—]\s?(\d+))?")
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_BULLET = re.compile(r"[ \t]*(?:[-*•+][ \t]+)?")
_LIST_TITLES = frozenset(
    (
        "source", "sources", "reference", "references", "citations", "bibliography",
        "works cited", "sources used",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation mark: code points [start, end), and the 1-based numbers it names, in order.

    `leads` says that it stands before what it is cited for: "According to source 2, …".
    """

    start: int
    end: int
    numbers: tuple[int, ...]
    leads: bool = False


def marks(text: str) -> tuple[Mark, ...]:
    """The citation marks of a text in order; those in code and those that are links left out."""
    if "[" not in text and "(" not in text:
        return ()
    candidates = [
        _mark(match) for match in _MARK.finditer(text) if not _is_index(text, match.start())
    ]
    barred = _code(text) if candidates else []
    return tuple(mark for mark in candidates if mark.numbers and not _inside(mark.start, barred))


def leading_marks(text: str) -> tuple[Mark, ...]:
    """The sources that a text names before what it cites them for, as marks that lead."""
    folded = text.casefold()
    if not any(word in folded for word in _NAMED):
        return ()
    return tuple(
        Mark(*match.span(), (int(match[1] or match[2]),), leads=True)
        for match in _SAID_BY.finditer(text)
    )


def is_labelled(text: str, number: int) -> bool:
    """Whether a text holds a passage of that number: "[3] …", "Passage 3: …"."""
    return bool(re.search(rf"\[{number}\]|\b{_NAME}{number}\b", text, re.IGNORECASE))


def reference_entries(text: str) -> tuple[Span, ...]:
    """The lines `[1] handbook.pdf, chunk 3` below a line "Sources:", without their line ends.

    They list what is cited and claim nothing.
    """
    if "[" not in text:
        return ()
    entries, listing, at = list[Span](), False, 0
    for line in text.splitlines(keepends=True):
        body = line.rstrip()
        title, _, rest = body.partition(":")
        titled = title.strip("#*_ \t").lower() in _LIST_TITLES
        if (listing and _opens_with_mark(body)) or (titled and _opens_with_mark(rest.lstrip("*_"))):
            entries.append((at, at + len(body)))
        elif body:
            listing = titled and not rest.strip("*_ \t")
        at += len(line)
    return tuple(entries)


def is_list_title(line: str) -> bool:
    """Whether a line is the title of a list of references: "Sources", "Works cited"."""
    return line.strip("#*_: \t").lower() in _LIST_TITLES


def _opens_with_mark(line: str) -> bool:
    bullet = _BULLET.match(line)
    return bool(_MARK.match(line, bullet.end() if bullet else 0))


def _mark(match: re.Match[str]) -> Mark:
    numbers: dict[int, None] = {}
    for first, last in _PART.findall(match[1] or match[2]):
        low, high = int(first), int(last or first)
        if low == 0:  # An index or an interval: citations count from one.
            return Mark(*match.span(), ())
        if low <= high < low + _MOST_IN_RANGE:
            numbers |= dict.fromkeys(range(low, high + 1))
    return Mark(*match.span(), tuple(numbers))


def _is_index(text: str, at: int) -> bool:
    """`x[3]` and `row_2[1]` are code; "in 2018[1]" and "Oslo[1]" are citations."""
    head = at
    while head and (text[head - 1].isalnum() or text[head - 1] == "_"):
        head -= 1
    word = text[head:at]
    return "_" in word or (len(word) == 1 and word.isalpha())


def _code(text: str) -> list[Span]:
    """Code blocks and inline code, in order of their beginnings."""
    if "`" not in text and "~~~" not in text:
        return []
    spans = [(block.start, block.end) for block in blocks(text) if block.kind is BlockKind.CODE]
    return sorted(spans + [match.span() for match in _INLINE_CODE.finditer(text)])


def _inside(at: int, spans: list[Span]) -> bool:
    index = bisect_right(spans, at, key=lambda span: span[0]) - 1
    return index >= 0 and at < spans[index][1]
