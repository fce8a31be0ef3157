"""The plain-text rows that train the judge."""

import json
from pathlib import Path

import pytest

from tools.evaluation.answers.sets import SetError, read_written
from tools.training.judge.data import (
    CONTRADICT,
    ENTAIL,
    NEUTRAL,
    NOT_ENTAILED,
    ROWS,
    claims_of,
    read_rows,
)

BLOCK = """domain: tenancy
P: The landlord pays for repairs of the roof.
R: {"deposit": 900}
Q: Who pays?
+ role: The owner bears the cost of mending the roof.
- role: The {{tenant}} pays for repairs of the roof.
? detail: The landlord pays {{within two weeks}}.
====
P: Open daily.
+ day: It is open on Mondays.
"""


def rows_of(tmp_path: Path, text: str) -> list[dict]:
    path = tmp_path / "rows.txt"
    path.write_text(text, encoding="utf-8")
    return list(read_written(path))


def test_blocks_become_rows_with_marked_words(tmp_path) -> None:
    rows = rows_of(tmp_path, BLOCK)
    assert [row["label"] for row in rows] == [0, 1, 1, 0]
    wrong = rows[1]
    start, end, kind = wrong["spans"][0]
    assert (wrong["response"][start:end], kind) == ("tenant", "contradict")
    assert wrong["context"] == ["The landlord pays for repairs of the roof.", {"deposit": 900}]
    assert (wrong["query"], wrong["meta"]["domain"]) == ("Who pays?", "tenancy")
    assert rows[0]["meta"]["source_id"] != rows[3]["meta"]["source_id"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- role: no braces here", "braces mark"),
        ("+ role: {{braces}} in a right claim", "braces mark"),
        ("- role: {{open", "braces mark"),
        ("+ no tag", "not a claim"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, message) -> None:
    with pytest.raises(SetError, match=message):
        rows_of(tmp_path, f"P: A passage.\n{line}\n")


def test_a_block_without_claims_is_refused(tmp_path) -> None:
    with pytest.raises(SetError, match="without a source or a claim"):
        rows_of(tmp_path, "P: A passage.\n")


def test_all_our_rows_can_be_read() -> None:
    assert sum(1 for path in ROWS.glob("*.txt") for _ in read_written(path)) > 0


@pytest.mark.parametrize(
    ("name", "label", "target"),
    [
        ("mnli.dev", "entailment", ENTAIL),
        ("mnli.dev", "neutral", NEUTRAL),
        ("mnli.dev", "contradiction", CONTRADICT),
        ("scitail.dev", "neutral", NOT_ENTAILED),
    ],
)
def test_pairs_of_sentences_are_rows(tmp_path, name, label, target) -> None:
    path = tmp_path / f"{name}.jsonl"
    pair = {"premise": "A dog runs.", "hypothesis": "An animal moves.", "label": label}
    path.write_text(json.dumps(pair) + "\n", encoding="utf-8")
    (row,) = read_rows(path)
    assert [claim.target for claim in claims_of(row)] == [target]
