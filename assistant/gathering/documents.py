"""Documents in the bundle: the best passages, each in whole sentences with its place."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models.functions import Substr

from assistant.evidence import EvidenceKind, Item, SourceResult, SourceStatus
from assistant.synthesis.extractive import LIMITS_OF_WORK
from assistant.synthesis.sections import around, heading_above, headings
from assistant.weather.days import asks_for_weather
from documents.chunking import table_head
from documents.evidence import EvidenceChunk, citation
from documents.injection import scan
from documents.models import Collection, Document
from documents.retrieval import MOST_PER_DOCUMENT, SearchOptions, search
from documents.selectors import collections_of
from lib.text.dates import dates
from lib.text.tokens import tokenize

NO_DOCUMENTS = "There are no documents to search."
NOTHING_FOUND = "No passage of the documents has to do with the question."
_RELEVANCE_FLOOR = 0.02
"""Low, since relevance to the question is decided sentence by sentence."""
_BEFORE, _AFTER, _OPENING = 20_000, 600, 300
"""Code points read around a passage, to find its heading and complete its sentence, and of the
beginning of its document, to find its date."""


def searched(application_id: UUID, names: Sequence[str]) -> list[Collection]:
    """Return the collections of these names, or all of the application's if none is named."""
    collections = collections_of(application_id)
    return list(collections.filter(name__in=names) if names else collections)


def find_passages(
    application_id: UUID, names: Sequence[str], choice: Mapping[str, Any], *questions: str
) -> SourceResult:
    """Return the passages relevant to the questions of a message, taking turns between questions.

    `choice`: of documents by their metadata; empty for all. Raises inference.errors.ModelError.
    """
    collections = searched(application_id, names)
    if not any(collection.chunk_count for collection in collections):
        return SourceResult((), SourceStatus.NOTHING, NO_DOCUMENTS)
    most: int = settings.ASSISTANT_PASSAGES
    if len(questions) > 1:
        most += most // 2
    chunks = _in_turns([_both_ways(collections, choice, item, 2 * most) for item in questions])
    items = _best(_read(chunks[: 2 * most]), most)
    details = {"collections": sorted(collection.name for collection in collections)}
    if not items:
        return SourceResult((), SourceStatus.NOTHING, NOTHING_FOUND, details)
    return SourceResult(items, SourceStatus.OK, details=details)


def _best(items: Iterable[Item], most: int) -> tuple[Item, ...]:
    """Return the first `most` usable items, and at most as many flagged ones met on the way.

    An item that reads like an instruction takes no place: a planted one would push out answers.
    """
    usable, flagged = list[Item](), list[Item]()
    for item in items:
        (flagged if item.flagged else usable).append(item)
        if len(usable) == most:
            break
    return (*usable, *flagged[:most])


def _both_ways(
    collections: list[Collection], choice: Mapping[str, Any], question: str, most: int
) -> list[EvidenceChunk]:
    """Return the best chunks for the question, in turns with those for the limits of its work.

    The latter where it asks for the weather: "May we lift tomorrow?" names nothing that a rule on
    wind would.
    """
    three_quarters = settings.ASSISTANT_PASSAGES * 3 // 4
    options = SearchOptions(
        most_per_document=max(three_quarters, MOST_PER_DOCUMENT),
        relevance_floor=_RELEVANCE_FLOOR,
        documents=choice,
    )
    match = search(collections, question, most, options)
    if not asks_for_weather(tokenize(question)):
        return match
    limits = search(collections, f"{question} {LIMITS_OF_WORK}", most, options)
    return _in_turns([match, limits])[:most]


def _in_turns(results: Sequence[Sequence[EvidenceChunk]]) -> list[EvidenceChunk]:
    """Return the best of each result, then the second of each, and so on; each chunk once."""
    turns = [item for row in zip_longest(*results) for item in row if item is not None]
    return list({(chunk.doc_id, chunk.sent_id): chunk for chunk in reversed(turns)}.values())[::-1]


def _read(chunks: Sequence[EvidenceChunk]) -> Iterator[Item]:
    """Return the passages of the chunks with their context; one query per document."""
    by_document = defaultdict[str, list[EvidenceChunk]](list)
    for chunk in chunks:
        by_document[chunk.doc_id].append(chunk)
    items = {
        (document_id, chunk.sent_id): _item(chunk, start, text, dated)
        for document_id, own in by_document.items()
        for chunk, (start, text, dated) in zip(own, _stretches(document_id, own), strict=True)
    }
    return (items[chunk.doc_id, chunk.sent_id] for chunk in chunks)


def _stretches(document_id: str, chunks: Sequence[EvidenceChunk]) -> list[tuple[int, str, str]]:
    """Return the text around each chunk of one document, with its position and the date."""
    starts = [max(0, chunk.char_start - _BEFORE) for chunk in chunks]
    pieces = {
        f"piece_{at}": Substr("text", start + 1, chunk.char_end + _AFTER - start)
        for at, (chunk, start) in enumerate(zip(chunks, starts, strict=True))
    }
    pieces["opening"] = Substr("text", 1, _OPENING)
    document = Document.objects.filter(pk=document_id).annotate(**pieces).values(*pieces).first()
    # The document may have been deleted since it was searched: its passage is all that is left.
    *texts, opening = document.values() if document else [""] * len(pieces)
    dated = date_in(opening) or date_in(chunks[0].source)
    return [
        (start, text, dated) if text else (chunk.char_start, chunk.text, dated)
        for chunk, start, text in zip(chunks, starts, texts, strict=True)
    ]


def date_in(text: str) -> str:
    """Return the first date of a text, "2026-02-19" or "--02-19" without its year (ISO 8601)."""
    tokens = tokenize(text)
    whole = (date for date in dates(tokens, 0, len(tokens)) if date.month and date.day)
    return next((f"{date.year or '-'}-{date.month:02}-{date.day:02}" for date in whole), "")


def _item(chunk: EvidenceChunk, begin: int, text: str, dated: str) -> Item:
    start, end = around(text, chunk.char_start - begin, chunk.char_end - begin)
    passage = text[start:end]
    injection, scanned = chunk.injection, scan(passage).payload()
    if scanned and (not injection or scanned["score"] > injection["score"]):
        injection = scanned
    return Item(
        number=0,
        kind=EvidenceKind.DOCUMENT,
        text=passage,
        title=f"{citation(chunk.source, chunk.page, chunk.last_page)}, passage {chunk.sent_id + 1}",
        place={
            "document_id": chunk.doc_id,
            "file": chunk.source,
            "collection": chunk.collection,
            "page": chunk.page,
            "last_page": chunk.last_page,
            "chunk": chunk.sent_id + 1,
            "of": chunk.total,
            "start": begin + start,
            "end": begin + end,
            "heading": headings(text, start, end),
            "section": heading_above(text, start),
            "table": table_head(text, start),
            "score": chunk.score_hybrid,
            "cosine": chunk.score_dense,
            "dated": dated,
        },
        injection=injection,
    )
