"""Measures of ranking by hand, and folders in BEIR's layout."""

import json
import math

import pytest

from tools.evaluation.management.commands.evaluate_retrieval import (
    hit,
    measure,
    ndcg,
    read_beir,
    recall,
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


def test_a_folder_in_beirs_layout(tmp_path) -> None:
    document = {"_id": "d1", "title": "Title", "text": "Text."}
    (tmp_path / "corpus.jsonl").write_text(json.dumps(document) + "\n")
    queries = [{"_id": "q1", "text": "asked"}, {"_id": "q2", "text": "not judged"}]
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(q) + "\n" for q in queries))
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    beir = read_beir(tmp_path)
    assert beir.corpus == {"d1": "Title\nText."}
    assert beir.queries == {"q1": "asked"}
    assert beir.judgements == {"q1": {"d1": 1}}


def test_a_folder_without_a_judged_query_is_refused(tmp_path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "1", "text": "Some text"}\n')
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "some"}\n')
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n")
    with pytest.raises(ValueError, match="no judged query"):
        read_beir(tmp_path)
