"""Points of the learning curve: `python -m training.judge.measure FILE --base DIR --data DIR`.

Prints the AUROC of a checkpoint on rows that neither train nor are reported: written passages held
out (alone, and among four other passages), and the spare rows of the tune half of other sets. An
answer is as bad as its worst sentence.
"""

import argparse
import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch
from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]

from scoring.split import split_of
from training.answers import trains
from training.judge.data import (
    Block,
    LabelledClaim,
    blocks,
    held_out,
    read_rows,
    sentence_spans,
    source_text,
)
from training.judge.mix import WRITTEN
from training.judge.model import JudgeNetwork
from training.judge.train import Encoder

BUDGET = 600
SETS = (
    "ragtruth.train_part", "ragtruth_records.dev", "halueval_qa.dev", "wice.dev", "frank.val",
    "summedits.dev", "expertqa.val",
)  # fmt: skip


class Scorer:
    """A checkpoint that tells how far claims are from supported."""

    def __init__(self, base: Path, checkpoint: Path) -> None:
        self._encoder = Encoder(base)
        self._model = JudgeNetwork(base)
        state = torch.load(checkpoint, map_location="cpu")
        self._model.load_state_dict(state["model"])
        self._model.eval()
        self.claims = state.get("claims", 0)

    def unsupported(self, block: Block) -> list[float]:
        """For each claim of the block, the probability (0-1) that it is not entailed."""
        packed = self._encoder.pack(block, BUDGET)
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            logits, _ = self._model(packed)
        return [float(value) for value in 1 - logits.float().softmax(-1)[:, 0]]


def written_blocks(folder: Path, most: int) -> list[Block]:
    """Held-out written blocks, a fixed choice of `most` of them."""
    pool = [b for path in sorted(folder.glob(WRITTEN)) for b in blocks(path, held_out, 24)]
    return sorted(pool, key=lambda block: hashlib.sha256(block.texts[0].encode()).digest())[:most]


def among_others(blocks: list[Block]) -> list[Block]:
    """The same blocks, each among the passages of four others."""
    chance = random.Random(7)
    mixed = []
    for block in blocks:
        groups = [block.texts, *(chance.choice(blocks).texts for _ in range(4))]
        chance.shuffle(groups)
        mixed.append(replace(block, texts=tuple(text for group in groups for text in group)))
    return mixed


def claim_figures(scorer: Scorer, blocks: list[Block]) -> str:
    """AUROC by claim, and the share of supported claims from 0.5 on."""
    labels: list[int] = []
    scores: list[float] = []
    for block in blocks:
        labels += [int(claim.target != 0) for claim in block.claims]
        scores += scorer.unsupported(block)
    clean = [score for score, label in zip(scores, labels, strict=True) if not label]
    flagged = sum(score >= 0.5 for score in clean) / len(clean)
    auroc = roc_auc_score(labels, scores)
    return f"{len(labels)} claims, AUROC {auroc:.3f}, supported ones flagged {flagged:.3f}"


def answers(path: Path, most: int) -> Iterator[tuple[Block, int]]:
    """Spare answers of the tune half with their labels."""
    rows = [row for row in read_rows(path) if split_of(row) == "tune" and not trains(row)]
    rows.sort(key=lambda row: hashlib.sha256(json.dumps(row["id"]).encode()).digest())
    for row in rows[:most]:
        texts = tuple(source_text(part) for part in row["context"])
        claims = tuple(
            LabelledClaim(row["response"][a:b], None, 0) for a, b in sentence_spans(row["response"])
        )
        if claims:
            yield Block(texts, row["query"] or "", claims), row["label"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--most", type=int, default=80)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    scorer = Scorer(options.base, options.checkpoint)
    print(f"{options.checkpoint.name}: {scorer.claims} claims seen", flush=True)
    blocks = written_blocks(options.data, options.most)
    print("written, alone:", claim_figures(scorer, blocks), flush=True)
    print("written, among four others:", claim_figures(scorer, among_others(blocks)), flush=True)
    for name in SETS:
        pairs = list(answers(options.data / "grounding" / f"{name}.jsonl", options.most))
        labels = [label for _, label in pairs]
        if len(set(labels)) < 2:
            print(f"{name}: {len(labels)} answers of one label", flush=True)
            continue
        scores = [max(scorer.unsupported(block)) for block, _ in pairs]
        print(
            f"{name}: {len(labels)} answers, AUROC {roc_auc_score(labels, scores):.3f}", flush=True
        )


if __name__ == "__main__":
    main()
