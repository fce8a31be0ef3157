"""Cuts claims out of an answer so that the rest still reads well. Positions are code points.

An answer is laid out as blocks and sentences with their claims. A sentence is removed with its last
claim, a block with its last sentence, a lead-in with its list, a table's head with its rows, a
heading with its section. The surrounding blank lines are closed.

Clauses are removed from a sentence if the rest is still one. If small rules cannot do that (an
auxiliary that two verbs share, "not only … but", a subordinate clause, an open bracket), they say
so, and the caller inserts a warning instead.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, groupby, pairwise

from msgspec import Struct

from analysis.engine.types import Claim
from lib.text.blocks import Block, BlockKind, blocks, unwrapped
from lib.text.citations import Mark
from lib.text.sentences import sentences
from lib.text.tokens import tokenize
from lib.text.verbs import has_finite_verb
from lib.text.words import AUXILIARIES, DETERMINERS, SUBJECT_PRONOUNS, word_set

Span = tuple[int, int]


class Edit(Struct, frozen=True, gc=False):
    """A replacement of code points [start, end) by `text`; an insertion if start is end."""

    start: int
    end: int
    text: str = ""


def stands_in(place: Span, spans: Sequence[Span]) -> bool:
    """Return whether a place lies in one of the spans, which are in order, or at its border."""
    at = bisect_right(spans, place[1], key=lambda span: span[0]) - 1
    return at >= 0 and spans[at][1] >= place[0]


def is_inside(place: Edit | Claim, edits: Iterable[Edit]) -> bool:
    """Return whether one of the edits replaces or removes the whole place."""
    return any(edit.start <= place.start and place.end <= edit.end for edit in edits)


def in_order(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits by position, insertions in given order. Raises ValueError on overlap."""
    in_place = sorted(edits, key=_place)
    for first, second in pairwise(in_place):
        if second.start < first.end:
            raise ValueError(f"two edits overlap at {second.start}")
    return in_place


def without_overlaps(first: Sequence[Edit], further: Iterable[Edit]) -> list[Edit]:
    """Return `first`, and further edits that touch nothing that `first` changes."""
    ordered = in_order(first)
    starts = [edit.start for edit in ordered]

    def touched(edit: Edit) -> bool:
        last = bisect_left(starts, edit.end) - 1
        return last >= 0 and ordered[last].end > edit.start

    return [*first, *(edit for edit in further if not touched(edit))]


def clipped(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits in order, each beginning no earlier than the previous one ends."""
    result, reached = list[Edit](), 0
    for edit in sorted(edits, key=_place):
        start = max(edit.start, reached)
        result.append(Edit(start, max(start, edit.end), edit.text))
        reached = result[-1].end
    return result


def united(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits in order, overlapping ones merged to remove what any of them removes."""
    result = list[Edit]()
    for edit in sorted(edits, key=_place):
        if result and edit.start < result[-1].end:
            last = result.pop()
            edit = Edit(last.start, max(last.end, edit.end), last.text + edit.text)
        result.append(edit)
    return result


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with all edits applied. Raises ValueError on overlap."""
    parts, at = list[str](), 0
    for edit in in_order(edits):
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join(parts) + text[at:]


def move_spans(spans: Iterable[Span], edits: Iterable[Edit]) -> list[Span]:
    """Return the new positions of spans of the old text.

    Insertions at a span's border stay outside it.
    """
    ordered = in_order(edits)
    places = list(map(_place, ordered))
    grown = [len(edit.text) - (edit.end - edit.start) for edit in ordered]
    shifts = [0, *accumulate(grown)]
    return [
        (
            start + shifts[bisect_right(places, (start, start))],
            end + shifts[bisect_left(places, (end, end))],
        )
        for start, end in spans
    ]


def _place(edit: Edit) -> Span:
    return edit.start, edit.end


CLOSERS = "*_`\"”'’»)"
"""Marks that may close what stands before them."""
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

    def sentences(self) -> Iterator[AnswerSentence]:
        return chain.from_iterable(self.passages)


def lay_out(answer: str, spans: Sequence[Span]) -> Layout:
    """Assign every claim to its sentence; `spans` are ascending."""
    answer_blocks = tuple(blocks(unwrapped(answer)))
    starts, firsts = [block.start for block in answer_blocks], [span[0] for span in spans]
    rows: list[list[AnswerSentence]] = [[] for _ in answer_blocks]
    stray = set[int]()
    for sentence in sentences(answer):
        text = answer[sentence.start : sentence.end]
        start = sentence.start + len(text) - len(text.lstrip())
        end = start + len(text.strip())
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
        is_remark = texts[at].startswith(("(", "[")) and texts[at].endswith(tuple(")].:"))
        lost_row[at] |= lost_row[at - 1] and is_remark
    for at in range(len(row) - 2, -1, -1):
        lost_row[at] |= _announces(texts[at]) and all(lost_row[at + 1 :])
    return lost_row


def _is_bare(layout: Layout, passage: AnswerSentence) -> bool:
    """Return whether a sentence of prose or of a list claims and introduces nothing."""
    plain = layout.blocks[passage.block].kind in (BlockKind.PROSE, BlockKind.ITEM)
    return plain and not _announces(layout.answer[passage.start : passage.end])


def _empty_blocks(layout: Layout, lost_rows: list[list[bool]]) -> set[int]:
    """Return the blocks of which nothing stays; mark dependent lead-ins in `lost_rows`."""
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
    kind = BlockKind.ROW if kind is BlockKind.TABLE_HEAD else kind
    at += 1
    if kind in (BlockKind.ITEM, BlockKind.ROW):
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
    return text.rstrip(CLOSERS).endswith((":", "："))


def _announces(text: str) -> bool:
    return _is_bold(text) or _ends_with_colon(text)


def _with_children(layout: Layout, empty: set[int]) -> list[int]:
    """Return empty list items with remaining children, which would otherwise move elsewhere."""
    parents = []
    for at in sorted(empty):
        end, indent = at + 1, _indent(layout, at)
        while end < len(layout.blocks) and _indent(layout, end) > indent:
            end += 1
        if layout.blocks[at].kind is BlockKind.ITEM and not empty.issuperset(range(at, end)):
            parents.append(at)
    return parents


def _indent(layout: Layout, at: int) -> int:
    block = layout.blocks[at]
    line = layout.answer[_line(layout, block.start)[0] : block.start]
    return len(line) - len(line.lstrip(" \t"))


def _runs(lost: Sequence[bool]) -> Iterator[Span]:
    """Yield the first and the last place of each run of what is lost."""
    for is_lost, run in groupby(range(len(lost)), key=lost.__getitem__):
        if is_lost:
            places = list(run)
            yield places[0], places[-1]


def _cut_blocks(layout: Layout, empty: set[int]) -> Iterator[Edit]:
    """Yield one edit for each run of empty blocks, keeping the larger of the spaces around it."""
    for first, last in _runs([at in empty for at in range(len(layout.blocks))]):
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
    for first, last in _runs(lost_row):
        if first:
            yield Edit(row[first - 1].end, row[last].end)
        else:
            yield Edit(row[first].start, row[last + 1].start)


def _lines(answer: str) -> tuple[Span, ...]:
    starts = accumulate(map(len, answer.splitlines(keepends=True)), initial=0)
    lines = zip(starts, answer.splitlines(), strict=False)
    return tuple((start, start + len(line)) for start, line in lines)


def _line(layout: Layout, at: int) -> Span:
    """Return the line that contains a position, or ends there."""
    return layout.lines[bisect_right(layout.lines, at, key=lambda line: line[0]) - 1]


_JOINT = re.compile(r"[\s,;—–-]*(?:\b(?:and|but|while|whereas|yet)\b)?[\s,]*", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_PAIRS = {"*": "*", "_": "_", '"': '"', "“": "”", "«": "»", "(": ")", "`": "`"}
_BRACKETS = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"))
_TWINS = ('"', "**", "`")
_SUBORDINATORS = word_set(
    "if when whenever although because since while after before unless whereas though once until "
    "as given"
)
_RELATIVES = word_set("who whom whose which that where when")
_SHARED = ("not only", "both", "either", "neither")


class Unit(Struct, frozen=True, gc=False):
    """A claim in its sentence: code points [start, end) with its marks; `subject` if carried."""

    start: int
    end: int
    subject: str


def units_of(
    answer: str, claims: Sequence[Claim], marks: Sequence[Sequence[Mark]]
) -> tuple[Unit, ...]:
    """Return each claim with the marks around it (`**…**`, quotes) and its own citations."""
    units = list[Unit]()
    for claim, own in zip(claims, marks, strict=True):
        start, end = claim.start, claim.end
        while start and end < len(answer) and _PAIRS.get(answer[start - 1]) == answer[end]:
            start, end = start - 1, end + 1
        for mark in own:
            if mark.start >= end and not answer[end : mark.start].strip(" "):
                end = mark.end
        units.append(Unit(start, end, claim.subject))
    return tuple(units)


def opens_with_pronoun(text: str) -> bool:
    """Return whether a clause begins with a pronoun ("It closed") and needs no repeated subject."""
    return _first_word(text) in SUBJECT_PRONOUNS


@dataclass(frozen=True, slots=True)
class _Parts:
    """The units of a sentence that begins at `start`; the indices of removed and replaced ones.

    Not all of them go.
    """

    answer: str
    start: int
    units: Sequence[Unit]
    removed: frozenset[int]
    replaced: frozenset[int]


def cut_sentence(
    answer: str,
    units: Sequence[Unit],
    sentence: AnswerSentence,
    removed: frozenset[int],
    replaced: frozenset[int] = frozenset(),
) -> list[Edit] | None:
    """Return the edits inside a sentence that loses some of its claims.

    `units`, `removed` and `replaced` are those of the answer. None if the sentence would not
    survive.
    """
    lost = removed.intersection(sentence.claims)
    if not lost or len(lost) == len(sentence.claims):
        return []
    first = sentence.claims[0]
    parts = _Parts(
        answer,
        sentence.start,
        [units[at] for at in sentence.claims],
        frozenset(at - first for at in lost),
        frozenset(at - first for at in replaced.intersection(sentence.claims)),
    )
    if _is_bound(parts):
        return None
    edits = list[Edit]()
    kept_units = [at for at in range(len(parts.units)) if at not in parts.removed]
    for before, after in pairwise([-1, *kept_units, len(parts.units)]):
        if after - before == 1:
            continue
        cut_edits = _cut_between(parts, before, after)
        if cut_edits is None:
            return None
        edits += cut_edits
    return edits


def are_joined(answer: str, before: Unit, after: Unit) -> bool:
    """Return whether only a joint separates two units: they share a sentence."""
    return bool(_JOINT.fullmatch(answer, before.end, after.start))


def subject_to_restore(answer: str, span: Span, unit: Unit) -> str | None:
    """Return what the unit needs in front if the code points of `span` are removed: "" for nothing.

    None if an auxiliary would be lost with the subject ("was closed and sold"), or only part of the
    subject is known ("locals who worked for the army are …").
    """
    text = answer[unit.start : unit.end]
    if not unit.subject or opens_with_pronoun(text):
        return ""
    match = re.compile(rf"(?<!\w){re.escape(unit.subject)}(?!\w)").search(answer, *span)
    if match is None:
        words = _WORD.finditer(answer, *span)
        match = next((word for word in words if word[0].lower() in SUBJECT_PRONOUNS), None)
    if match is None:
        return ""
    subject = match[0]
    if not _RELATIVES.isdisjoint(subject.lower().split()[-1:]):
        return None
    shared = _first_word(answer[match.end() : span[1]]) in AUXILIARIES
    return None if shared and _first_word(text) not in AUXILIARIES else subject


def _cut_between(parts: _Parts, before: int, after: int) -> list[Edit] | None:
    """Return the edits that remove what is between two units (or the sentence's ends)."""
    answer, units = parts.answer, parts.units
    if after == len(units):
        return [Edit(units[before].end, units[-1].end)]
    first = before + 1
    while first and first - 1 in parts.replaced:
        first -= 1
    span = (units[first].start, units[after - 1].end)
    subject = "" if after in parts.replaced else subject_to_restore(answer, span, units[after])
    if subject is None:
        return None
    if before < 0:
        opens = not _WORD.search(answer, parts.start, span[0]) and after not in parts.replaced
        word = _WORD.search(answer, span[0])
        capital = opens and word is not None and word[0][0].isupper()
        return _open(answer, span[0], units[after].start, subject, capital=capital)
    words = f"{_inside(subject)} " if subject else ""
    return [Edit(units[before].end, units[after].start, _joint(parts, before, after) + words)]


def _open(answer: str, start: int, following: int, subject: str, *, capital: bool) -> list[Edit]:
    """Return edits that begin the sentence with the unit at `following`, or with its subject."""
    if subject:
        words = subject[0].upper() + subject[1:] if capital else subject
        return [Edit(start, following, words + " ")]
    edits = [Edit(start, following)]
    word = _WORD.search(answer, following)
    if capital and word and len(word[0][0].upper()) == 1:
        edits.append(Edit(word.start(), word.start() + 1, word[0][0].upper()))
    return edits


def _joint(parts: _Parts, before: int, after: int) -> str:
    """Return the later of the two joints around a cut; a semicolon is stronger."""
    answer, units = parts.answer, parts.units
    first = answer[units[before].end : units[before + 1].start]
    last = answer[units[after - 1].end : units[after].start]
    return first if ";" in first and ";" not in last else last


def _is_bound(parts: _Parts) -> bool:
    """Return whether the sentence's parts are connected by more than a joint."""
    removed, units = parts.removed, parts.units
    texts = [parts.answer[unit.start : unit.end] for unit in units]
    for at in range(1, len(units)):
        touched = at in removed or at - 1 in removed
        joined = are_joined(parts.answer, units[at - 1], units[at])
        if touched and (not joined or _ends_in_list(texts[at - 1])):
            return True
    if any(_first_word(text) in _SUBORDINATORS and "," not in text for text in texts):
        return True
    if any(not _balanced(texts[at]) for at in removed):
        return True
    others = (texts[at].lower() for at in range(max(removed)) if at not in removed)
    return any(phrase in text for text in others for phrase in _SHARED)


def _ends_in_list(text: str) -> bool:
    """Return whether a text ends in a list whose last item follows "and"."""
    _, comma, tail = text.rpartition(",")
    tokens = tokenize(tail)
    return bool(comma) and not has_finite_verb(tokens, 0, len(tokens))


def _balanced(text: str) -> bool:
    pairs = all(text.count(opening) == text.count(closing) for opening, closing in _BRACKETS)
    return pairs and all(text.count(twin) % 2 == 0 for twin in _TWINS)


def _first_word(text: str) -> str:
    word = _WORD.search(text)
    return word[0].lower().replace("’", "'") if word else ""


def _inside(subject: str) -> str:
    """Return the subject for mid-sentence: "The mill" becomes "the mill", a name stays."""
    first = _first_word(subject)
    lower = first in DETERMINERS or first in SUBJECT_PRONOUNS
    return subject[0].lower() + subject[1:] if lower else subject
