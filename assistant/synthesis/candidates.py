"""The sentences and rows of tables of a bundle that could stand in an answer as they are."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from assistant.evidence import EvidenceKind, Item
from assistant.synthesis.sections import CELL, heading_at, headings_in
from documents.lexical import terms
from lib.text.blocks import Block, BlockKind, blocks
from lib.text.sentences import sentences
from lib.text.tokens import tokenize
from lib.text.verbs import predicates
from lib.text.words import MONTHS, word_set

MOST_CHARACTERS = 700
"""Longer sentences are not shown as answers."""
_LEAST_WORDS = 3
_MOST_TITLE, _MOST_RUN_IN = 8, 4
"""Words of a title on a line of its own, and of one before its text."""
_ENUMERATOR = re.compile(r"^(?:\((?:[a-zA-Z]{1,2}|[ivxIVX]{1,5}|\d{1,2})\)\s*)+(?:[—–-]\s*)?")
_ENDING = re.compile(r"\s*(?:[;,.]|[;,]\s*(?:and|or))\s*$")
_STOP = re.compile(r"(?<=[a-z0-9)%/][a-z0-9)%])[.!?]\s+(?=[A-Z“\"(])")
_SHORTENED = word_set(
    "fig figs sec no nos vol para approx inc ltd max min art vs etc al dr mr mrs st app subpt"
)
_ITEM, _PAIR = "item", 2
_YEAR, _FIGURE = re.compile(r"(?:19|20)\d\d\b(?!-)"), re.compile(r"\W*\d")
_REACH = 2
"""The number of following sentences examined."""
_EXCEPTION = re.compile(
    r"(?:exceptions?|except|however|but|unless|(?:this|that|these|it) (?:do|does|is|are) not)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"(?:it|they|he|she|its|their|this|these|those)\b", re.IGNORECASE)
_LABELLED = re.compile(r"[A-Z][^.:\n]{0,40}: \S")
"""A line of a form: "Present: Helen Marsh (chair)"."""
_DENIES = re.compile(r"(?:no|not|nobody|never|only)\b", re.IGNORECASE)
_LISTED = re.compile(r".*\b(?:except|unless)\b[^:]*: ", re.IGNORECASE)
_BANS = re.compile(r"(?:No|Nobody|Never|Not)\b.*\.$")
_ENDS = ".!…。！\"”'’)»"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sentence of an item, or a row of a table with the heads of its columns.

    `context` is what it stands under: its heading and, of an FAQ, the question that it answers.
    `at` is its place in its file. `attached` are the sentences right behind it that go on about it
    ("It costs …") or take something back from it; `before` and `behind` are those beside it under
    the same heading. `series` names the documents of which its own is one issue (minutes, reports),
    `dated` says when that was written, "" if it does not.
    """

    number: int
    text: str
    context: str
    at: tuple[str, int]
    kind: EvidenceKind
    attached: tuple[str, ...] = ()
    before: str = ""
    behind: tuple[str, ...] = ()
    series: str = ""
    dated: str = ""

    def is_newer(self, other: "Candidate") -> bool:
        """Return whether it stands in a later document of the same series.

        Dates without a year ("--02-19") compare with each other alone.
        """
        both = self.dated and other.dated and self.series == other.series
        alike = self.dated[:1].isdigit() == other.dated[:1].isdigit()
        return bool(both) and alike and self.dated > other.dated


def candidates(items: Iterable[Item]) -> list[Candidate]:
    """Return the statements of the items, each once a file; of an FAQ, once a question."""
    by_text = dict[tuple[str, str, str], Candidate]()
    for item in items:
        for candidate in _of_item(item):
            words = " ".join(candidate.text.lower().split())
            question = candidate.context if candidate.context.endswith("?") else ""
            by_text.setdefault((candidate.at[0], question, words), candidate)
    return list(by_text.values())


def _of_item(item: Item) -> list[Candidate]:
    if item.kind is EvidenceKind.WEATHER:
        return [Candidate(item.number, item.text.strip(), "", ("weather", item.number), item.kind)]
    name = str(item.place.get("document_id", item.title))
    begin = int(item.place.get("start", 0))
    titles = list(headings_in(item.text))
    above = str(item.place.get("section", item.place.get("heading", "")))
    rows, prose = _rows(item)
    statements = _statements(prose, titles, above)
    words = re.findall(r"[^\W\d_]+", str(item.place.get("file", "")).lower())
    series = " ".join(word for word in words if word not in MONTHS)
    pool = [
        Candidate(
            item.number, each.text, f"{each.heading} {each.question}".strip(),
            (name, begin + each.at), item.kind,
            _attached(statements, here), *_beside(statements, here),
        )
        for here, each in enumerate(statements)
    ]  # fmt: skip
    for at, text in rows:
        context = heading_at(titles, at, above)
        pool.append(Candidate(item.number, text, context, (name, begin + at), item.kind))
    dated = str(item.place.get("dated", ""))
    in_order = sorted(pool, key=lambda candidate: candidate.at[1])
    return [replace(candidate, series=series, dated=dated) for candidate in in_order]


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement at an offset, its heading, and the question before it that it answers, or ""."""

    at: int
    text: str
    heading: str
    question: str


def _statements(prose: str, titles: Sequence[tuple[int, str]], above: str) -> list[_Statement]:
    """Return the sentences and items that may be shown as an answer, in order.

    An answer of a word or two ("No.") is a statement with its question only.
    """
    parts, statements = pieces(prose), list[_Statement]()
    items = [block for block in blocks(prose) if block.kind is BlockKind.ITEM]
    heads = {at for at, _ in titles}
    whole = {
        (block.start, block.end)
        for block in items
        if prose.rfind("\n", 0, block.start) + 1 not in heads
    }
    ends = {at: at + len(text) for at, text in parts}
    questions = _questions(prose, parts, items)
    for at, text in _with_leads(prose, parts, items):
        heading = heading_at(titles, at, above)
        question = _question_above(prose, questions, titles, at)
        if question.rstrip("?") == heading.rstrip("?"):
            question = ""
        is_short = len(text.split()) < _LEAST_WORDS
        if question and is_short:
            text, question = f"{question} {text}", ""
        if _fits(text, is_item=(at, ends[at]) in whole):
            statements.append(_Statement(at, text, heading, question))
    return statements


def _questions(
    prose: str, parts: Sequence[tuple[int, str]], items: Sequence[Block]
) -> list[tuple[int, str]]:
    """Return the offsets of all questions, with the text of those that an FAQ may have.

    Such a one begins a line, is no item and does not follow another, as in a checklist.
    """
    questions, end = list[tuple[int, str]](), 0
    starts = {block.start for block in items}
    for at, text in parts:
        if text.endswith("?"):
            begins = at not in starts and not prose[prose.rfind("\n", 0, at) + 1 : at].strip()
            follows = bool(questions) and not prose[end:at].strip()
            is_asked = begins and not follows and "://" not in text
            questions.append((at, text if is_asked else ""))
            end = at + len(text)
    return questions


def _question_above(
    prose: str,
    questions: Sequence[tuple[int, str]],
    titles: Sequence[tuple[int, str]],
    at: int,
) -> str:
    """Return the question of an FAQ that a sentence answers, or "".

    What follows it in its line does or, where it fills its line, what stands below it up to the
    next blank line or heading.
    """
    start, question = next((each for each in reversed(questions) if each[0] < at), (at, ""))
    behind = prose[start + len(question) : at]
    is_line = behind.startswith("\n")
    is_apart = "\n\n" in behind.lstrip() if is_line else "\n" in behind
    return "" if is_apart or any(start < title < at for title, _ in titles) else question


def _rows(item: Item) -> tuple[list[tuple[int, str]], str]:
    """Return the rows of the item's tables, with the heads of their columns, and the other text.

    A table that begins before the item has its heads in `place`.
    """
    rows, lines, at = list[tuple[int, str]](), list[str](), 0
    opening = str(item.place.get("table", "")).split(CELL)
    within = len(opening) > 1
    heads = opening if within and _is_head(opening) else []
    for line in item.text.split("\n"):
        cells = line.split(CELL)
        if len(cells) == 1:
            heads, within = [], False
        elif within or not _is_head(cells):
            rows.append((at, _row_text(heads, cells)))
            within = True
        else:
            heads, within = cells, True
        lines.append("\n" * len(line) if len(cells) > 1 else line)
        at += len(line) + 1
    return rows, "\n".join(lines)


def _is_head(cells: Sequence[str]) -> bool:
    """Return whether a first row names columns, unlike "Opens | 8:00"; "Item | 2025" does."""
    return len(cells) != _PAIR or not _FIGURE.match(cells[1]) or bool(_YEAR.match(cells[1]))


def _row_text(heads: Sequence[str], cells: Sequence[str]) -> str:
    """Return a row in words: "E104 – Meaning: Guard door open; Cause: Door or switch"."""
    if len(heads) != len(cells):
        return f"{cells[0]} – " + "; ".join(filter(None, cells[1:]))
    pairs = zip(heads[1:], cells[1:], strict=True)
    return f"{cells[0]} – " + "; ".join(f"{head}: {cell}" for head, cell in pairs if cell.strip())


def _beside(statements: Sequence[_Statement], here: int) -> tuple[str, tuple[str, ...]]:
    """Return the sentence before one and those behind it, as far as its heading reaches."""
    heading = statements[here].heading
    before = [each.text for each in statements[max(0, here - 1) : here] if each.heading == heading]
    return "".join(before), _behind(statements, here)


def _behind(statements: Sequence[_Statement], here: int) -> tuple[str, ...]:
    heading = statements[here].heading
    stretch = statements[here + 1 : here + 1 + _REACH]
    return tuple(each.text for each in stretch if each.heading == heading)


def _attached(statements: Sequence[_Statement], here: int) -> tuple[str, ...]:
    """Return the sentences behind one, under its heading, that go on about it or limit it."""
    text, behind = statements[here].text, _behind(statements, here)
    of_list = [other for other in behind if _hangs_on_same(text, other)]
    if of_list:
        return tuple(of_list)
    goes_on = behind[:1] if behind and _GOES_ON.match(behind[0]) else []
    return tuple(dict.fromkeys([*goes_on, *(other for other in behind if _excepts(other, text))]))


def _hangs_on_same(text: str, other: str) -> bool:
    """Return whether both belong to one list: "…, except when: A.", "…, except when: B."."""
    lead = _LISTED.match(text)
    return lead is not None and other.startswith(lead[0])


def _excepts(other: str, text: str) -> bool:
    denies = _DENIES.match(other) and not set(terms(other)).isdisjoint(terms(text))
    return bool(_EXCEPTION.match(other) or denies)


def pieces(text: str) -> list[tuple[int, str]]:
    """Return the sentences of a text with their offsets; enumerators stay in front.

    The segmenter joins sentences after brackets: those are split here.
    """
    parts = list[tuple[int, str]]()
    for sentence in sentences(text):
        start = sentence.start
        for stop in _STOP.finditer(text, sentence.start, sentence.end):
            if text[: stop.start()].rsplit(None, 1)[-1].lower().strip("(") not in _SHORTENED:
                parts.append((start, text[start : stop.start() + 1].strip()))
                start = stop.end()
        parts.append((start, text[start : sentence.end].strip()))
    return parts


def _with_leads(
    prose: str, parts: Sequence[tuple[int, str]], items: Sequence[Block]
) -> list[tuple[int, str]]:
    """Return each sentence without its enumerator, after the lead-in it depends on.

    A run-in title ("Wind speed.") precedes what follows in its line; "… except when:" joins each
    item below. `items` are the items of the text's lists.
    """
    sentences, title, lead, level = list[tuple[int, str]](), "", "", ""
    starts = [block.start for block in items]
    for at, raw in parts:
        mark = _ENUMERATOR.match(raw)
        text = raw[mark.end() if mark else 0 :].strip()
        here = bisect_right(starts, at) - 1
        within = here >= 0 and at < items[here].end
        kind = _level(mark[0]) if mark else _ITEM if within and at == starts[here] else ""
        goes_on = within and not kind
        if lead and not goes_on and (not kind or (level and kind != level)):
            lead, level = "", ""
        if text.endswith((":", "—", ": and")):
            lead, level, title = text.rstrip(": —"), "", ""
            continue
        begins = kind or not prose[prose.rfind("\n", 0, at) + 1 : at].strip()
        if begins:
            title = text if text.endswith(".") and _is_title(text) else ""
            if title:
                sentences.append((at, text))
            if title or (kind != _ITEM and _is_title(text)):  # a heading on a line of its own
                continue
        if lead and not goes_on:
            level = kind
            text = f"{lead}: {_ENDING.sub('', text)}."
        elif title and not set(terms(title)) <= set(terms(text)):
            text = f"{title.rstrip('.')}: {text}"
        sentences.append((at, text))
        title = ""
    return sentences


def _level(mark: str) -> str:
    """Return the kind of the last enumerator in a row: "(a)(1)" is a number."""
    last = mark.strip(" )—–-").rsplit("(", 1)[-1]
    if last.isdigit():
        return "number"
    return "upper" if last.isupper() else "lower"


def _is_title(text: str) -> bool:
    """Return whether a text is a title: few words, no figure or prohibition, and no statement."""
    most = _MOST_RUN_IN if text.endswith(".") else _MOST_TITLE
    if not 0 < len(text.split()) <= most or _BANS.match(text) or ":" in text.rstrip(":"):
        return False
    tokens = tokenize(text)
    return not any(map(str.isdigit, text)) and not predicates(tokens, 0, len(tokens))


def _fits(text: str, *, is_item: bool) -> bool:
    """Return whether a text may be shown as an answer: a sentence, an item or a line of a form."""
    if len(text) > MOST_CHARACTERS or len(text.split()) < _LEAST_WORDS:
        return False
    opens = text[0].isupper() or text[0].isdigit() or text[0] in "\"“'‘("
    ends = text[-1] in _ENDS or is_item or _LABELLED.match(text) is not None
    return opens and ends and text[-1] != "?"
