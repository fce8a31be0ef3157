"""`manage.py evaluate_collections`: its answers checked, and what fills large collections."""

import json
from collections import Counter
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError

from tests.commands import run
from tools.evaluation.management.commands.evaluate_collections import other_texts

evaluate = partial(run, "evaluate_collections", stderr=StringIO())


def test_each_answer_is_checked(transactional_db: None, empty_redis: None, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    table = evaluate("--size", "5", "--answers", str(answers))
    assert (table.count("of 39"), table.count("of 23")) == (2, 4)
    results = [json.loads(line) for line in answers.read_text().splitlines()]
    assert Counter(r["kind"] for r in results) == {"right": 39, "wrong": 23, "unanswerable": 23}
    flagged = Counter(result["kind"] for result in results if result["action"] != "ALLOW")
    assert flagged["unanswerable"] >= 0.9 * 23
    assert flagged["right"] <= 0.35 * 39


def test_a_large_collection_needs_what_fills_it(transactional_db: None) -> None:
    with pytest.raises(CommandError, match="995 others"):
        evaluate("--size", "1000")


def test_it_is_filled_with_the_contexts_of_labelled_answers_each_once(tmp_path: Path) -> None:
    first, second = "Herons nest. " * 40, "Owls hunt. " * 40
    contexts = [[first], ["Too short."], [first], None, [second, "At night."]]
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(f"{json.dumps({'context': each})}\n" for each in contexts))
    assert list(other_texts([file])) == [first, f"{second}\n\nAt night."]
