"""Measures of retrieval: real passages, a made-up corpus like them, ranking by hand."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from tools.evaluation.management.commands.evaluate_retrieval import (
    hit,
    measure,
    ndcg,
    read_beir,
    recall,
)
from tools.evaluation.retrieval.loading import (
    NEIGHBOURS,
    Universe,
    folder_passages,
    installed_passages,
    make,
    rare_word,
    universe,
)


def test_ndcg_by_hand() -> None:
    relevance = {"a": 1, "b": 1}
    assert ndcg(["a", "b"], relevance) == 1.0
    assert ndcg(["x", "a"], {"a": 1}) == pytest.approx(1 / math.log2(3))
    assert ndcg(["x"] * 10 + ["a"], {"a": 1}) == 0.0
    assert ndcg(["a"], {}) == 0.0


def test_hit_and_recall() -> None:
    assert hit(["x", "x", "x", "a"], {"a": 1}) == 1.0
    assert hit(["x", "x", "x", "x", "a"], {"a": 1}) == 0.0
    assert recall(["a", "x"], {"a": 1, "b": 1, "c": 0}) == 0.5


def test_a_query_without_ranking_counts_as_nothing_found() -> None:
    figures = measure({"1": ["a"]}, {"1": {"a": 1}, "2": {"b": 1}})
    assert figures == {"ndcg@10": 0.5, "hit@4": 0.5, "recall@100": 0.5}


def test_a_folder_in_beirs_layout(tmp_path: Path) -> None:
    document = {"_id": "d1", "title": "Title", "text": "Text."}
    (tmp_path / "corpus.jsonl").write_text(json.dumps(document) + "\n")
    queries = [{"_id": "q1", "text": "asked"}, {"_id": "q2", "text": "not judged"}]
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(q) + "\n" for q in queries))
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    beir = read_beir(tmp_path)
    assert beir.corpus == {"d1": "Title\nText."}
    assert beir.queries == {"q1": "asked"}
    assert beir.judgements == {"q1": {"d1": 1}}


def test_bad_rows_are_skipped_and_named(tmp_path):
    (tmp_path / "corpus.jsonl").write_text(
        '{"_id": "1", "text": "Some text"}\n{"_id": "2", "title": "", "text": " "}\nnot json\n[]\n'
    )
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "some"}\n{"_id": "r"}\n')
    (tmp_path / "qrels.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq\t1\t1\nq\t2\t1\nr\t1\t1\nq\t1\tmany\n"
    )
    data = read_beir(tmp_path)
    assert data.corpus == {"1": "Some text"}
    assert data.queries == {"q": "some"}
    assert data.judgements == {"q": {"1": 1, "2": 1}}
    text = "\n".join(data.skipped)
    places = ("corpus.jsonl line 2: 2 has no text", "corpus.jsonl line 3", "corpus.jsonl line 4",
              "queries.jsonl line 2", "qrels.tsv line 5", "qrels.tsv: no query r")  # fmt: skip
    assert len(data.skipped) == len(places)
    assert all(place in text for place in places)


def test_files_without_a_usable_row_are_refused(tmp_path):
    (tmp_path / "corpus.jsonl").write_text('{"_id": "1", "text": ""}\n')
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "some"}\n')
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\t1\t1\n")
    with pytest.raises(ValueError, match="no usable document"):
        read_beir(tmp_path)


def test_docstrings_of_installed_packages_are_prose_with_questions() -> None:
    passages = installed_passages(40, questions=10, seed=3)
    assert len(passages.texts) == len(set(passages.texts)) == 40
    assert all(200 <= len(text) <= 500 for text in passages.texts)
    assert len(passages.questions) == 10
    assert passages == installed_passages(40, questions=10, seed=3)


def test_a_beir_folder(tmp_path: Path) -> None:
    rows = [{"_id": str(n), "title": f"T{n}", "text": "A sentence of it. " * 20} for n in range(5)]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "What is it?"}))
    passages = folder_passages(tmp_path, 4, questions=9, seed=1)
    assert len(passages.texts) == 4
    assert passages.questions == ["What is it?"]


@pytest.fixture
def around() -> Universe:
    """Return sixty passages in three clusters."""
    chance = np.random.default_rng(0)
    centres = chance.normal(size=(3, 32))
    vectors = np.repeat(centres, 20, axis=0) + 0.4 * chance.normal(size=(60, 32))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    sentences = np.repeat(centres / np.linalg.norm(centres, axis=1, keepdims=True), 5, axis=0)
    texts = [f"word{n} " * 30 for n in range(60)]
    return universe(texts, vectors.astype(np.float32), sentences.astype(np.float32))


def test_neighbours_are_the_nearest_others(around: Universe) -> None:
    cosines = around.vectors @ around.vectors.T
    for at, neighbour in enumerate(around.neighbours):
        others = [other for other in np.argsort(-cosines[at]) if other != at]
        assert set(neighbour) == set(others[:NEIGHBOURS])


def test_chunks_have_unit_vectors_and_stay_in_their_cluster(around: Universe) -> None:
    chunks = make(around, 40, np.random.default_rng(1))
    assert np.allclose(np.linalg.norm(chunks.vectors, axis=1), 1, atol=1e-5)
    assert len(chunks.texts) == 40
    nearest = (chunks.vectors @ around.vectors.T).argmax(axis=1) // 20
    assert np.bincount(nearest, minlength=3).max() >= 30


def test_some_chunks_lie_nearer_to_a_sentence_than_any_passage(around: Universe) -> None:
    chance = np.random.default_rng(2)
    vectors = np.concatenate([make(around, 40, chance).vectors for _ in range(20)])
    for sentence in around.sentences[::5]:
        assert (vectors @ sentence).max() > (around.vectors @ sentence).max()


def test_the_same_seed_makes_the_same_corpus(around: Universe) -> None:
    first, second = (make(around, 5, np.random.default_rng(7)) for _ in range(2))
    assert first.texts == second.texts
    assert np.array_equal(first.vectors, second.vectors)
    assert make(around, 5, np.random.default_rng(8)).texts != first.texts


def test_rare_words_differ_and_are_words() -> None:
    words = {rare_word(rank) for rank in range(5000)}
    assert len(words) == 5000
    assert all(word.isalpha() for word in words)
