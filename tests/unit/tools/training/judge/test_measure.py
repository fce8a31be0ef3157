"""The rows of the learning curve, and the blend of two judges there."""

import json

import pytest
import torch  # noqa: TID253
from torch import Tensor  # noqa: TID253

from tools.training.judge.data import ENTAIL, Block, LabelledClaim
from tools.training.judge.measure import Blended, held_out_blocks

BLOCK = Block(("Ann lives in Ulm.",), "Where?", (LabelledClaim("Ulm", (), ENTAIL),))


class FixedJudge:
    """Says the same of every claim."""

    def __init__(self, *chances: float) -> None:
        self._logs = torch.tensor([chances]).log()

    def log_chances(self, _block: Block) -> Tensor:
        return self._logs


def test_a_blend_is_the_weighted_geometric_mean() -> None:
    blend = Blended(FixedJudge(0.8, 0.1, 0.1), FixedJudge(0.1, 0.1, 0.8))
    entail, neutral, contradict = (
        0.8 ** (2 / 3) * 0.1 ** (1 / 3),
        0.1,
        0.1 ** (2 / 3) * 0.8 ** (1 / 3),
    )
    expected = 1 - entail / (entail + neutral + contradict)
    assert blend.unsupported(BLOCK) == pytest.approx([expected], abs=1e-5)


def test_what_is_measured_is_held_out_by_source_and_always_the_same(tmp_path) -> None:
    blocks = [
        {"context": [f"Ann lives in Ulm {n}."], "query": "", "meta": {"source_id": f"ulm-{n}"},
         "claims": [{"text": f"Where? Ulm {n}", "spans": [], "target": ENTAIL}]}
        for n in range(120)
    ]  # fmt: skip
    file = tmp_path / "short.jsonl"
    file.write_text("\n".join(map(json.dumps, blocks)), encoding="utf-8")
    pool = held_out_blocks([file], 1000)
    assert 5 <= len(pool) <= 30
    assert held_out_blocks([file], 4) == pool[:4]
