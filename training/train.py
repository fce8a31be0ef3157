"""Train the embedded model: `python -m training.train --to CHECKPOINT SET.jsonl.gz:SHARE …`.

Warm-up, then a constant rate for as long as it is given, then a linear decay (`--decay`): a run
can be cut off, resumed from its last checkpoint and given more data, at no loss.
"""

import argparse
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from tqdm import tqdm

from inference.sources import MINILM, find_source
from training.batches import UNMARKED, Batch, encode, stream
from training.examples import read
from training.model import PairModel, freeze_words, from_package

WARM_UP = 200
WORDS_WEIGHT = 1.0
SAVE_EVERY_S = 180.0


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """One run: where to, for how many steps and seconds, at which rate, on which sets."""

    to: Path
    sets: tuple[tuple[Path, float], ...]
    steps: int
    rate: float
    decay: bool
    tokens: int
    limit: int
    seed: int
    threads: int


def loss_of(pair: Tensor, words: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """Mean loss of the pairs and of the marked words.

    Two-way examples have -log(1 - p_entail), since nobody says which of the other two they are.
    """
    logs = functional.log_softmax(pair, dim=-1)
    three = -logs.gather(1, batch.targets.clamp(min=0).unsqueeze(1)).squeeze(1)
    two = -torch.logsumexp(logs[:, 1:], dim=-1)
    each = torch.where(batch.targets >= 0, three, two)
    is_marked = batch.marks != UNMARKED
    raw = functional.binary_cross_entropy_with_logits(
        words, batch.marks.clamp(min=0), reduction="none"
    )
    scaled = raw * batch.weights.unsqueeze(1)
    of_words = scaled[is_marked].mean() if bool(is_marked.any()) else raw.sum() * 0
    return (each * batch.weights).mean(), of_words


def rate_at(plan: TrainingRun, step: int) -> float:
    """The learning rate at a step (0-based) of the run."""
    if plan.decay:
        return plan.rate * max(0.0, 1 - step / plan.steps)
    return plan.rate * min(1.0, (step + 1) / WARM_UP)


def train(plan: TrainingRun) -> None:
    """Train to the end of the plan, from its checkpoint where one is there."""
    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    folder = _folder()
    model = from_package(folder)
    freeze_words(model)
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=plan.rate, weight_decay=0.01)
    state = _resume(plan.to, model, optimizer)
    batches = _batches(plan, folder, state.total)
    model.train()
    saved, smooth = time.monotonic(), [0.0, 0.0]
    first = 0 if plan.decay or not state.total else WARM_UP
    pairs = state.pairs
    for step in (bar := tqdm(range(plan.steps), desc=plan.to.name, mininterval=5)):
        batch = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate_at(plan, first + step)
        outputs = model(batch.ids, batch.mask, batch.types)
        losses = loss_of(outputs.pair, outputs.words, batch)
        optimizer.zero_grad()
        (losses[0] + WORDS_WEIGHT * losses[1]).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        pairs += len(batch.ids)
        smooth = [0.98 * old + 0.02 * loss.item() for old, loss in zip(smooth, losses, strict=True)]
        bar.set_postfix(pairs=pairs, pair=f"{smooth[0]:.3f}", words=f"{smooth[1]:.3f}")
        if time.monotonic() - saved > SAVE_EVERY_S:
            _save(plan.to, model, optimizer, TrainingState(state.total + step + 1, pairs))
            saved = time.monotonic()
    _save(plan.to, model, optimizer, TrainingState(state.total + plan.steps, pairs))


@dataclass(frozen=True, slots=True)
class TrainingState:
    """How far a checkpoint has come: steps and pairs over all its runs."""

    total: int
    pairs: int


def _folder() -> Path:
    folder = find_source(f"sentence-transformers/{'all-MiniLM-L6-v2'}").folder
    if folder is None:
        raise SystemExit(f"{MINILM.distribution} is not installed")
    return folder


def _batches(plan: TrainingRun, folder: Path, done: int) -> Iterator[Batch]:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    sets = [encode(tokenizer, list(read(path)), plan.limit) for path, _ in plan.sets]
    shares = [share * len(examples) for examples, (_, share) in zip(sets, plan.sets, strict=True)]
    return stream(sets, shares, plan.tokens, plan.seed + done)


def _resume(path: Path, model: PairModel, optimizer: torch.optim.Optimizer) -> TrainingState:
    if not path.exists():
        return TrainingState(0, 0)
    state = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"])
    if "optimizer" in state:
        optimizer.load_state_dict(state["optimizer"])
    return TrainingState(int(state["step"]), int(state["pairs"]))


def _save(
    path: Path, model: PairModel, optimizer: torch.optim.Optimizer, state: TrainingState
) -> None:
    """Write beside and rename, so that a kill leaves the checkpoint before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part")
    contents = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "step": state.total,
        "pairs": state.pairs,
    }
    torch.save(contents, beside)
    os.replace(beside, path)


def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", help="FILE:SHARE, the share multiplies its size")
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--decay", action="store_true")
    parser.add_argument("--tokens", type=int, default=3_072)
    parser.add_argument("--limit", type=int, default=256)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    sets = tuple((Path(p), float(s or 1)) for p, _, s in (i.partition(":") for i in options.sets))
    train(
        TrainingRun(
            options.to, sets, options.steps, options.rate, options.decay,
            options.tokens, options.limit, options.seed, options.threads,
        )
    )  # fmt: skip


if __name__ == "__main__":
    main()
