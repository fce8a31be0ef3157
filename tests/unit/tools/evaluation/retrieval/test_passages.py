"""Real passages: from installed packages, or from a folder in BEIR's layout."""

import json
from pathlib import Path

from tools.evaluation.retrieval.loading import folder_passages, installed_passages


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
