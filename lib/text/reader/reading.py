"""Reads a text into statements that stand by themselves: data as sentences, items with lead-in.

Answers and sources are read alike, so that judges and rules see the same statements.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lib.text.blocks import Block, BlockKind, blocks
from lib.text.decoded import Decoded, Edit, Span
from lib.text.markup import decode, rendered
from lib.text.reader.json_text import is_json, json_among, json_records, strict_json
from lib.text.reader.tables import BARS, html_tables, separated_rows
from lib.text.reader.values import Cell, DataLine, Lines, Value, add_record, spoken
from lib.text.sentences import Sentence
from lib.text.tokens import tokenize
from lib.text.verbs import BASE, finite_form, past_form, predicates
from lib.text.words import PREPOSITIONS, word_set

_PAIR = re.compile(
    r"([ \t]*)((?:[-*•][ \t]+)?)(?:\*\*|__)?([^\W\d][^:\n|`{}<>*=]{0,60}?)[ \t]*(?:\*\*|__)?"
    r"(?::(?:\*\*|__)?(?:[ \t]+(.*?))?"
    r"|[ \t]*(?:=|[–—→]|[-=]+>|\.{3,})[ \t]*([^\W_]{0,3}[€$£\"]?\d.*?)"
    r"|[ \t]+\((\d[^()]*)\))"
)
_INLINE = re.compile(r"([^\s:;,][^:;\n]{0,40}): +([^:;\n]{1,120}?)(?:; *|[.]?$)")
_SECTION = re.compile(r"\s*\[([^\[\]\n]{1,60})\]\s*")
_SCALAR = re.compile(r"-?\d[\d.,]*|true|false|null", re.IGNORECASE)
_MOST_KEY_WORDS, _MOST_VALUE_WORDS = 6, 6
_LEAST_INLINE = 2
_LEAST_BELOW = 2
"""Lines below a title."""
_LABEL_AND_VALUE = 2
_LINE = re.compile(r"[ \t]*(?:\d{1,2}[.)] |[-*•] |:[ \t]+)?[ \t]*(\S(?:[^\n]*\S)?)")
_FIGURE = re.compile(r"[^\w\s]{0,2}\d[\d.,]*(?: ?[^\W\d_]\w*| ?%){0,3}[.]?$")


def pairs(text: str, start: int, end: int, *, each: bool) -> list[list[Value]]:
    """Return the values of lines that are all "key: value", item by item; [] where one is not."""
    values, above = list[tuple[int, Value]](), list[tuple[int, str]]()
    at, item, items, is_plain = start, -1, 0, True
    title = _title(text, start, end)
    if title:
        above, at = [(-1, text[slice(*title)])], title[1] + 1
    for line in text[at:end].splitlines(keepends=True):
        match, line_start, at = _PAIR.fullmatch(line.rstrip()), at, at + len(line)
        section = _SECTION.fullmatch(line)
        if not line.strip():
            continue
        if section:
            above, item, is_plain = [(-1, section[1])], -1, False
            continue
        group = next((group for group in (4, 5, 6) if match and match[group]), 4)
        inline = _inline_of(text, match, line_start) if match and match[group] else []
        if inline:
            names = tuple(name for depth, name in above if depth < len(line) - len(line.lstrip()))
            values += [(-1, replace(value, above=(*names, *value.above))) for (value,) in inline]
            is_plain = False
            continue
        if match is None or not _is_pair(match[3], match[group] or ""):
            return []
        depth = len(match[1]) + len(match[2])
        if match[2]:
            item, items = items, items + 1
        elif not match[1]:
            item = -1
        above = [each for each in above if each[0] < depth]
        first, last = (offset + line_start for offset in match.span(3))
        is_plain &= "_" not in match[3] and not match[1] and bool(match[group])
        if match[group]:
            names = tuple(name for _, name in above)
            span = _unquoted(text, *(offset + line_start for offset in match.span(group)))
            values.append((item, Value(names, ((first, last),), (span,))))
        else:
            above.append((depth, spoken(text, ((first, last),))))
    if is_plain and len(values) == 1:
        # "refund days: 14" has a bare value, "The mill (1990)" has none.
        ((first, last),) = values[0][1].value
        if text[last : last + 1] == ")" or not _SCALAR.fullmatch(text, first, last):
            return []
    return [[value] for _, value in _owned(text, values)] if each else _by_item(values)


def _title(text: str, start: int, end: int) -> Span | None:
    """Return the line above pairs that says what they are: "Display codes, dishwasher"."""
    first = _LINE.match(text, start, end)
    if first is None or first[0] != first[1] or text.count("\n", start, end) < _LEAST_BELOW:
        return None
    is_pair = _PAIR.fullmatch(first[1]) or _SECTION.fullmatch(first[1])
    is_short = len(first[1].split()) <= _MOST_KEY_WORDS and first[1][-1] not in ".!?:;,|"
    return first.span(1) if is_short and not is_pair and first[1][:1].isalpha() else None


def labelled(text: str, start: int, end: int) -> list[list[Value]]:
    """Return a value on the line below its label: "Silver", "120 euros"; [] for other lines.

    A definition of Markdown has a colon before it and may be any words.
    """
    lines = [match.span(1) for match in _LINE.finditer(text, start, end)]
    if len(lines) != _LABEL_AND_VALUE:
        return []
    (label, value) = (text[slice(*line)] for line in lines)
    if not label[:1].isalpha() or len(label.split()) > _MOST_KEY_WORDS or label[-1] in ".!?:;,|":
        return []
    is_defined = text[lines[0][1] : lines[1][0]].strip() == ":"
    if not is_defined and not (len(value.split()) <= _MOST_VALUE_WORDS and _FIGURE.match(value)):
        return []
    return [[Value((), (lines[0],), (lines[1],))]]


def _owned(text: str, values: list[tuple[int, Value]]) -> list[tuple[int, Value]]:
    """Return the values with those of a list item below the first of them, which names it."""
    owned, item, name = list[tuple[int, Value]](), -1, ""
    if _is_one_thing(text, values):
        values = [(0, value) for _, value in values]
    for number, value in values:
        if number >= 0 and number == item:
            value = replace(value, above=(*value.above, name))
        elif number >= 0:
            ((start, end),) = value.value
            name = text[start:end]
        item = number
        owned.append((number, value))
    return owned


def inline_pairs(text: str, start: int, end: int) -> list[list[Value]]:
    """Return the values of "E3: door open; E4: no water", where the whole line is such pairs."""
    values, position = list[list[Value]](), start
    while match := _INLINE.match(text, position, end):
        values.append([Value((), (match.span(1),), (match.span(2),))])
        position = match.end()
    return values if position == end and len(values) >= _LEAST_INLINE else []


def _inline_of(text: str, match: re.Match[str], at: int) -> list[list[Value]]:
    """Return the values of a line "fee: 5; tax: 2", or "Fees: adults: 5; children: 2"."""
    start, end = match.start(3) + at, match.end() + at
    if ";" not in match[0]:
        return []
    behind = text.index(":", match.end(3) + at) if match[4] else 0
    if behind and (below := inline_pairs(text, match.start(4) + at, end)):
        name = spoken(text, ((start, match.end(3) + at),))
        return [[replace(value, above=(name,))] for (value,) in below]
    return inline_pairs(text, start, end)


def _by_item(values: list[tuple[int, Value]]) -> list[list[Value]]:
    records, last = list[list[Value]](), -1
    for item, value in values:
        if 0 <= item == last:
            records[-1].append(value)
        else:
            records.append([value])
        last = item
    return records


def _is_one_thing(text: str, values: list[tuple[int, Value]]) -> bool:
    """Return whether lines describe one thing that the first names: "room: Alder", "seats: 12"."""
    if len(values) < _LEAST_INLINE or any(item >= 0 or value.above for item, value in values):
        return False
    texts = [text[slice(*value.value[0])] for _, value in values]
    key = text[slice(*values[0][1].key[0])]
    is_name = texts[0][:1].isupper() and " " not in key and key == key.lower()
    return is_name and any(each[0].isdigit() or _SCALAR.fullmatch(each) for each in texts[1:])


def _unquoted(text: str, first: int, last: int) -> Span:
    quoted = last - first > 1 and text[first] == text[last - 1] and text[first] in "\"'"
    return (first + 1, last - 1) if quoted else (first, last)


def _is_pair(key: str, value: str) -> bool:
    """Return whether a line is a property and its value, unlike "Note: refunds take 14 days."."""
    short = len(key.split()) <= _MOST_KEY_WORDS and len(value.split()) <= _MOST_VALUE_WORDS
    return short and not value.endswith((".", "!", "?", ":", ";", "*", "_"))


_NEGATING = re.compile(
    r"\b(?:myths?|misconceptions?|mistakes?|errors|false|untrue|wrong|incorrect|fiction|lies|not|never"
    r"|no|none|without|exclu\w+|exceptions?|except|forget|disregard|ignore|cannot|neither"
    r"|avoid|forbidden|prohibited|banned)\b|n['’]ts?\b",
    re.IGNORECASE,
)
_DONTS = re.compile(r"don['’]?ts?", re.IGNORECASE)
_MOST_LEAD_WORDS, _MOST_HEAD_WORDS = 20, 10
_MOST_ITEM_WORDS = 12
_DEGREES = word_set("not never no longer also always currently strictly")
_STATES = word_set(
    "available exempt forbidden free unavailable bought built done found given held kept known "
    "left lost made paid sent shown sold taken"
)
_LISTS = {"exclusions": "excluded", "inclusions": "included", "exemptions": "exempt"}
"""Names of lists, and what is said of their items."""
_LABEL = re.compile(
    r"(?:^|(?<=[.!?] ))(?:\*\*|__)?([^\W\d][^:*_.!?\n]{2,60})(?:\*\*:|:\*\*|__:|:__|:)[ \t]+"
    r"([^.!?:;\n]{2,300})",
    re.MULTILINE,
)
_LISTING = word_set(
    "accepted allowed available covered excluded exempt forbidden free included insured needed "
    "offered permitted prohibited provided required sold supported"
)
"""Of what is behind "Closed:" or "Updated:" neither is said."""
_COMMA = re.compile(r",\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+")
_PLURAL = re.compile(r"^(?!\w+ing\b).*[^\Ws]s$", re.DOTALL)
_POINTING = word_set("following these this those below here are is were was")
_MARKS = "*_#:： \t"
_MOST_CARRIED = 20_000
"""Characters that are inserted into one text."""


def lead_ins(text: str) -> Iterator[Edit]:
    """Yield the words to insert before items of lists and what stands below a negating heading."""
    if not any(sign in text for sign in ":：#*_") and not _NEGATING.search(text):
        return
    head, lead, items, left = "", "", False, _MOST_CARRIED
    for block in blocks(text):
        words = text[block.start : block.end]
        name, ends_open = words.strip(_MARKS), words.rstrip("*_ ").endswith((":", "："))
        if block.kind is BlockKind.HEADING or _is_title(words, block):
            head = name if _negates(name) else ""
            lead, items = name if ends_open or _state(name) else "", False
            continue
        is_item = block.kind is BlockKind.ITEM
        if ends_open and not is_item:
            lead, items = name, False
            continue
        is_prose = block.kind is BlockKind.PROSE
        labels = list(_labelled_states(text, block.start, block.end)) if is_prose else []
        if labels:
            for edits in labels:
                left -= sum(len(words) for _, _, words in edits)
                yield from edits if left > 0 else ()
            # Its own label says what a heading would.
            lead, items = "", False
            continue
        if items and not is_item:
            lead = ""
        says_something = any(map(str.isalnum, words))
        carried = _carried(words, lead, head, is_item=is_item) if says_something else ""
        if carried and left > len(carried):
            left -= len(carried)
            yield _lead_in(block, words, carried)
        if not is_item:
            lead = ""
        items = is_item


def _lead_in(block: Block, words: str, carried: str) -> Edit:
    """Return the edit that gives a block the words above it that it needs."""
    is_item = block.kind is BlockKind.ITEM
    state = _state(carried) if is_item else ""
    if state and words[-1].isalnum() and not _has_predicate(words):
        # A name or a phrase, as "wear and tear", not "It rains.".
        return block.end - 1, block.end, f"{words[-1]}{_predicate(words, state)}"
    if is_item and _DONTS.fullmatch(carried):
        return block.start, block.start + 1, f"Do not {words[:1].lower()}"
    joint = " " if is_item and _goes_on(carried, words) else ": "
    return block.start, block.start, f"{carried}{joint}"


def _labelled_states(text: str, start: int, end: int) -> Iterator[list[Edit]]:
    """Yield the edits by which "Not included: tips, visas." says that tips are not included."""
    for match in _LABEL.finditer(text, start, end):
        state, (first, last) = _state(match[1]), match.span(2)
        if _LISTING.isdisjoint(state.split()) or _has_predicate(match[2]):
            continue
        edits: list[Edit] = [(match.start(), first, "")]
        for comma in _COMMA.finditer(text, first, last):
            words = f"{_predicate(text[first : comma.start()], state)}; "
            edits.append((comma.start(), comma.end(), words))
            first = comma.end()
        yield [*edits, (last, last, _predicate(text[first:last], state))]


def _has_predicate(words: str) -> bool:
    tokens = tokenize(words)
    return predicates(tokens, 0, len(tokens))


def _predicate(words: str, state: str) -> str:
    return f" {'are' if _PLURAL.search(words) else 'is'} {state}"


def _carried(words: str, lead: str, head: str, *, is_item: bool) -> str:
    """Return the words above a block that its statement needs: a lead-in or a negation."""
    if lead and len(lead.split()) <= _MOST_LEAD_WORDS:
        fragment = is_item and len(words.split()) <= _MOST_ITEM_WORDS and ":" not in words
        if (fragment and not words.endswith((".", "!", "?"))) or _negates(lead):
            return lead
    return head


def _goes_on(lead: str, words: str) -> bool:
    """Return whether an item ends the sentence of its lead-in: "The kiosk sells no", "maps"."""
    before = lead.lower().split()
    verb = any(word in BASE or finite_form(word) for word in before[1:])
    return verb and words[:1].islower() and _POINTING.isdisjoint(before)


def _state(lead: str) -> str:
    """Return what a lead-in says of its items, in small letters: "not covered"; else ""."""
    if state := _LISTS.get(lead.lower()):
        return state
    words = lead.lower().split()
    at = next((at for at, word in enumerate(words) if word not in _DEGREES), None)
    if at is None or len(words) > _MOST_HEAD_WORDS or words[-1] in PREPOSITIONS:
        return ""
    is_state = past_form(words[at]) or words[at] in _STATES
    is_whole = at + 1 == len(words) or words[at + 1] in PREPOSITIONS
    return " ".join(words) if is_state and is_whole else ""


def _negates(words: str) -> bool:
    return len(words.split()) <= _MOST_HEAD_WORDS and bool(_NEGATING.search(words))


def _is_title(words: str, block: Block) -> bool:
    bold = words.startswith(("**", "__")) and words.rstrip(":").endswith(("**", "__"))
    return bold and block.kind is BlockKind.PROSE and len(words.split()) <= _MOST_HEAD_WORDS


_HTML_TABLE = re.compile(r"<(?:table|tr)\b", re.IGNORECASE)
_FENCES = ("```", "~~~")
_Part = tuple[Span, Iterable[list[Value]], bool]
"""The span of the data, its records, and whether they are rows of a table."""


_NOTHING = Decoded("")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement made of data: the code points that it was read from, and its line in words."""

    start: int
    end: int
    line: DataLine


@dataclass(frozen=True, slots=True)
class TextReading:
    """A text as it is read; `data` are the statements made of its data, `cells` their values.

    Cells stand in `worded`, the text before it was rendered, whose offsets lead back to the
    characters written.
    """

    decoded: Decoded
    data: tuple[Statement, ...] = ()
    cells: tuple[Cell, ...] = ()
    worded: Decoded = _NOTHING

    def data_at(self, at: int) -> Statement | None:
        """Return the statement of data that a written code point belongs to, or None."""
        before = bisect_right(self.data, at, key=lambda statement: statement.start) - 1
        return self.data[before] if before >= 0 and at < self.data[before].end else None

    def cells_of(self, statement: Statement) -> tuple[Cell, ...]:
        """Return the values of a statement."""
        line = statement.line
        first = bisect_left(self.cells, line.start, key=lambda cell: cell.start)
        return self.cells[first : bisect_left(self.cells, line.end, key=lambda cell: cell.start)]

    def text_of(self, cell: Cell) -> str:
        """Return the text of a value as it is read."""
        return self.worded.text[cell.start : cell.end]

    def sentences(self) -> list[Sentence]:
        """Return the sentences; a statement of data that is no prose is one."""
        sentences, at = list[Sentence](), 0
        for sentence in self.decoded.sentences():
            while at < len(self.data) and self.data[at].end <= sentence.start:
                at += 1
            data = self.data[at] if at < len(self.data) else None
            if data and sentences and not data.line.is_prose:
                last = sentences[-1]
                if data.start <= last.start and sentence.start < data.end:
                    sentence = Sentence(last.start, sentence.end, last.kind)
                    sentences.pop()
            sentences.append(sentence)
        return sentences


def read_text(text: str, *, each: bool = False) -> TextReading:
    """Read a text into statements.

    A statement of data is a row or what stands together in an object; with `each`, a value of an
    object.
    """
    lines = data_lines(text, each=each)
    if lines is None:
        plain = decode(text)
        edits = list(lead_ins(plain.text))
        return TextReading(plain.edited(edits) if edits else plain)
    worded = lines.decoded()
    at = worded.offsets
    statements = tuple(Statement(at[line.start], at[line.end], line) for line in lines.lines)
    decoded = rendered(worded.edited(lead_ins(worded.text)))
    return TextReading(decoded, statements, tuple(lines.cells), worded)


def data_lines(text: str, *, each: bool = False) -> Lines | None:
    """Return the text with its data in sentences; None where it holds none."""
    text = strict_json(text)
    lines = Lines(text, each)
    for (start, end), records, is_row in _parts(text, each=each):
        lines.put(text[lines.reached : start].rstrip(), lines.reached)
        lines.put("\n\n" if lines.offsets else "")
        lines.skip(start)
        for record in records:
            add_record(lines, record, is_row=is_row)
        lines.skip(end)
    if not lines.lines:
        return None
    lines.keep(len(text))
    return lines


def _parts(text: str, *, each: bool) -> Iterator[_Part]:
    """Yield the data of a text in order: HTML tables, else JSON and paragraphs of rows or pairs."""
    if is_json(text):
        yield (0, len(text)), json_records(text, 0, len(text), each=each), False
    elif _HTML_TABLE.search(text):
        yield from ((span, rows, True) for span, rows in html_tables(text))
    else:
        objects = list(json_among(text))
        for outer, (start, end) in _blocks(text):
            inside = [span for span in objects if start <= span[0] < end]
            if is_json(text[start:end]):
                yield outer, json_records(text, start, end, each=each), False
            elif inside:
                yield from ((span, json_records(text, *span, each=each), False) for span in inside)
            else:
                yield from _of_block(text, outer, (start, end), each=each)


def _of_block(text: str, outer: Span, inner: Span, *, each: bool) -> Iterator[_Part]:
    """Yield the data of a paragraph or a code fence, or of parts below a colon or beside bars."""
    fields = pairs(text, *inner, each=each) or labelled(text, *inner)
    if records := fields or separated_rows(text, *inner):
        yield outer, records, not fields
        return
    for part in _subparts(text, *inner) if outer == inner else ():
        fields = inline_pairs(text, *part)
        if records := fields or separated_rows(text, *part):
            yield part, records, not fields


def _subparts(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the parts of a paragraph: runs of lines with bars and without, split behind a colon."""
    first, at, barred = start, start, None
    for line in text[start:end].splitlines(keepends=True):
        has_bar = line.lstrip()[:1] in BARS
        if barred is not None and has_bar != barred and at > first:
            yield first, at
            first = at
        barred, at = has_bar, at + len(line)
        if line.rstrip().endswith(":"):
            yield first, at
            first, barred = at, None
    if first < at:
        yield first, at


def _blocks(text: str) -> Iterator[tuple[Span, Span]]:
    """Yield paragraphs, and code fences with what stands inside, from left to right."""
    first, at, fence = -1, 0, -1
    for line in text.splitlines(keepends=True):
        body = line.strip()
        if body.startswith(_FENCES):
            if fence >= 0:
                yield (first, at + len(line)), (fence, at)
                first = fence = -1
            else:
                if first >= 0:
                    yield (first, at), (first, at)
                first, fence = at, at + len(line)
        elif fence < 0 and body and first < 0:
            first = at
        elif fence < 0 and not body and first >= 0:
            yield (first, at), (first, at)
            first = -1
        at += len(line)
    if first >= 0:
        first = max(first, fence)
        yield (first, at), (first, at)
