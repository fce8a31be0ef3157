"""Fills the tables of an empty database with a made-up corpus, and builds the two indexes."""

import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast
from uuid import UUID

import numpy as np
import uuid_utils.compat as uuid
from django.db import connection, connections, transaction

from documents.models import Chunk, Collection, DenseVector, LexicalVector
from documents.services import writing
from documents.services.writing import Row, copy_rows
from tools.evaluation.retrieval.universe import Universe, make

PER_DOCUMENT = 40
_DOCUMENTS_A_TASK = 50
_DOCUMENT = (
    *("id", "collection_id", "name", "sha256", "size_bytes", "uploaded_by", "state"),
    *("due_at", "indexed_at", "text", "chunk_count", "warnings", "hidden_text"),
)
_TABLES = (
    *("documents_document", "documents_chunk"),
    *("documents_densevector", "documents_lexicalvector"),
)
INDEXES = {"dense_hnsw": DenseVector, "lexical_gin": LexicalVector}


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """The content to write: a collection for each document, in the order of the documents."""

    around: Universe
    collections: Sequence[UUID]
    average_length: float
    model: str
    seed: int


def load(plan: LoadPlan) -> Iterator[int]:
    """Write all documents with a process for each core.

    Yield the number of chunks written so far.
    """
    count = len(plan.collections)
    tasks = [
        range(at, min(at + _DOCUMENTS_A_TASK, count)) for at in range(0, count, _DOCUMENTS_A_TASK)
    ]
    # A forked child must not share its parent's connection.
    connections.close_all()
    context = multiprocessing.get_context("fork")
    with context.Pool(os.cpu_count(), _start, (plan,)) as pool:
        yield from pool.imap_unordered(_write, tasks)
    # Set the chunk counts of the collections and the sequence of ids, which loading bypassed.
    for collection in set(plan.collections):
        chunks = plan.collections.count(collection) * PER_DOCUMENT
        Collection.objects.filter(pk=collection).update(chunk_count=chunks)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence('documents_chunk', 'id'), max(id)) "
            "FROM documents_chunk"
        )


_plan: LoadPlan


def _start(plan: LoadPlan) -> None:
    global _plan  # noqa: PLW0603  what a forked worker knows
    _plan = plan


@transaction.atomic
def _write(documents: range) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")
    rows_of = [_document(number) for number in documents]
    copy_rows("documents_document", _DOCUMENT, [row for row, *_ in rows_of])
    writing.write_chunks(
        [row for _, chunks, _, _ in rows_of for row in chunks],
        [row for _, _, dense, _ in rows_of for row in dense],
        [row for _, _, _, lexical in rows_of for row in lexical],
    )
    return len(documents) * PER_DOCUMENT


def _document(number: int) -> tuple[Row, list[Row], list[Row], list[Row]]:
    passages = make(_plan.around, PER_DOCUMENT, np.random.default_rng((_plan.seed, number)))
    document, collection = str(uuid.uuid7()), _plan.collections[number]
    scope, average = str(collection), _plan.average_length
    chunks: list[Row] = []
    dense, lexical, start = [], [], 0
    for ordinal, (passage, vector) in enumerate(zip(passages.texts, passages.vectors, strict=True)):
        at, end = number * PER_DOCUMENT + 1 + ordinal, start + len(passage)
        span = (ordinal, PER_DOCUMENT, None, None, start, end)
        chunks.append((at, document, scope, *span, passage, None))
        dense.append(writing.dense_row(at, collection, _plan.model, vector))
        lexical.append(writing.lexical_row(at, collection, passage, average))
        start = end + 1
    text = "\n".join(passages.texts)
    fields = (document, scope, f"document {number}", "", len(text), "bench", "indexed")
    return (*fields, None, "2000-01-01", text, PER_DOCUMENT, "[]", "[]"), chunks, dense, lexical


def drop_index(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX IF EXISTS {connection.ops.quote_name(name)}")


def build_index(name: str, *, memory_mb: int) -> float:
    """Build one of the two indexes as the model describes it; return the seconds it took."""
    model = INDEXES[name]
    index = next(index for index in model._meta.indexes if index.name == name)
    began = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute("SET maintenance_work_mem = %s", [f"{memory_mb}MB"])
        cursor.execute("SET max_parallel_maintenance_workers = %s", [os.cpu_count()])
    with connection.schema_editor() as editor:
        editor.add_index(cast(type[Chunk], model), index)
    return time.perf_counter() - began


def tidy() -> float:
    """Do what autovacuum does (planner statistics, visibility map); return the seconds it took."""
    began = time.perf_counter()
    with connection.cursor() as cursor:
        for table in _TABLES:
            cursor.execute(f"VACUUM (ANALYZE) {table}")
    return time.perf_counter() - began


def sizes() -> dict[str, int]:
    """Return bytes of each table with its own indexes, and of the two large indexes alone."""
    table_sizes: dict[str, int] = {}
    with connection.cursor() as cursor:
        for table in _TABLES:
            cursor.execute("SELECT pg_total_relation_size(%s)", [table])
            table_sizes[table] = cursor.fetchone()[0]
        for name, model in INDEXES.items():
            cursor.execute("SELECT pg_relation_size(%s)", [name])
            table_sizes[name] = cursor.fetchone()[0]
            table_sizes[model._meta.db_table] -= table_sizes[name]
    return table_sizes
