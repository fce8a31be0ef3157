"""Splits a text into blocks: paragraphs, headings, list items, table rows, code. Linear.

Lines that were wrapped at a column (mails, texts of PDFs) are read as one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from lib.text.words import word_set

Line = tuple[int, int]
_HEADING = re.compile(r"#{1,6}(?=\s|$)[ \t]*")
_MARKER = re.compile(
    '(?:[•‣◦▪●○]|[-*+–—·→►»✓✔✅\uf0a7\uf0b7](?=[ \t])|o(?=[ \t]+[A-Z\\d"“])'
    r"|(?:\d{1,4}|[a-z])[.)](?=[ \t])|[A-Z]\)(?=[ \t]))[ \t]*"
)
"""Of an item: "- ", "• ", "12. ", "a) ", and the circle that word processors write as "o ".

"A. Smith" is a name: a capital letter counts only with a bracket.
"""
_LONGEST_WORD = 12
_OPEN_ENDS = word_set(
    "a an the is are was were be has have in on at by for from of to with within after before "
    "since until under over about per"
)
"""A line that ends with such a word goes on with the figure in the next one."""
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_WRAP_COLUMNS = 60
"""A line at least this long without end punctuation was probably wrapped."""
_LEAST_WRAPPED = 30
"""Columns of the longest line of a paragraph that was wrapped."""
_WIDE_LINE = re.compile(rf"[^\n]{{{_LEAST_WRAPPED}}}\n")
_SENTENCE_ENDS = ".!?:;。！？…|"
HYPHENS = "-\xad\u2010"
_DATA = re.compile(r"[\w-]+[:=]\s|<")


class BlockKind(StrEnum):
    PROSE = "prose"
    HEADING = "heading"
    ITEM = "item"
    ROW = "row"
    TABLE_HEAD = "table_head"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Block:
    """Code points [start, end) of one block, without its list marker or heading sign."""

    start: int
    end: int
    kind: BlockKind


def blocks(text: str) -> list[Block]:
    """Return the blocks of a text in order, without the blank lines and rules between them."""
    if "\n" not in text and "\r" not in text:
        block = _classify(text, 0, len(text))
        return [block] if block else []
    blocks: list[Block] = []
    fenced, starts_anew = False, True
    end = 0
    for whole in text.splitlines(keepends=True):
        start, end, line = end, end + len(whole), whole.strip()
        if line.startswith(("```", "~~~")):
            fenced, starts_anew = not fenced, True
            continue
        if fenced:
            blocks.append(Block(start, end, BlockKind.CODE))
            continue
        last = blocks[-1] if blocks and not starts_anew else None
        is_rule = len(line) > 2 and not line.strip("-=|: \t*_+")
        block = None if is_rule else _classify(text, start, end)
        if is_rule and last:
            blocks[-1] = _above_rule(last, line)
        elif block and last and block.kind is BlockKind.PROSE and _goes_on(text, last, block):
            blocks[-1] = replace(last, end=block.end)
        elif block:
            blocks.append(block)
        starts_anew = block is None
    return blocks


def code(text: str) -> list[Line]:
    """Return the spans of code blocks and inline code, in order of their beginnings."""
    if "`" not in text and "~~~" not in text:
        return []
    spans = [(block.start, block.end) for block in blocks(text) if block.kind is BlockKind.CODE]
    return sorted(spans + [match.span() for match in _INLINE_CODE.finditer(text)])


def unwrapped(text: str) -> str:
    """Return the text with the ends of wrapped lines as spaces; every character keeps its place.

    Lines were wrapped at a column if none but the last had room for the next word, and a sentence
    goes on in small letters on another line.
    """
    if not _WIDE_LINE.search(text):
        return text
    parts, position = list[str](), 0
    for start, end in _wrapped_ends(text):
        parts += (text[position:start], " " * (end - start))
        position = end
    return "".join((*parts, text[position:]))


def _wrapped_ends(text: str) -> Iterator[Line]:
    """Yield the ends of wrapped lines, each with what stands before the words of the next."""
    paragraph, fenced, at = list[Line](), False, 0
    for whole in text.splitlines(keepends=True):
        start, end = _skip_quotes(text, at, at + len(whole)), at + len(whole.rstrip())
        at += len(whole)
        fence = text.startswith(("```", "~~~"), start)
        fenced ^= fence
        if fenced or fence or start >= end:
            yield from _ends_of(text, paragraph)
            paragraph = []
        else:
            paragraph.append((start, end))
    yield from _ends_of(text, paragraph)


def _ends_of(text: str, lines: list[Line]) -> Iterator[Line]:
    width = max((end - start for start, end in lines), default=0)
    if width < _LEAST_WRAPPED:
        return
    ends, goes_on = list[Line](), False
    for (start, end), (after, stop) in pairwise(lines):
        block = _classify(text, after, stop)
        if block is None or block.kind is not BlockKind.PROSE or _DATA.match(text, after, stop):
            continue
        ends_open = text[end - 1] not in f"{_SENTENCE_ENDS}>"
        word = text.find(" ", after, stop)
        if end - start + 1 + (word if word >= 0 else stop) - after > width:
            # Behind a hyphen the word may go on.
            ends += [] if text[end - 1] in HYPHENS else [(end, after)]
            goes_on |= ends_open and (text[after].islower() or end - start >= _WRAP_COLUMNS)
        elif ends_open:
            yield from ends if goes_on else ()
            ends, goes_on = [], False
    yield from ends if goes_on else ()


def _above_rule(block: Block, rule: str) -> Block:
    """Return the line above a rule (`---`, `===`, `|---|:--|`) as a heading or a table's head."""
    if block.kind is BlockKind.ROW:
        return replace(block, kind=BlockKind.TABLE_HEAD)
    is_heading = block.kind is BlockKind.PROSE and rule[0] in "=-"
    return replace(block, kind=BlockKind.HEADING) if is_heading else block


def _classify(text: str, start: int, end: int) -> Block | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return None
    if text[start] == ">":
        return _classify(text, _skip_quotes(text, start, end), end)
    if text[start] == "|" and text.find("|", start + 1, end) > 0:
        return Block(start, end, BlockKind.ROW)
    sign = _HEADING.match(text, start, end) or _MARKER.match(text, start, end)
    if sign is None:
        return Block(start, end, BlockKind.PROSE)
    kind = BlockKind.HEADING if text[start] == "#" else BlockKind.ITEM
    return Block(sign.end(), end, kind) if sign.end() < end else None


def _skip_quotes(text: str, start: int, end: int) -> int:
    while start < end and text[start] in "> \t":
        start += 1
    return start


def _goes_on(text: str, last: Block, block: Block) -> bool:
    """Return whether a line belongs to the sentence before it: in small letters, or its figure."""
    if last.kind not in (BlockKind.PROSE, BlockKind.ITEM) or text[last.end - 1] in _SENTENCE_ENDS:
        return False
    if not text[block.start].isdigit():
        return text[block.start].islower()
    words = text[max(last.start, last.end - _LONGEST_WORD) : last.end].split()
    return bool(words) and words[-1].lower() in _OPEN_ENDS
