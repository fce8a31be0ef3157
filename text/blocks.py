"""A text as blocks: paragraphs, headings, list items, table rows, code. Linear, no regex."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

Line = tuple[int, int]
_BULLETS = "-*+•‣◦▪–—·●○"
_WRAP_COLUMNS = 60
"""A line at least this long without end punctuation was probably wrapped."""


class BlockKind(StrEnum):
    PROSE = "prose"
    HEADING = "heading"
    ITEM = "item"
    ROW = "row"
    TABLE_HEAD = "table_head"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Block:
    """Code points [start, end) of one block, its list marker or heading sign left out."""

    start: int
    end: int
    kind: BlockKind


def blocks(text: str) -> list[Block]:
    """The blocks of a text in order; blank lines and rules between them are left out."""
    if "\n" not in text and "\r" not in text:
        one = _classify(text, 0, len(text))
        return [one] if one else []
    found: list[Block] = []
    fenced, broken = False, True
    for start, end in _lines(text):
        line = text[start:end].strip()
        if line.startswith(("```", "~~~")):
            fenced, broken = not fenced, True
        elif fenced:
            found.append(Block(start, end, BlockKind.CODE))
        elif not line or _is_rule(line):
            broken = _close(found, line, broken)
        else:
            broken = _add(found, text, start, end, broken)
    return found


def _add(found: list[Block], text: str, start: int, end: int, broken: bool) -> bool:
    """Append the line as a block of its own or join it to the one it was wrapped from."""
    block = _classify(text, start, end)
    if block is None:
        return True
    if not broken and block.kind is BlockKind.PROSE and _wrapped(text, found, block):
        found[-1] = Block(found[-1].start, block.end, found[-1].kind)
    else:
        found.append(block)
    return False


def _close(found: list[Block], line: str, broken: bool) -> bool:
    """A rule below a line makes that line a heading or a table's head."""
    if line and found and not broken:
        last = found[-1]
        if last.kind is BlockKind.ROW:
            found[-1] = Block(last.start, last.end, BlockKind.TABLE_HEAD)
        elif last.kind is BlockKind.PROSE and line[0] in "=-":
            found[-1] = Block(last.start, last.end, BlockKind.HEADING)
    return True


def _lines(text: str) -> Iterator[Line]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, at + len(line)
        at += len(line)


def _is_rule(line: str) -> bool:
    """True for `---`, `===`, `|---|:--|` and their kin."""
    return len(line) > 2 and not line.strip("-=|: \t*_+")


def _classify(text: str, start: int, end: int) -> Block | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return None
    if text[start] == "#":
        return _heading(text, start, end)
    if text[start] == "|" and text.find("|", start + 1, end) > 0:
        return Block(start, end, BlockKind.ROW)
    if text[start] == ">":
        return _classify(text, start + _run(text, start, end, ">"), end)
    marker = _marker(text, start, end)
    if marker:
        return _after_marker(text, start + marker, end)
    return Block(start, end, BlockKind.PROSE)


def _run(text: str, start: int, end: int, chars: str) -> int:
    at = start
    while at < end and text[at] in chars:
        at += 1
    return at - start


def _heading(text: str, start: int, end: int) -> Block | None:
    body = start + _run(text, start, end, "#")
    if body - start > 6 or (body < end and not text[body].isspace()):
        return Block(start, end, BlockKind.PROSE)
    body += _run(text, body, end, " \t")
    return Block(body, end, BlockKind.HEADING) if body < end else None


def _after_marker(text: str, start: int, end: int) -> Block | None:
    start += _run(text, start, end, " \t")
    return Block(start, end, BlockKind.ITEM) if start < end else None


def _marker(text: str, start: int, end: int) -> int:
    """Length of a list marker (`- `, `• `, `12. `, `a) `) at start, 0 where there is none."""
    if text[start] in _BULLETS:
        spaced = start + 1 < end and text[start + 1] in " \t"
        return 1 if spaced or text[start] in "•‣◦▪●○" else 0
    head = start
    while head < end and head - start < 4 and text[head].isdigit():
        head += 1
    if head == start and text[start].isalpha() and text[start].isascii():
        head += 1
    if head == start or head + 1 >= end or text[head] not in ".)" or text[head + 1] not in " \t":
        return 0
    # "A. Smith" is a name: a letter counts only with a bracket, or in lower case.
    if text[start].isalpha() and text[head] == "." and text[start].isupper():
        return 0
    return head + 1 - start


def _wrapped(text: str, found: list[Block], block: Block) -> bool:
    """True where the line goes on from the one before it rather than beginning anew."""
    last = found[-1]
    if last.kind not in (BlockKind.PROSE, BlockKind.ITEM) or text[last.end - 1] in ".!?:;。！？…|":
        return False
    begun = text.rfind("\n", last.start, last.end) + 1 or last.start
    return text[block.start].islower() or last.end - begun >= _WRAP_COLUMNS
