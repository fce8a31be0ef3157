"""The sentences of a bundle that could stand in an answer as they are."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analysis.engine.claims.extraction import read
from assistant.evidence import EvidenceKind, Item
from assistant.synthesis.sections import heading_at, headings_in
from documents.lexical import terms
from lib.text.sentences import sentences

MOST_CHARACTERS = 700
"""A longer sentence is no answer but a page."""
_LEAST_WORDS = 4
_TITLE_WORDS = 4
_MOST_TITLE = 8
_ENUMERATOR = re.compile(r"^(?:\((?:[a-zA-Z]{1,2}|[ivxIVX]{1,5}|\d{1,2})\)\s*)+(?:[—–-]\s*)?")
_ENDING = re.compile(r"\s*(?:[;,.]|[;,]\s*(?:and|or))\s*$")
_STOP = re.compile(r"(?<=[a-z0-9)%/][a-z0-9)%])[.!?]\s+(?=[A-Z“\"(])")
_SHORTENED = frozenset(
    f"{word}."
    for word in (
        "fig",
        "figs",
        "sec",
        "no",
        "nos",
        "vol",
        "para",
        "approx",
        "inc",
        "ltd",
        "max",
        "min",
        "art",
        "vs",
        "etc",
        "al",
        "dr",
        "mr",
        "mrs",
        "st",
        "app",
        "subpt",
    )
)
_REACH = 2
"""Sentences before and behind that one is read with."""
_EXCEPTION = re.compile(
    r"(?:exceptions?|except|however|but|unless|(?:this|that|these|it) (?:do|does|is|are) not)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"(?:no|not|nobody|never|only)\b", re.IGNORECASE)
_LISTED = re.compile(r".*\b(?:except|unless)\b[^:]*: ", re.IGNORECASE)
_BANS = re.compile(r"(?:No|Nobody)\b.*\.$")
_ENDS = ".!?…。！？\"”'’)»"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sentence of an item. `context` is what it stands under; `at` its place in its file.

    `near` are the sentences beside it under the same heading, `exceptions` those behind it that
    take something back from it.
    """

    number: int
    text: str
    context: str
    at: tuple[str, int]
    kind: EvidenceKind
    near: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()


def candidates(items: Iterable[Item]) -> list[Candidate]:
    """The whole, asserting sentences of the items, each place of a file once."""
    by_place: dict[tuple[str, str], Candidate] = {}
    for item in items:
        for candidate in _of_item(item):
            by_place.setdefault(
                (candidate.at[0], " ".join(candidate.text.lower().split())), candidate
            )
    return list(by_place.values())


def _of_item(item: Item) -> list[Candidate]:
    if item.kind is EvidenceKind.WEATHER:
        return [Candidate(item.number, item.text.strip(), "", ("weather", item.number), item.kind)]
    name = str(item.place.get("document_id", item.title))
    begin = int(item.place.get("start", 0))
    titles = list(headings_in(item.text))
    above = str(item.place.get("section", item.place.get("heading", "")))
    sentences = [
        (at, text, heading_at(titles, at, above))
        for at, text in _with_leads(pieces(item.text))
        if _fits(text)
    ]
    return [
        Candidate(
            item.number, text, context, (name, begin + at), item.kind,
            near=_near(sentences, here), exceptions=_exceptions(sentences, here),
        )
        for here, (at, text, context) in enumerate(sentences)
    ]  # fmt: skip


def _near(sentences: Sequence[tuple[int, str, str]], here: int) -> tuple[str, ...]:
    around = [*range(max(0, here - _REACH), here), *range(here + 1, here + _REACH + 1)]
    context = sentences[here][2]
    return tuple(
        sentences[at][1] for at in around if at < len(sentences) and sentences[at][2] == context
    )


def _exceptions(sentences: Sequence[tuple[int, str, str]], here: int) -> tuple[str, ...]:
    """The sentences right behind one, under its heading, that except something from it."""
    _, text, context = sentences[here]
    behind = [
        other for _, other, where in sentences[here + 1 : here + 1 + _REACH] if where == context
    ]
    attached = [other for other in behind if _hangs_on_same(text, other)]
    return tuple(attached or [other for other in behind if _excepts(other, text)])


def _hangs_on_same(text: str, other: str) -> bool:
    """Both are items of one list of exceptions: "…, except when: A.", "…, except when: B."."""
    lead = _LISTED.match(text)
    return lead is not None and other.startswith(lead[0])


def _excepts(other: str, text: str) -> bool:
    if _EXCEPTION.match(other):
        return True
    return bool(_DENIES.match(other)) and bool(set(terms(other)) & set(terms(text)))


def pieces(text: str) -> list[tuple[int, str]]:
    """The sentences of a text with their beginnings, an enumerator left in front.

    The segmenter keeps sentences together behind brackets: those are cut here.
    """
    parts = list[tuple[int, str]]()
    for sentence in sentences(text):
        start = sentence.start
        for stop in _STOP.finditer(text, sentence.start, sentence.end):
            if text[: stop.start() + 1].rsplit(None, 1)[-1].lower().strip("(") not in _SHORTENED:
                parts.append((start, text[start : stop.start() + 1].strip()))
                start = stop.end()
        parts.append((start, text[start : sentence.end].strip()))
    return parts


def _with_leads(parts: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Each sentence without its enumerator, behind what it hangs on.

    A run-in title ("Wind speed.") leads what follows; "… except when:" joins each item below.
    """
    sentences, title, lead, level = list[tuple[int, str]](), "", "", ""
    for at, raw in parts:
        mark = _ENUMERATOR.match(raw)
        text = raw[mark.end() if mark else 0 :].strip()
        kind = _level(mark[0]) if mark else ""
        if lead and (not kind or (level and kind != level)):
            lead, level = "", ""
        if text.endswith((":", "—", ": and")):
            lead, level, title = text.rstrip(": —"), "", ""
            continue
        if _is_title(text):
            title = text if text.endswith(".") else ""  # else it is a heading on a line of its own
            continue
        if lead:
            level = kind
            text = f"{lead}: {_ENDING.sub('', text)}."
        elif title and _lacks_words_of(title, text):
            text = f"{title.rstrip('.')}: {text}"
        sentences.append((at, text))
        title = ""
    return sentences


def _level(mark: str) -> str:
    """The kind of the last enumerator of a row: "(a)(1)" is a number."""
    last = mark.strip(" )—–-").rsplit("(", 1)[-1]
    if last.isdigit():
        return "number"
    return "upper" if last.isupper() else "lower"


def _is_title(text: str) -> bool:
    """A few words that state nothing; a figure or a sign of its own is no title."""
    words = len(text.split())
    if not 0 < words <= _MOST_TITLE or any(char.isdigit() for char in text) or _BANS.match(text):
        return False
    return words < _TITLE_WORDS or not read(text).statements


def _lacks_words_of(title: str, text: str) -> bool:
    return not set(terms(title)) <= set(terms(text))


def _fits(text: str) -> bool:
    is_whole = bool(text) and len(text) <= MOST_CHARACTERS and text[-1] in _ENDS
    opens = bool(text) and (text[0].isupper() or text[0].isdigit() or text[0] in "\"“'‘(")
    enough = len(text.split()) >= _LEAST_WORDS
    return is_whole and opens and enough and not _is_title(text)
