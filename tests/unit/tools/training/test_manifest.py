"""The rows that trained or fitted something are listed, and no others."""

import json
from pathlib import Path

import pytest

from desk.scoring.split import split_of
from tools.evaluation.answers.fit import fitted_rows, hashes
from tools.training.answers import ALLOWED, is_spare, trains
from tools.training.judge.data import held_out
from tools.training.judge.mix import MIX
from tools.training.manifest import judged_hashes, listed_hashes

ROWS = [{"id": str(at), "dataset": "d", "context": [f"s{at}"], "response": "x"} for at in range(60)]


def test_each_row_is_listed_for_what_it_fitted(tmp_path) -> None:
    (tmp_path / "f.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    row_hashes = [hashes(row) for row in ROWS]
    model, fusion = (
        fitted_rows(row_hashes, listed_hashes(tmp_path, ("f",), item))
        for item in (trains, is_spare)
    )
    assert any(model)
    assert any(fusion)
    assert not any(
        by_model and by_fusion for by_model, by_fusion in zip(model, fusion, strict=True)
    )
    tune = [split_of(row) == "tune" for row in ROWS]
    assert [
        by_model or by_fusion for by_model, by_fusion in zip(model, fusion, strict=True)
    ] == tune


@pytest.mark.parametrize("name", ["dstc9.cross.train", "short_squad.train"])
def test_answers_learned_as_served_or_outside_the_mix_are_listed(tmp_path, name) -> None:
    for other in {*ALLOWED, *(Path(pattern).stem for pattern in MIX)}:
        (tmp_path / f"{other}.jsonl").touch()
    (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    listed = fitted_rows([hashes(row) for row in ROWS], judged_hashes(tmp_path))
    assert listed == [not held_out(row) for row in ROWS]
