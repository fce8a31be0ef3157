"""The learning curve: `python -m tools.training.judge.measure FILE … --base DIR --data DIR`.

Prints one row a checkpoint: the AUROC on the everyday development set by sentence (also against
what contradicts and what the sources do not say alone), on held-out written claims, on held-out
answers to questions by kind, and on spare rows of the tune half of public sets, where an answer is
as bad as its worst sentence. None of these rows trains or is reported. With `--small` each row is
followed by that of the checkpoint's blend with a small judge.
"""

import argparse
import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor

from lib.stats.detection import auroc
from tools.training.answers import is_spare
from tools.training.judge.data import (
    CONTRADICT,
    ENTAIL,
    NEUTRAL,
    NOT_ENTAILED,
    ROWS,
    Block,
    LabelledClaim,
    blocks,
    held_out,
    read_rows,
    sentence_spans,
    source_text,
)
from tools.training.judge.mix import WRITTEN
from tools.training.judge.model import JudgeNetwork
from tools.training.judge.train import Encoder

BUDGET = 600
EVERYDAY = Path(__file__).parents[2] / "evaluation" / "everyday" / "dev"
SETS = (
    "ragtruth.train_part", "ragtruth_records.dev", "halueval_qa.dev", "wice.dev", "frank.val",
    "summedits.dev", "expertqa.val",
)  # fmt: skip
CURVE = ("ragtruth.train_part", "ragtruth_records.dev", "wice.dev", "halueval_qa.dev")
KINDS: Mapping[str, Sequence[str]] = {
    "short answers": ("short_squad.train", "short_newwiki.train", "short_mixed.train"),
    "yes and no": ("pubmedqa_yesno.train", "condaqa.train"),
    "chatbots": ("dstc9.real.train", "dstc9.cross.train"),
    "reports": ("tatqa.train",),
    "tables": ("tables_wtq.train", "tables_fetaqa.train"),
    "pairs": ("answers-*",),
}
"""Files of answers to questions, as `tools.training.judge.served` writes them."""
HEADINGS = (
    "everyday", "contradicted", "not in the sources", "written", "rows", *KINDS, *CURVE,
)  # fmt: skip
_ALL = (CONTRADICT, NEUTRAL, NOT_ENTAILED)


class Scorer(Protocol):
    """A model that tells how far claims are from supported."""

    def unsupported(self, block: Block) -> list[float]:
        """Return for each claim of the block the probability (0-1) that it is not entailed."""
        ...


class Checkpoint:
    """A judge in training; `claims` are those it has seen."""

    def __init__(self, base: Path, checkpoint: Path) -> None:
        self._encoder = Encoder(base)
        self._model = JudgeNetwork(base)
        state = torch.load(checkpoint, map_location="cpu")
        self._model.load_state_dict(state["model"])
        self._model.eval()
        self.claims: int = state.get("claims", 0)
        self.name = checkpoint.stem
        self._known: dict[Block, Tensor] = {}

    def log_chances(self, block: Block) -> Tensor:
        """Return the logarithms of the labels' probabilities, of shape (claims, 3)."""
        if block not in self._known:
            packed = self._encoder.pack(block, BUDGET)
            with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
                logits, _ = self._model(packed)
            self._known[block] = logits.float().log_softmax(-1)
        return self._known[block]

    def unsupported(self, block: Block) -> list[float]:
        return (1 - self.log_chances(block).exp()[:, 0]).tolist()


@dataclass(frozen=True)
class Blended:
    """Two judges in training as the product blends them (`inference.judge.combined`)."""

    thorough: Checkpoint
    quick: Checkpoint
    share: float = 1 / 3

    def unsupported(self, block: Block) -> list[float]:
        both = self.thorough.log_chances(block), self.quick.log_chances(block)
        mean = torch.lerp(*both, self.share)
        return (1 - mean.softmax(-1)[:, 0]).tolist()


@dataclass(frozen=True)
class CurveRows:
    """The rows that every checkpoint is measured on; `answers` by set, each with its label."""

    everyday: list[Block]
    held_out: list[Block]
    own: list[Block]
    kinds: Mapping[str, list[Block]]
    answers: Mapping[str, list[tuple[Block, int]]]


def curve_rows(data: Path, most: int) -> CurveRows:
    """Return the everyday set, and at most so many blocks and answers of each other set."""
    everyday = [
        block
        for path in sorted(EVERYDAY.glob("*.txt"))
        for block in blocks(path, lambda _row: True, 24)
    ]
    return CurveRows(
        everyday,
        held_out_blocks(sorted(data.glob(WRITTEN)), most),
        held_out_blocks(sorted(ROWS.glob("*.txt")), most),
        {
            kind: held_out_blocks(
                [path for name in names for path in sorted(data.glob(f"served/{name}.jsonl"))], most
            )
            for kind, names in KINDS.items()
        },
        {name: list(answers(data / "grounding" / f"{name}.jsonl", most)) for name in CURVE},
    )


def held_out_blocks(files: Sequence[Path], most: int) -> list[Block]:
    """Return blocks of the held-out rows, a fixed choice of `most` of them."""
    pool = [block for path in files for block in blocks(path, held_out, 24)]
    return sorted(pool, key=lambda block: _digest(repr(block)))[:most]


def answers(path: Path, most: int) -> Iterator[tuple[Block, int]]:
    """Yield spare answers of the tune half with their labels, a fixed choice."""
    spare = (row for row in read_rows(path) if is_spare(row))
    rows = sorted(spare, key=lambda row: _digest(json.dumps(row["id"])))
    for row in rows[:most]:
        texts = tuple(source_text(part) for part in row["context"])
        claims = tuple(
            LabelledClaim(row["response"][a:b], None, 0) for a, b in sentence_spans(row["response"])
        )
        if claims:
            yield Block(texts, row["query"] or "", claims), row["label"]


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def figures(scorer: Scorer, rows: CurveRows) -> list[float | None]:
    """Return the AUROC of each heading; None where a label is missing."""
    everyday, passages = (_by_claim(scorer, part) for part in (rows.everyday, rows.held_out))
    return [
        _auroc(everyday, _ALL),
        _auroc(everyday, (CONTRADICT,)),
        _auroc(everyday, (NEUTRAL,)),
        _auroc(passages, _ALL),
        *(_auroc(_by_claim(scorer, part), _ALL) for part in (rows.own, *rows.kinds.values())),
        *(_by_answer(scorer, pairs) for pairs in rows.answers.values()),
    ]


def _by_claim(scorer: Scorer, blocks: Sequence[Block]) -> list[tuple[int, float]]:
    """Return the target of each claim, and how far from supported it seems."""
    targets = [claim.target for block in blocks for claim in block.claims]
    scores = [score for block in blocks for score in scorer.unsupported(block)]
    return list(zip(targets, scores, strict=True))


def _auroc(pairs: Sequence[tuple[int, float]], against: Collection[int]) -> float | None:
    own = [(target, score) for target, score in pairs if target == ENTAIL or target in against]
    return auroc([target != ENTAIL for target, _ in own], [score for _, score in own])


def _by_answer(scorer: Scorer, pairs: Sequence[tuple[Block, int]]) -> float | None:
    scores = [max(scorer.unsupported(block)) for block, _ in pairs]
    return auroc([bool(label) for _, label in pairs], scores)


def head(rows: CurveRows) -> str:
    """Return the headings of a Markdown table, each with its number of claims or answers."""
    everyday, passages = (
        [claim.target for block in part for claim in block.claims]
        for part in (rows.everyday, rows.held_out)
    )
    counts = (
        len(everyday),
        everyday.count(CONTRADICT),
        everyday.count(NEUTRAL),
        len(passages),
        *(sum(len(block.claims) for block in part) for part in (rows.own, *rows.kinds.values())),
        *map(len, rows.answers.values()),
    )
    cells = [f"{name} ({count:,})" for name, count in zip(HEADINGS, counts, strict=True)]
    return f"| weights | claims seen | {' | '.join(cells)} |\n|---|{'---:|' * (len(cells) + 1)}"


def line(name: str, claims: int, values: Sequence[float | None]) -> str:
    cells = ["–" if value is None else f"{value:.3f}" for value in values]
    return f"| {name} | {claims:,} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--most", type=int, default=80, help="written blocks, answers of a set")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--small", type=Path, help="a checkpoint of a small judge to blend with")
    parser.add_argument("--small-base", type=Path)
    options = parser.parse_args()
    if (options.small is None) != (options.small_base is None):
        parser.error("--small and --small-base go together")
    torch.set_num_threads(options.threads)
    rows = curve_rows(options.data, options.most)
    small = Checkpoint(options.small_base, options.small) if options.small else None
    print(head(rows), flush=True)
    for path in options.checkpoints:
        checkpoint = Checkpoint(options.base, path)
        print(line(path.stem, checkpoint.claims, figures(checkpoint, rows)), flush=True)
        if small:
            blend, name = Blended(checkpoint, small), f"{path.stem}, {small.name}"
            print(line(name, checkpoint.claims, figures(blend, rows)), flush=True)


if __name__ == "__main__":
    main()
