"""Train the judge of answers: `python -m tools.training.judge_of_answers.train --base DIR …`

`--data FILE --start CHECKPOINT --out CHECKPOINT --seconds N`. The base judge goes on learning
another task: it reads a question without evidence, and sentences of a document as claims; the one
that answers is entailed. `--data` is what `tools.training.judge_of_answers.data` wrote;
`tools.training.judge.pack` packs the checkpoint. Two processes, as in `tools.training.judge.train`.
"""

import argparse
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.multiprocessing.spawn import spawn
from torch.nn import functional

from lib.text.words import STOPWORDS
from tools.training.judge.data import ENTAIL, NEUTRAL, Block, LabelledClaim
from tools.training.judge.model import JudgeNetwork
from tools.training.judge.train import Encoder, average, freeze, optimiser, process_group, save

PROCESSES, STEPS_ALONE, SAVE_S = 2, 25, 240
_BLOCKS = 4
"""Questions a step."""
_HARDEST, _OTHERS = 5, 1
"""Sentences of the document beside the one that answers: the nearest to it, and others."""
_NOT_THERE, _FOREIGN = 0.12, 0.3
"""Shares of the questions whose answer is left out, and that get a sentence of another document."""
_TYPED, _NEAR = 0.45, 0.15
"""Shares of the questions with other wordings that get one, and that a near question replaces."""
_FEW_WORDS, _FEWEST_WORDS = 0.25, 2
"""Share of the other questions left with their content words, and the fewest that say enough."""
_NO_MARK, _NO_CAPITAL = 0.3, 0.2
_CHARACTERS, _BUDGET = 360, 300
_WEIGHT = 2.0
"""Of the sentence that answers, there being several others."""


@dataclass(frozen=True)
class Options:
    base: Path
    data: Path
    start: Path
    out: Path
    seconds: float
    rate: float = 5e-5
    frozen: int = 5
    seed: int = 0


def block_of(row: dict[str, Any], others: Sequence[dict[str, Any]], rng: random.Random) -> Block:
    """Return a question with the sentence that answers it, unless that is left out, and others."""
    question, is_answered = wording(row, rng)
    by_score = sorted(range(len(row["texts"])), key=lambda at: -row["scores"][at])
    right = [at for at in by_score if row["labels"][at] == 1]
    wrong = [at for at in by_score if row["labels"][at] == 0]
    far = wrong[_HARDEST:]
    wrong = wrong[:_HARDEST] + rng.sample(far, min(_OTHERS, len(far)))
    if is_answered and wrong and rng.random() < _NOT_THERE:
        right = []
    claims = [(row["texts"][at], ENTAIL if is_answered else NEUTRAL) for at in right]
    claims += [(row["texts"][at], NEUTRAL) for at in wrong]
    if rng.random() < _FOREIGN:
        claims.append((rng.choice(rng.choice(others)["texts"]), NEUTRAL))
    labelled = (LabelledClaim(text[:_CHARACTERS], None, target) for text, target in claims)
    return Block((), question, tuple(labelled))


def wording(row: dict[str, Any], rng: random.Random) -> tuple[str, bool]:
    """Return the question as people type it, and whether the document answers it.

    `row["typed"]` are wordings by people in a hurry ("home births?"), `row["near"]` is a question
    that no sentence answers, though it sounds so. Others at times are left with their content
    words, without their mark or without their capital.
    """
    if row.get("near") and rng.random() < _NEAR:
        return row["near"], False
    if row.get("typed") and rng.random() < _TYPED:
        return rng.choice(row["typed"]), True
    question = row["question"]
    content = [word for word in question.split() if word.lower().strip("?,.!") not in STOPWORDS]
    if len(content) >= _FEWEST_WORDS and rng.random() < _FEW_WORDS:
        question = f"{' '.join(content).rstrip('?')}?"
    if rng.random() < _NO_MARK:
        question = question.rstrip("?")
    is_small = rng.random() < _NO_CAPITAL
    return question[:1].lower() + question[1:] if is_small else question, True


def loss_of(logits: Tensor, block: Block) -> Tensor:
    """Return the loss of each sentence by itself, plus that of the choice among them."""
    odds = logits[:, ENTAIL] - torch.logsumexp(logits[:, ENTAIL + 1 :], 1)
    targets = torch.tensor([float(claim.target == ENTAIL) for claim in block.claims])
    weight = torch.tensor(_WEIGHT)
    each = functional.binary_cross_entropy_with_logits(odds, targets, pos_weight=weight)
    if not bool(targets.any()):
        return each
    return each + torch.logsumexp(odds, 0) - torch.logsumexp(odds[targets > 0], 0)


def run(rank: int, options: Options) -> None:
    """Learn in one of the processes until the time is over."""
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    with options.data.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    encoder, model = Encoder(options.base), JudgeNetwork(options.base)
    model.load_state_dict(torch.load(options.start, map_location="cpu")["model"])
    model.train()
    freeze(model, options.frozen)
    adam, rng = optimiser(model, options.rate), random.Random(options.seed * PROCESSES + rank)
    trained = [each for each in model.parameters() if each.requires_grad]
    began = saved = time.monotonic()
    steps, over = 0, False
    with process_group(options.out.with_suffix(".meeting").absolute(), rank, PROCESSES):
        while not over:
            elapsed = time.monotonic() - began
            share = min(1, (steps + 1) / 50) * max(0.02, 1 - elapsed / options.seconds)
            for group in adam.param_groups:
                group["lr"] = group["factor"] * options.rate * share
            loss = torch.tensor(0.0)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                for _ in range(_BLOCKS):
                    block = block_of(rng.choice(rows), rows, rng)
                    logits, _ = model(encoder.pack(block, _BUDGET))
                    loss = loss + loss_of(logits.float(), block) / _BLOCKS
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(trained, 1.0)
            adam.step()
            adam.zero_grad()
            steps += 1
            if steps % STEPS_ALONE:
                continue
            over = average(model, elapsed >= options.seconds)
            if rank == 0:
                print(f"{elapsed:.0f} s, {steps * _BLOCKS} questions, loss {float(loss):.3f}")
            if rank == 0 and (over or time.monotonic() - saved > SAVE_S):
                save(model, options.out, steps * _BLOCKS, elapsed)
                saved = time.monotonic()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("base", "data", "start", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--rate", type=float, default=Options.rate)
    parser.add_argument("--frozen", type=int, default=Options.frozen)
    parser.add_argument("--seed", type=int, default=Options.seed)
    options = Options(**vars(parser.parse_args()))
    options.out.with_suffix(".meeting").unlink(missing_ok=True)
    spawn(run, (options,), nprocs=PROCESSES)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
