"""Files of labelled answers: what cannot be read of them is left out and named."""

import json
import re
from pathlib import Path

import pytest

from desk.scoring.split import split_of
from tools.evaluation.answers.sets import PARTS, SetError, load_set

ROWS = [{"response": "x", "context": [f"source {at}"], "label": at % 2} for at in range(20)]


def write(path: Path, rows: list) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_the_halves_make_the_whole(tmp_path) -> None:
    file = write(tmp_path / "a.b.jsonl", ROWS)
    tune, report, everything = (load_set(file, part) for part in ("tune", "report", "all"))
    assert everything.name == "a.b"
    assert len(tune.rows) + len(report.rows) == len(everything.rows) == 20
    assert all(split_of(row.raw) == "tune" for row in tune.rows)
    assert not tune.sources & report.sources


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"response": "x"}, "line 2: `label` must be 0 or 1, not None"),
        ({"response": "x", "label": 1, "spans": [[0, 9]]}, "line 2: `spans` must hold"),
        ({"label": 1}, "line 2: `response` must be a string"),
    ],
)
def test_a_line_that_cannot_be_measured_is_named(tmp_path, row, reason) -> None:
    labelled = load_set(write(tmp_path / "f.jsonl", [ROWS[0], row, ROWS[1]]))
    assert [row.line for row in labelled.rows] == [1, 3]
    (skipped,) = labelled.skipped
    assert reason in skipped
    with pytest.raises(SetError, match=re.escape(reason.replace("line 2", "line 1"))):
        load_set(write(tmp_path / "g.jsonl", [row]))


def test_a_file_without_rows_is_refused(tmp_path) -> None:
    with pytest.raises(SetError, match="has no answers"):
        load_set(write(tmp_path / "f.jsonl", []))
    single = write(tmp_path / "one.jsonl", ROWS[:1])
    other = "report" if split_of(ROWS[0]) == "tune" else "tune"
    with pytest.raises(SetError, match=f"has no answers in its half `{other}`"):
        load_set(single, other)
    with pytest.raises(SetError, match="cannot be read: No such file"):
        load_set(tmp_path / "none.jsonl")


BLOCK = """domain: tenancy
P: The landlord repairs the roof. The tenant pays for small repairs.
Q: Who repairs what?
+ role: The roof is the landlord's business.
- role: The {{tenant}} repairs the roof.
? detail: The landlord repairs the roof. The tenant pays little. {{It leaks}}.
"""


def test_a_folder_of_written_blocks_is_a_set(tmp_path) -> None:
    (tmp_path / "one.txt").write_text(BLOCK)
    labelled = load_set(tmp_path)
    assert labelled.name == tmp_path.name
    assert [row.raw["label"] for row in labelled.rows] == [0, 1, 1]
    assert [row.raw["task"] for row in labelled.rows] == ["statement", "statement", "summary"]
    assert labelled.rows[1].submission.answer == "The tenant repairs the roof."
    assert {len(load_set(tmp_path, part).rows) for part in PARTS} == {3}, "always whole"


def test_a_bad_block_is_named(tmp_path) -> None:
    (tmp_path / "one.txt").write_text(BLOCK + "- role: Nothing is marked here.\n")
    with pytest.raises(SetError, match="braces mark the wrong words"):
        load_set(tmp_path)


def test_an_empty_folder_is_refused(tmp_path) -> None:
    with pytest.raises(SetError, match="has no answers"):
        load_set(tmp_path)
