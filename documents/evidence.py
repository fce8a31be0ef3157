"""Results of a search: passages with their place, scores and injection scan."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from documents.injection import RULES, scan
from documents.sql import load

_PASSAGES = load("passages")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class EvidenceChunk:
    """The verifier API's EvidenceChunk; offsets are code points into the document's text.

    `head` is the first row of a table in which the text begins. `citation` names file and page.
    `score_rerank` is the cross-encoder's, if one is configured; `relevance` (0-1) the probability
    that the text is about the question. `injection` is the scan of the text by this version's
    rules; None if nothing was found.
    """

    doc_id: str
    sent_id: int
    total: int
    head: str
    text: str
    char_start: int
    char_end: int
    page: int | None
    last_page: int | None
    score_bm25: float | None
    score_dense: float | None
    score_hybrid: float
    score_rerank: float | None
    relevance: float
    rank: int
    source: str
    collection: str
    file_type: str
    citation: str
    title: str
    version: str
    injection: dict[str, Any] | None

    @property
    def read_text(self) -> str:
        """The text as it is read: below the head of its table."""
        return below_head(self.head, self.text)


def below_head(head: str, text: str) -> str:
    """Return a chunk's text as it is indexed and read."""
    return f"{head}\n{text}" if head else text


def passages(ids: Sequence[int]) -> dict[int, Row]:
    """Return the chunks by id with their citation data; ones deleted meanwhile are missing."""
    with connection.cursor() as cursor:
        cursor.execute(_PASSAGES, {"ids": list(ids)})
        names = [column.name for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return {row["id"]: row for row in rows}


def evidence(
    row: Row,
    *,
    rank: int,
    hybrid: float,
    relevance: float,
    bm25: float | None = None,
    dense: float | None = None,
    rerank: float | None = None,
) -> EvidenceChunk:
    """Return a passage with its scores; None for a ranking that it is not in, or was not made."""
    members = {
        name: value for name, value in row.items() if name not in ("id", "injection_rules")
    } | {"injection": _injection(row)}
    return EvidenceChunk(
        **members,
        score_bm25=_rounded(bm25),
        score_dense=_rounded(dense),
        score_hybrid=round(hybrid, 6),
        score_rerank=_rounded(rerank),
        relevance=relevance,
        rank=rank,
        citation=citation(row["source"], row["page"], row["last_page"]),
    )


def citation(name: str, page: int | None, last_page: int | None) -> str:
    """Return file and page: "handbook.pdf, page 3", "handbook.pdf, pages 3–4", "notes.txt"."""
    if page is None:
        return name
    several = last_page is not None and last_page > page
    return f"{name}, pages {page}–{last_page}" if several else f"{name}, page {page}"


def _injection(row: Row) -> dict[str, Any] | None:
    """Return the scan made at ingestion, or a new one if its rules are outdated."""
    if row["injection_rules"] == RULES:
        # A cursor of Django's leaves jsonb as text; only its model fields read it.
        payload: dict[str, Any] | None = json.loads(row["injection"] or "null")
        return payload
    return scan(row["text"]).payload()


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 4)
