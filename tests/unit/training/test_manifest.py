"""The rows that trained or fitted something are listed, and no others."""

import json
from pathlib import Path

from evaluation.answers.fitted import hashes, seen
from scoring.split import split_of
from training.answers import trains
from training.manifest import fuses, listed

ROWS = [{"id": str(at), "dataset": "d", "context": [f"s{at}"], "response": "x"} for at in range(60)]


def test_each_row_is_listed_for_what_it_fitted(tmp_path: Path) -> None:
    (tmp_path / "f.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    known = [hashes(row) for row in ROWS]
    model, fusion = (seen(known, listed(tmp_path, ("f",), one)) for one in (trains, fuses))
    assert any(model)
    assert any(fusion)
    assert not any(one and two for one, two in zip(model, fusion, strict=True))
    tune = [split_of(row) == "tune" for row in ROWS]
    assert [one or two for one, two in zip(model, fusion, strict=True)] == tune
