"""The passages that citations point to, in the order of their numbers, without duplicates."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analysis.engine.payloads import CitedPassage, Document
from analysis.engine.types import EvidenceChunk
from lib.text.tokens import plain_words

_MOST_COMPARED = 200
"""Beyond so many passages only equal ones are merged: comparing all pairs would take too long."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """The passages, the 1-based number of each evidence chunk, and whether any were merged."""

    passages: tuple[CitedPassage, ...]
    number: dict[str, int]
    merged: bool


@dataclass(slots=True)
class _Group:
    """Chunks with the same content, while they are being collected."""

    text: str
    words: str
    title: str
    chunk: EvidenceChunk
    refs: list[str]


def by_evidence(chunks: Sequence[EvidenceChunk]) -> Numbered:
    """Return one passage for each chunk in order; repetitions and continuations are merged."""
    groups = list[_Group]()
    equal = dict[str, _Group]()
    for chunk in chunks:
        words = _words(chunk.text)
        group = equal.get(words) or _redundant(groups, chunk, words)
        if group is None:
            group = _Group(chunk.text, words, chunk.source, chunk, [])
            groups.append(group)
        group.refs.append(chunk.ref)
        equal[words] = group
    return _numbered(groups)


def by_source(documents: Sequence[Document], chunks: Sequence[EvidenceChunk]) -> Numbered:
    """Return one passage for each document in its numbering, then all other chunks."""
    doc_ids = {document.doc_id for document in documents}
    others = by_evidence([chunk for chunk in chunks if chunk.doc_id not in doc_ids])
    number, passages = dict[str, int](), list[CitedPassage]()
    for place, document in enumerate(documents, start=1):
        own_chunks = sorted(
            (chunk for chunk in chunks if chunk.doc_id == document.doc_id),
            key=lambda chunk: chunk.char_start,
        )
        number |= {chunk.ref: place for chunk in own_chunks}
        refs = tuple(chunk.ref for chunk in own_chunks)
        passages.append(
            CitedPassage(_join_chunks(own_chunks) or document.text, document.title, refs)
        )
    number |= {ref: place + len(documents) for ref, place in others.number.items()}
    return Numbered((*passages, *others.passages), number, others.merged)


def _numbered(groups: Sequence[_Group]) -> Numbered:
    passages = tuple(CitedPassage(group.text, group.title, tuple(group.refs)) for group in groups)
    number = {ref: at for at, group in enumerate(groups, start=1) for ref in group.refs}
    return Numbered(passages, number, any(len(group.refs) > 1 for group in groups))


def _redundant(groups: Sequence[_Group], chunk: EvidenceChunk, words: str) -> _Group | None:
    """Return the group that contains the chunk's text or that it continues."""
    if len(groups) > _MOST_COMPARED:
        return None
    for group in groups:
        if words in group.words:
            return group
        if group.words in words:
            group.text, group.words, group.title = chunk.text, words, chunk.source
            group.chunk = chunk
            return group
        if len(group.refs) == 1 and _overlap(group.chunk, chunk):
            group.text = _union(group.chunk, chunk)
            group.words = _words(group.text)
            return group
    return None


def _overlap(chunk: EvidenceChunk, other: EvidenceChunk) -> bool:
    same = chunk.doc_id == other.doc_id
    return same and chunk.char_start < other.char_end and other.char_start < chunk.char_end


def _union(chunk: EvidenceChunk, other: EvidenceChunk) -> str:
    """Return the text of two overlapping chunks of one document."""
    first, last = sorted((chunk, other), key=lambda either: either.char_start)
    return first.text + last.text[max(0, first.char_end - last.char_start) :]


def _join_chunks(chunks: Iterable[EvidenceChunk]) -> str:
    """Return the chunks of one document in order, with an ellipsis for gaps."""
    text, end, last = "", 0, -1
    for chunk in chunks:
        new = chunk.text[max(0, end - chunk.char_start) :] if text else chunk.text
        gap = "" if not text or chunk.char_start < end else " "
        if text and chunk.sent_id > last + 1:
            gap = " … "
        text += gap + new if new else ""
        end, last = max(end, chunk.char_end), max(last, chunk.sent_id)
    return text


def _words(text: str) -> str:
    """Return the words in lower case without marks, a space on each side."""
    return f" {' '.join(plain_words(text))} "
