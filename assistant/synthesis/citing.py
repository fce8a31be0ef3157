"""Holds a model's text to its rules: only sentences that cite an item of the bundle stay.

Citations of nothing are removed; a sentence without any is unsupported and dropped. A sentence that
cites only memory is no evidence; the manager's own words are shown beside the answer.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

from analysis.engine.claims.extraction import read
from analysis.engine.response.citations import remove_citations_to_nothing
from assistant.evidence import EvidenceBundle
from assistant.synthesis.drafts import NOT_FOUND
from lib.text.citations import marks, reference_entries
from lib.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class CitedText:
    """A text that follows the rules; `memories` are the remembered items that it cited."""

    text: str
    memories: tuple[int, ...]
    removed: tuple[str, ...]
    not_found: bool


def enforce_citations(answer: str, bundle: EvidenceBundle) -> CitedText:
    """Return the part of the answer that may stay. Pure."""
    text = _without_list(answer).strip()
    if _says_not_found(text):
        return CitedText("", (), (), True)
    last, highest = len(bundle.usable), len(bundle.usable) + len(bundle.remembered)
    text, dangling = remove_citations_to_nothing(text, highest)
    lines, removed, memories = list[str](), [item.text for item in dangling], list[int]()
    for line in text.split("\n"):
        sentences = [_sentence(piece, last) for piece in pieces(line)]
        stays = [piece.text.strip() for piece in sentences if piece.stays]
        if stays or not line.strip():
            lines.append(" ".join(stays))
        removed += [piece.text.strip() for piece in sentences if piece.lost]
        memories += [number for piece in sentences for number in piece.memories]
    body = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return CitedText(body, tuple(dict.fromkeys(memories)), tuple(removed), False)


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    stays: bool
    lost: bool
    memories: tuple[int, ...]


def _sentence(piece: str, last: int) -> _Piece:
    """Return one sentence without its citations of memory, and whether it may stay."""
    citations = marks(piece)
    numbers = [number for mark in citations for number in mark.numbers]
    memories = tuple(number for number in numbers if number > last)
    cited = any(number <= last for number in numbers)
    asserts = bool(read(piece).statements)
    if memories and cited:
        for mark in reversed(citations):
            citation = "".join(f"[{number}]" for number in mark.numbers if number <= last)
            piece = piece[: mark.start] + citation + piece[mark.end :]
    stays = cited or not (asserts or memories)
    return _Piece(piece, stays, asserts and not cited and not memories, memories)


def pieces(line: str) -> list[str]:
    """Split a line into sentences, each with its following citations and space."""
    parts = sentences(line)
    starts = [item.start for item in parts[1:] if not _has_only_marks(line[item.start : item.end])]
    bounds = [0, *(_past_marks(line, at) for at in starts), len(line)]
    return [line[a:b] for a, b in pairwise(bounds) if line[a:b]]


def cited_sentences(text: str) -> list[tuple[int, str]]:
    """Return (number, sentence) for each citation of a text, the sentence without its marks."""
    pairs = list[tuple[int, str]]()
    for line in text.split("\n"):
        for piece in pieces(line):
            numbers = dict.fromkeys(number for mark in marks(piece) for number in mark.numbers)
            plain = _without_marks(piece)
            pairs += [(number, plain) for number in numbers]
    return pairs


def once_a_sentence(text: str, *, quoted: bool) -> str:
    """Remove citations within a sentence that its end repeats.

    The pipeline cites each clause; for a reader once per sentence is enough. `quoted`: each
    sentence is taken from the source that its end cites, so other citations in it are not the
    author's.
    """
    lines = text.split("\n")
    return "\n".join(
        "".join(reader_text(piece, quoted=quoted) for piece in pieces(line)) for line in lines
    )


def reader_text(piece: str, *, quoted: bool) -> str:
    """Return one sentence of `pieces` in the form of `once_a_sentence`."""
    citations = list(marks(piece))
    tail = [mark for mark in citations if _without_marks(piece[mark.start :]).strip(" .!?;") == ""]
    last = {number for mark in tail for number in mark.numbers}
    for mark in reversed(citations):
        if mark not in tail and last and (quoted or set(mark.numbers) <= last):
            piece = piece[: mark.start].rstrip() + piece[mark.end :]
    return piece


def _without_marks(piece: str) -> str:
    for mark in reversed(marks(piece)):
        piece = piece[: mark.start].rstrip() + piece[mark.end :]
    return piece.strip(" -*•\t")


def _has_only_marks(text: str) -> bool:
    """Return whether a text contains nothing but citations."""
    return not any(char.isalnum() for char in _without_marks(text))


def _past_marks(line: str, at: int) -> int:
    """Return where the next sentence begins, after citations that belong to the one before."""
    for mark in marks(line):
        if mark.start == at or (mark.start > at and not line[at : mark.start].strip()):
            at = mark.end
    return at


def _without_list(answer: str) -> str:
    """Remove a list of sources that the model wrote nevertheless; ours follows."""
    entries = reference_entries(answer)
    if not entries:
        return answer
    body = answer[: entries[0][0]].rstrip()
    cut = body.rfind("\n") + 1
    title = body[cut:].strip("#*_: \t").lower()
    return body[:cut] if title in ("sources", "references", "citations") else body


def _says_not_found(text: str) -> bool:
    plain = " ".join(text.lower().split()).rstrip(".")
    return plain.startswith(NOT_FOUND.lower().rstrip(".")) and len(plain) < 2 * len(NOT_FOUND)
