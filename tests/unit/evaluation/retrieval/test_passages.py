"""Real passages: from installed packages, or from a folder in BEIR's layout."""

import json
from pathlib import Path

from evaluation.retrieval.passages import folder_passages, installed_passages


def test_docstrings_of_installed_packages_are_prose_with_questions() -> None:
    found = installed_passages(40, questions=10, seed=3)
    assert len(found.texts) == len(set(found.texts)) == 40
    assert all(200 <= len(text) <= 500 for text in found.texts)
    assert len(found.questions) == 10
    assert found == installed_passages(40, questions=10, seed=3)


def test_a_beir_folder(tmp_path: Path) -> None:
    rows = [{"_id": str(n), "title": f"T{n}", "text": "A sentence of it. " * 20} for n in range(5)]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "What is it?"}))
    found = folder_passages(tmp_path, 4, questions=9, seed=1)
    assert len(found.texts) == 4
    assert found.questions == ["What is it?"]
