"""What the learning curve is measured on, and how two judges are blended there."""

import json
from pathlib import Path

import pytest
import torch  # noqa: TID253
from torch import Tensor  # noqa: TID253

from tools.training.judge.data import ENTAIL, Block, LabelledClaim
from tools.training.judge.measure import KINDS, Blended, kind_blocks

BLOCK = Block(("Ann lives in Ulm.",), "Where?", (LabelledClaim("Ulm", (), ENTAIL),))


class FixedJudge:
    """Says the same of every claim."""

    def __init__(self, *chances: float) -> None:
        self._logs = torch.tensor([chances]).log()

    def log_chances(self, _block: Block) -> Tensor:
        return self._logs


def test_a_blend_is_the_weighted_geometric_mean() -> None:
    blend = Blended(FixedJudge(0.8, 0.1, 0.1), FixedJudge(0.1, 0.1, 0.8))  # type: ignore[arg-type]
    entail, neutral, contradict = (
        0.8 ** (2 / 3) * 0.1 ** (1 / 3),
        0.1,
        0.1 ** (2 / 3) * 0.8 ** (1 / 3),
    )
    expected = 1 - entail / (entail + neutral + contradict)
    assert blend.unsupported(BLOCK) == pytest.approx([expected], abs=1e-5)


def test_a_kind_holds_the_held_out_answers_of_its_forms(tmp_path: Path) -> None:
    (tmp_path / "grounding").mkdir()
    names, _ = KINDS["bare answers"]
    for name in names:
        rows = [
            {"context": [f"{name} {n}"], "query": "Who?", "response": f"{form} {n}", "label": 0,
             "meta": {"source_id": f"{name}-{n}", "form": form}}
            for n in range(60) for form in ("bare", "sentence")
        ]  # fmt: skip
        text = "\n".join(map(json.dumps, rows))
        (tmp_path / "grounding" / f"{name}.train.jsonl").write_text(text, encoding="utf-8")
    pool = kind_blocks(tmp_path, "bare answers", 1000)
    assert 5 <= len(pool) <= 40
    assert all(claim.text.startswith("bare") for block in pool for claim in block.claims)
    assert kind_blocks(tmp_path, "bare answers", 4) == pool[:4]
