"""An answer as blocks and sentences with their claims: what is removed with claims.

A sentence is removed with its last claim, a block with its last sentence, a lead-in with its list,
a table's head with its rows, a heading with its section. The surrounding blank lines are closed.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from analysis.engine.response.edits import Edit, Span
from lib.text.blocks import Block, BlockKind, blocks
from lib.text.sentences import sentences

_CLOSERS = "*_`\"”'’»)"
_NO_LEVEL = 7


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence [start, end) without surrounding space, its block, and its claims' indices."""

    start: int
    end: int
    block: int
    claims: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The blocks of an answer and the sentences of each, in order.

    `lines` are the answer's lines without their ends; `stray` are the indices of claims that cross
    a sentence's border.
    """

    answer: str
    lines: tuple[Span, ...]
    blocks: tuple[Block, ...]
    passages: tuple[tuple[AnswerSentence, ...], ...]
    stray: frozenset[int]


def lay_out(answer: str, spans: Sequence[Span]) -> Layout:
    """Assign every claim to its sentence; `spans` are ascending."""
    answer_blocks = tuple(blocks(answer))
    starts, firsts = [block.start for block in answer_blocks], [span[0] for span in spans]
    rows: list[list[AnswerSentence]] = [[] for _ in answer_blocks]
    stray = set[int]()
    for sentence in sentences(answer):
        start, end = _strip(answer, sentence.start, sentence.end)
        if start == end:
            continue
        inside = range(bisect_left(firsts, start), bisect_left(firsts, end))
        stray |= {at for at in inside if spans[at][1] > end}
        block = bisect_right(starts, start) - 1
        rows[block].append(AnswerSentence(start, end, block, tuple(inside)))
    return Layout(answer, _lines(answer), answer_blocks, tuple(map(tuple, rows)), frozenset(stray))


def cut_whole(
    layout: Layout, removed: frozenset[int], *, bare: bool = False
) -> tuple[list[Edit], frozenset[int]]:
    """Return the edits that remove sentences without remaining claims, and what depends on them.

    Also returns the claims that must stay because something nested below them stays. `bare` also
    removes sentences without claims ("Sure!"), except those that introduce others.
    """
    lost_rows = [_removed_sentences(layout, row, removed, bare) for row in layout.passages]
    empty = _empty_blocks(layout, lost_rows)
    with_children = _with_children(layout, empty)
    stuck = {
        claim for at in with_children for passage in layout.passages[at] for claim in passage.claims
    }
    edits = list(_cut_blocks(layout, empty))
    for at, row in enumerate(layout.passages):
        if at not in empty:
            edits += _cut_sentences(row, lost_rows[at])
    return edits, frozenset(stuck)


def _removed_sentences(
    layout: Layout, row: Sequence[AnswerSentence], removed: frozenset[int], bare: bool
) -> list[bool]:
    """Return for each sentence of a block whether it is removed.

    A remark in brackets is removed with what it comments on, a title with all that follows it.
    """
    lost_row = [
        removed.issuperset(passage.claims) if passage.claims else bare and _is_bare(layout, passage)
        for passage in row
    ]
    texts = [
        "" if passage.claims else layout.answer[passage.start : passage.end] for passage in row
    ]
    for at in range(1, len(row)):
        lost_row[at] |= (
            lost_row[at - 1] and texts[at].startswith(("(", "[")) and texts[at][-1] in ")].:"
        )
    for at in range(len(row) - 2, -1, -1):
        lost_row[at] |= _announces(texts[at]) and all(lost_row[at + 1 :])
    return lost_row


def _is_bare(layout: Layout, passage: AnswerSentence) -> bool:
    """Return whether a sentence of prose or of a list claims and introduces nothing."""
    plain = layout.blocks[passage.block].kind in (BlockKind.PROSE, BlockKind.ITEM)
    return plain and not _announces(layout.answer[passage.start : passage.end])


def _empty_blocks(layout: Layout, lost_rows: list[list[bool]]) -> set[int]:
    """Return the blocks without any rest; marks dependent lead-ins in `lost_rows`."""
    empty = {at for at, row in enumerate(lost_rows) if row and all(row)}
    next_block = len(layout.blocks)  # the first block below that stays
    for at in range(len(layout.blocks) - 1, -1, -1):
        row = layout.passages[at]
        if at + 1 < next_block and row and not row[-1].claims and _goes_too(layout, at, next_block):
            lost_rows[at][-1] = True
            if all(lost_rows[at]):
                empty.add(at)
        if at not in empty:
            next_block = at
    return empty


def _goes_too(layout: Layout, at: int, next_block: int) -> bool:
    """Return whether a block only introduces the removed blocks up to `next_block`."""
    block, last = layout.blocks[at], layout.passages[at][-1]
    text = layout.answer[last.start : last.end]
    if block.kind is BlockKind.TABLE_HEAD:
        return (
            next_block == len(layout.blocks) or layout.blocks[next_block].kind is not BlockKind.ROW
        )
    if block.kind is BlockKind.HEADING or _is_bold(text):
        return next_block == len(layout.blocks) or _level(layout, next_block) <= _level(layout, at)
    return _ends_with_colon(text) and _announced(layout, at + 1) <= next_block


def _announced(layout: Layout, at: int) -> int:
    """Return the end of what follows a colon: one list, one table, or one paragraph."""
    kind = layout.blocks[at].kind
    if kind is BlockKind.TABLE_HEAD:
        return _end_of(layout, at + 1, BlockKind.ROW)
    return _end_of(layout, at, kind) if kind in (BlockKind.ITEM, BlockKind.ROW) else at + 1


def _end_of(layout: Layout, at: int, kind: BlockKind) -> int:
    while at < len(layout.blocks) and layout.blocks[at].kind is kind:
        at += 1
    return at


def _level(layout: Layout, at: int) -> int:
    """Return 1 to 6 by a heading's number signs, 7 for a bold title, 8 for text."""
    block, answer = layout.blocks[at], layout.answer
    if block.kind is BlockKind.HEADING:
        signs = answer[_line(layout, block.start)[0] : block.start].count("#")
        return signs or 1
    return _NO_LEVEL if _is_bold(answer[block.start : block.end]) else _NO_LEVEL + 1


def _is_bold(text: str) -> bool:
    return len(text) > 4 and text.startswith("**") and text.rstrip(":").endswith("**")


def _ends_with_colon(text: str) -> bool:
    return text.rstrip(_CLOSERS).endswith((":", "："))


def _announces(text: str) -> bool:
    return _is_bold(text) or _ends_with_colon(text)


def _with_children(layout: Layout, empty: set[int]) -> list[int]:
    """Return empty list items with remaining children, which would otherwise move elsewhere."""
    children = []
    for at in sorted(empty):
        if layout.blocks[at].kind is not BlockKind.ITEM:
            continue
        indent = _indent(layout, at)
        for below in range(at + 1, len(layout.blocks)):
            if _indent(layout, below) <= indent:
                break
            if below not in empty:
                children.append(at)
                break
    return children


def _indent(layout: Layout, at: int) -> int:
    block = layout.blocks[at]
    line = layout.answer[_line(layout, block.start)[0] : block.start]
    return len(line) - len(line.lstrip(" \t"))


def _cut_blocks(layout: Layout, empty: set[int]) -> Iterator[Edit]:
    """Yield one edit for each run of empty blocks, keeping the larger of the spaces around it."""
    for is_empty, run in groupby(range(len(layout.blocks)), key=empty.__contains__):
        if not is_empty:
            continue
        places = list(run)
        first, last = places[0], places[-1]
        start = _line(layout, layout.blocks[first].start)[0]
        end = _line(layout, layout.blocks[last].end)[1]
        before = _line(layout, layout.blocks[first - 1].end)[1] if first else None
        is_last = last + 1 == len(layout.blocks)
        after = None if is_last else _line(layout, layout.blocks[last + 1].start)[0]
        yield Edit(*_with_space(layout.answer, start, end, before, after))


def _with_space(answer: str, start: int, end: int, before: int | None, after: int | None) -> Span:
    """Return the cut with the space on one side. A rule or fence, which is no space, stays."""
    if before is None:
        return start, (end if after is None else after)
    if after is None:
        return before, end
    above, below = answer[before:start], answer[end:after]
    if below.strip():
        return (start, end) if above.strip() else (before, end)
    return (start, after) if above.strip() or len(above) >= len(below) else (before, end)


def _cut_sentences(row: Sequence[AnswerSentence], lost_row: list[bool]) -> Iterator[Edit]:
    """Yield one edit for each run of removed sentences in a block that keeps others."""
    for is_lost, run in groupby(range(len(row)), key=lost_row.__getitem__):
        if not is_lost:
            continue
        places = list(run)
        first, last = places[0], places[-1]
        if first:
            yield Edit(row[first - 1].end, row[last].end)
        else:
            yield Edit(row[first].start, row[last + 1].start)


def _strip(answer: str, start: int, end: int) -> Span:
    while start < end and answer[start].isspace():
        start += 1
    while end > start and answer[end - 1].isspace():
        end -= 1
    return start, end


def _lines(answer: str) -> tuple[Span, ...]:
    spans, at = list[Span](), 0
    for line in answer.splitlines(keepends=True):
        spans.append((at, at + len(line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"))))
        at += len(line)
    return tuple(spans)


def _line(layout: Layout, at: int) -> Span:
    """Return the line that contains a position, or ends there."""
    return layout.lines[bisect_right(layout.lines, at, key=lambda line: line[0]) - 1]
