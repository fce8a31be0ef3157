"""The sentences of a bag that could stand in an answer as they are."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analysis.engine.claims import read
from assistant.evidence import Item, Kind
from documents.lexical import terms
from text.sentences import sentences

MOST_CHARACTERS = 700
"""A longer sentence is no answer but a page."""
_LEAST_WORDS = 4
_MOST_TITLE = 8
_ENUMERATOR = re.compile(r"^(?:\((?:[a-zA-Z]{1,2}|[ivxIVX]{1,5}|\d{1,2})\)\s*)+(?:[—–-]\s*)?")
_ENDS = ".!?…。！？\"”'’)»"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sentence of an item. `context` is what it stands under; `at` its place in its file."""

    number: int
    text: str
    context: str
    at: tuple[str, int]
    kind: Kind


def candidates(items: Iterable[Item]) -> list[Candidate]:
    """The whole, asserting sentences of the items, each place of a file once."""
    found: dict[tuple[str, str], Candidate] = {}
    for item in items:
        for one in _of_item(item):
            found.setdefault((one.at[0], " ".join(one.text.lower().split())), one)
    return list(found.values())


def _of_item(item: Item) -> list[Candidate]:
    if item.kind is Kind.WEATHER:
        return [Candidate(item.number, item.text.strip(), "", ("weather", item.number), item.kind)]
    name = str(item.place.get("document_id", item.title))
    begin = int(item.place.get("start", 0))
    pieces = [
        (begin + found.start, item.text[found.start : found.end].strip())
        for found in sentences(item.text)
    ]
    context = str(item.place.get("heading", ""))
    texts = _with_lead(pieces)
    return [
        Candidate(item.number, text, context, (name, at), item.kind)
        for at, text in texts
        if _fits(text)
    ]


def _with_lead(pieces: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Each sentence without its enumerator; a run-in title ("Wind speed.") joins what follows."""
    found, title = list[tuple[int, str]](), ""
    for at, raw in pieces:
        text = _ENUMERATOR.sub("", raw).strip()
        if _is_title(text):
            title = text
            continue
        found.append((at, f"{title} {text}" if title and _lacks_words_of(title, text) else text))
        title = ""
    return found


def _is_title(text: str) -> bool:
    """A few words that state nothing; a figure or a sign of its own is no title."""
    short = 0 < len(text.split()) <= _MOST_TITLE and not any(char.isdigit() for char in text)
    return short and not read(text).statements


def _lacks_words_of(title: str, text: str) -> bool:
    return not set(terms(title)) <= set(terms(text))


def _fits(text: str) -> bool:
    whole = bool(text) and len(text) <= MOST_CHARACTERS and text[-1] in _ENDS
    opens = bool(text) and (text[0].isupper() or text[0].isdigit() or text[0] in "\"“'‘§(")
    enough = len(text.split()) >= _LEAST_WORDS
    return whole and opens and enough and not _is_title(text)
