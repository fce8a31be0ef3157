"""Fills the tables of an empty database with a made-up corpus, and builds the two indexes."""

import ast
import importlib.util
import json
import multiprocessing
import os
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast
from uuid import UUID

import numpy as np
import uuid_utils.compat as uuid
from django.db import connection, connections, transaction
from numpy.typing import NDArray

from documents.chunking import chunk
from documents.models import Chunk, Collection, DenseVector, LexicalVector
from documents.services import writing
from documents.services.writing import Row, copy_rows
from inference.embedding import Vectors

# A made-up corpus of any size, placed in the space of embeddings as real passages are.
#
# A made-up chunk lies somewhere on the way from a real passage to a sentence that says something
# close to it, and is moved from there as far as the passage's neighbours are apart, mostly in their
# directions. What makes a search along the HNSW graph hard is how fast the number of chunks grows
# with the distance from a question (docs/research/retrieval.md): among chunks that are only moved
# passages it grows several times as fast as among real ones, because none comes near to a question.
# The words of a chunk are runs of words of the passage and a neighbour, and one in ten is an
# invented word that follows Zipf's law.

NEIGHBOURS = 10
SENTENCES = 3
"""A chunk lies on the way to one of so many nearest sentences."""

LONGEST_WAY = 0.4
"""A chunk lies at most this part of the way to a sentence."""

LOCAL = 0.8
"""The share of a chunk's variance that follows its passage's neighbourhood."""

LENGTHS = (50, 90)
"""Words of a chunk, from and to: about 450 characters."""

_DIRECTIONS = 200
_RUNS = (5, 16)
_RARE_SHARE = 0.1
_RARE_WORDS = 400_000
_EXPONENT = 1.1
_SYLLABLES = tuple(consonant + vowel for consonant in "bdfgklmnrst" for vowel in "aeiou")


@dataclass(frozen=True, slots=True)
class Universe:
    """Real passages: unit vectors (n, dimensions), each one's neighbours (n, 10), its words.

    `sentences`: unit vectors (m, dimensions), `nearest` of them for each passage: (n, 3).
    """

    vectors: Vectors
    neighbours: NDArray[np.int64]
    words: list[list[str]]
    sentences: Vectors
    nearest: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Chunks:
    """Made-up chunks: their texts and unit vectors (count, dimensions)."""

    texts: list[str]
    vectors: Vectors


def universe(texts: Sequence[str], vectors: Vectors, sentences: Vectors) -> Universe:
    """Return the real passages with their nearest neighbours among each other and the sentences."""
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    neighbours = np.argpartition(-cosines, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
    nearest = np.argpartition(-(vectors @ sentences.T), SENTENCES, axis=1)[:, :SENTENCES]
    words = [text.split() for text in texts]
    return Universe(vectors, neighbours, words, sentences, nearest)


def make(around: Universe, count: int, chance: np.random.Generator) -> Chunks:
    """Make `count` chunks of one document: each near the same passage or one of its neighbours."""
    topic = chance.integers(len(around.vectors))
    nearby = np.concatenate(([topic], around.neighbours[topic]))
    parents = chance.choice(nearby, count)
    texts = [_text(around, parent, chance) for parent in parents]
    members = np.concatenate((parents[:, None], around.neighbours[parents]), axis=1)
    near = around.vectors[members]
    apart = (near - near.mean(axis=1)[:, None]) / np.sqrt(NEIGHBOURS)
    local = np.einsum("pm,pmd->pd", chance.standard_normal(members.shape), apart)
    some = around.vectors[chance.integers(len(around.vectors), size=_DIRECTIONS)]
    spread = (some - some.mean(axis=0)) / np.sqrt(_DIRECTIONS)
    wide = chance.standard_normal((len(parents), _DIRECTIONS)) @ spread
    # As far apart in all as the passages of the neighbourhood are.
    width = np.sqrt(np.square(apart).sum(axis=(1, 2)) / np.square(spread).sum())
    towards = around.nearest[parents, chance.integers(SENTENCES, size=len(parents))]
    part = LONGEST_WAY * chance.random((len(parents), 1))
    places = (1 - part) * around.vectors[parents] + part * around.sentences[towards]
    moved = places.astype(np.float32) + LOCAL**0.5 * local
    moved += (1 - LOCAL) ** 0.5 * width[:, None] * wide
    unit: Vectors = (moved / np.linalg.norm(moved, axis=1, keepdims=True)).astype(np.float32)
    return Chunks(texts, unit)


def _text(around: Universe, parent: int, chance: np.random.Generator) -> str:
    length = int(chance.integers(*LENGTHS))
    sources = (parent, int(chance.choice(around.neighbours[parent])))
    tokens: list[str] = []
    while len(tokens) < length:
        words = around.words[sources[int(chance.integers(2))]]
        start = int(chance.integers(len(words)))
        tokens += words[start : start + int(chance.integers(*_RUNS))]
    tokens = tokens[:length]
    rare = np.flatnonzero(chance.random(length) < _RARE_SHARE)
    for at, rank in zip(rare, chance.zipf(_EXPONENT, len(rare)), strict=True):
        tokens[at] = rare_word(int(rank) % _RARE_WORDS)
    return " ".join(tokens)


def rare_word(rank: int) -> str:
    """Return an invented word for a rank of Zipf's law."""
    rank += len(_SYLLABLES)
    parts = []
    while rank:
        rank, digit = divmod(rank, len(_SYLLABLES))
        parts.append(_SYLLABLES[digit])
    return "".join(parts)


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


# Real passages and real questions, from which a larger corpus is made up.
#
# By default they are the docstrings of the packages this product is installed with: English prose
# about mathematics, databases, the web, graphs and statistics that lies on every machine.

_PACKAGES = ("django", "sqlalchemy", "networkx", "numpy", "scipy", "sklearn", "sympy", "torch")
_SHORTEST, _LONGEST = 200, 500
_SHORTEST_QUESTION, _LONGEST_QUESTION = 25, 160
_LONGEST_FILE = 400_000
_A_FILE = 12


@dataclass(frozen=True, slots=True)
class Passages:
    """Texts of at most 500 characters, and questions that some of them answer."""

    texts: list[str]
    questions: list[str]


def installed_passages(count: int, *, questions: int, seed: int) -> Passages:
    """Return up to `count` passages of docstrings; a question is a docstring's first sentence."""
    files = sorted(_sources())
    random.Random(seed).shuffle(files)  # noqa: S311  a benchmark repeats itself
    texts: dict[str, None] = {}
    question_texts: dict[str, None] = {}
    for file in files:
        if len(texts) >= count and len(question_texts) >= questions:
            break
        for summary, body in list(_docstrings(file))[:_A_FILE]:
            _take(texts, body, count)
            if _SHORTEST_QUESTION <= len(summary) <= _LONGEST_QUESTION:
                question_texts.setdefault(summary)
    return Passages(list(texts), list(question_texts)[:questions])


def folder_passages(folder: Path, count: int, *, questions: int, seed: int) -> Passages:
    """Return up to `count` passages of a folder in BEIR's layout, and its questions."""
    chance = random.Random(seed)  # noqa: S311  as above
    documents = list(_read(folder / "corpus.jsonl"))
    question_texts = list(dict.fromkeys(_read(folder / "queries.jsonl")))
    chance.shuffle(documents)
    chance.shuffle(question_texts)
    texts: dict[str, None] = {}
    for document in documents:
        _take(texts, document, count)
    return Passages(list(texts), question_texts[:questions])


def _take(texts: dict[str, None], document: str, count: int) -> None:
    for span in chunk(document, size=_LONGEST, overlap=0):
        if span.end - span.start >= _SHORTEST and len(texts) < count:
            texts.setdefault(document[span.start : span.end])


def _read(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield f"{row.get('title', '')}\n{row['text']}".strip()


def _sources() -> Iterator[Path]:
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            yield from (
                file
                for file in Path(folder).rglob("*.py")
                if "test" not in str(file.relative_to(folder))
            )


def _docstrings(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the first paragraph of each docstring and the rest."""
    if file.stat().st_size > _LONGEST_FILE:
        return
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            summary, _, body = (ast.get_docstring(node) or "").partition("\n\n")
            if body:
                yield " ".join(summary.split()), body
