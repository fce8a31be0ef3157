"""Train the judge: `python -m tools.training.judge.train --base DIR --data DIR --out FILE`.

Goes on from `--start` (a checkpoint) or the base, writes a checkpoint every few minutes and one at
the end, and resumes from `--out` where that exists. Uses a GPU where there is one, else the
processor, in bfloat16 where it computes with that. `--data` is the folder that holds `grounding/`,
`nli/` and, parsed to JSONL, `written/`; the rows that come with the repository are always read.
"""

import argparse
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path

import torch
from torch import Tensor, distributed, nn
from torch.multiprocessing.spawn import spawn
from torch.nn import functional

from inference.judge import windows as evidence
from inference.judge.bases import TOKENIZER
from inference.judge.segments import CLAIM, CLAIM_TOKENS, QUESTION, QUESTION_TOKENS, WINDOW
from inference.runtime import open_tokenizer
from tools.training.judge.data import Block, LabelledClaim
from tools.training.judge.mix import MIX, WRITTEN, deck, draws, with_copies, with_distractors
from tools.training.judge.model import JudgeNetwork, Packed, Packer

BUDGETS = (160, 220, 320, 450)
"""Tokens of evidence for a block, drawn for each block."""
_SAVE_S = 240
_STEPS_ALONE = 25
"""Steps between two meetings of several processes."""
AVX512 = "AVX512"


@dataclass(frozen=True)
class Options:
    base: Path
    data: Path
    out: Path
    start: Path | None
    seconds: float
    rate: float
    frozen: int
    threads: int
    processes: int
    seed: int
    blocks: int = 2


class Encoder:
    def __init__(self, base: Path) -> None:
        self._tokenizer = open_tokenizer(base / TOKENIZER)

    def ids(self, text: str) -> list[int]:
        """Return the token ids without special tokens."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def pack(self, block: Block, budget: int) -> Packed:
        """Return the packed evidence chosen for the block's claims, the question and the claims."""
        packer = Packer()
        question = self.ids(block.question)[:QUESTION_TOKENS]
        queries = [self.ids(claim.text)[:CLAIM_TOKENS] for claim in block.claims]
        candidates = evidence.cut(block.texts, self.ids)
        for window in evidence.select(candidates, [*queries, question], budget):
            packer.add(list(window.ids), WINDOW)
        if question:
            packer.add(question, QUESTION)
        for claim in block.claims:
            self._add_claim(packer, claim)
        return packer.packed()

    def _add_claim(self, packer: Packer, claim: LabelledClaim) -> None:
        encoded = self._tokenizer.encode(claim.text, add_special_tokens=False)
        ids, offsets = encoded.ids[:CLAIM_TOKENS], encoded.offsets[:CLAIM_TOKENS]
        marks = None
        if claim.spans is not None:
            marks = [float(any(a < y and x < b for a, b in claim.spans)) for x, y in offsets]
        packer.add(list(ids), CLAIM, marks)


def labels_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the mean cross entropy over three labels, or two if only "not entailed" is known."""
    chances = functional.log_softmax(logits.float(), -1)
    three = -chances.gather(1, targets.clamp(min=0)[:, None])[:, 0]
    two = -torch.logsumexp(chances[:, 1:], -1)
    return torch.where(targets >= 0, three, two).mean()


def loss_of(logits: Tensor, words: Tensor, packed: Packed, targets: Tensor) -> Tensor:
    """Return the labels' loss plus, where words are marked, the words'."""
    claims = labels_loss(logits, targets)
    mask = packed.marks >= 0
    if not bool(mask.any()):
        return claims
    marks = functional.binary_cross_entropy_with_logits(words.float()[mask], packed.marks[mask])
    return claims + marks


def freeze(model: JudgeNetwork, layers: int) -> None:
    """Keep the embeddings, the bias of positions and the lowest layers as they are.

    Nothing is computed back into them. Attention has a faster kernel where its bias learns nothing.
    """
    model.seg.weight.requires_grad = layers == 0
    model.enc.encoder.relative_attention_bias.weight.requires_grad = False
    for name, parameter in model.enc.named_parameters():
        if name.startswith("embeddings."):
            parameter.requires_grad = False
    for layer in model.enc.encoder.layer[:layers]:
        for parameter in layer.parameters():
            parameter.requires_grad = False


def optimiser(model: JudgeNetwork, rate: float) -> torch.optim.Optimizer:
    """Return AdamW; heads learn five times as fast as the encoder."""
    groups = [
        {"params": [parameter], "factor": 1.0 if name.startswith("enc.") else 5.0}
        for name, parameter in model.named_parameters()
        if parameter.requires_grad
    ]
    return torch.optim.AdamW(groups, lr=rate, weight_decay=0.01, fused=True)


def to_device(packed: Packed, device: str) -> Packed:
    return Packed(*(getattr(packed, field.name).to(device) for field in fields(packed)))


class Training:
    """One process of a run: its model, its optimiser and the blocks it draws."""

    def __init__(self, options: Options, rank: int) -> None:
        torch.set_num_threads(options.threads)
        torch.set_flush_denormal(True)
        self._options, self._rank = options, rank
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._half = self._device == "cuda" or torch.backends.cpu.get_cpu_capability() == AVX512
        self._encoder, self._model = Encoder(options.base), JudgeNetwork(options.base)
        self.claims, self._spent = _restore(self._model, options)
        torch.manual_seed(self.claims + options.seed + rank)
        random.seed(self.claims + options.seed + rank)
        self._model.to(self._device).train()
        freeze(self._model, options.frozen)
        self._adam = optimiser(self._model, options.rate)
        decks = {pattern: deck(options.data, pattern) for pattern in MIX}
        self._others, self._blocks = decks[WRITTEN], draws(decks)
        self._began, self._steps, self._loss = time.monotonic(), 0, 0.0

    def run(self) -> None:
        """Learn until the time is over; each of several processes stops at the same step."""
        saved_at, over = time.monotonic(), False
        while not over:
            self._step()
            if self._steps % _STEPS_ALONE:
                continue
            over = average(self._model, self.elapsed >= self._options.seconds)
            if self._rank == 0 and (over or time.monotonic() - saved_at > _SAVE_S):
                save(self._model, self._options.out, self.claims, self.elapsed)
                saved_at = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds of training, earlier runs of the same checkpoint included."""
        return self._spent + time.monotonic() - self._began

    def _step(self) -> None:
        decay = max(0.03, 1 - self.elapsed / self._options.seconds)
        for group in self._adam.param_groups:
            warm = min(1, (self._steps + 1) / 20)
            group["lr"] = group["factor"] * self._options.rate * warm * decay
        # One context for all blocks: the weights are converted once.
        with torch.autocast(self._device, dtype=torch.bfloat16, enabled=self._half):
            losses = [self._loss_of(next(self._blocks)) for _ in range(self._options.blocks)]
        mean = torch.stack(losses).mean()
        mean.backward()  # type: ignore[no-untyped-call]
        loss = float(mean.item())
        trained = [each for each in self._model.parameters() if each.requires_grad]
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        self._adam.step()
        self._adam.zero_grad()
        self._steps += 1
        self._loss = loss if self._steps == 1 else 0.98 * self._loss + 0.02 * loss
        if self._rank == 0 and self._steps % 10 == 0:
            print(f"{self.elapsed:.0f} s, {self.claims} claims, loss {self._loss:.3f}", flush=True)

    def _loss_of(self, block: Block) -> Tensor:
        block = with_distractors(with_copies(block, self._others), self._others)
        claims = random.sample(block.claims, len(block.claims))
        block = replace(block, claims=tuple(claims))
        packed = to_device(self._encoder.pack(block, random.choice(BUDGETS)), self._device)
        targets = torch.tensor([claim.target for claim in claims], device=self._device)
        logits, words = self._model(packed)
        self.claims += len(claims)
        return loss_of(logits, words, packed, targets)


def average(model: nn.Module, over: bool) -> bool:
    """Give each process the mean of the parameters; return whether any of them is out of time.

    Local SGD (Stich 2019, arXiv:1805.09767): processes learn alone in between, so that a slow one
    is waited for once in many steps.
    """
    if not distributed.is_initialized():
        return over
    flag = torch.tensor(float(over))
    distributed.all_reduce(flag, distributed.ReduceOp.MAX)
    for parameter in model.parameters():
        if parameter.requires_grad:
            distributed.all_reduce(parameter.data)
            parameter.data /= distributed.get_world_size()
    return bool(flag)


@contextmanager
def process_group(meeting: Path, rank: int, count: int) -> Iterator[None]:
    """Join the processes that meet at a file, and leave them before this one ends.

    A process that ends while gloo's threads still run is aborted by the C++ runtime.
    """
    distributed.init_process_group("gloo", f"file://{meeting}", rank=rank, world_size=count)
    try:
        yield
    finally:
        distributed.destroy_process_group()


def train(rank: int, options: Options) -> None:
    """Run one of the processes; several meet at a file beside the checkpoint."""
    if options.processes == 1:
        Training(options, rank).run()
        return
    with process_group(options.out.with_suffix(".meeting").absolute(), rank, options.processes):
        Training(options, rank).run()


def _restore(model: JudgeNetwork, options: Options) -> tuple[int, float]:
    """Load the newest checkpoint; return the claims seen and the seconds spent so far."""
    path = options.out if options.out.exists() else options.start
    if path is None:
        return 0, 0.0
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
    resumed = path == options.out
    return (state["claims"], state["seconds"]) if resumed else (state.get("claims", 0), 0.0)


def save(model: JudgeNetwork, path: Path, claim_count: int, seconds: float) -> None:
    """Write a checkpoint in one step, and say so."""
    temporary = path.with_suffix(".part")
    torch.save({"model": model.state_dict(), "claims": claim_count, "seconds": seconds}, temporary)
    temporary.replace(path)
    print("saved", path, claim_count, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--rate", type=float, default=3e-5)
    parser.add_argument("--frozen", type=int, default=6)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--blocks", type=int, default=2, help="a step")
    options = Options(**vars(parser.parse_args()))
    options.out.with_suffix(".meeting").unlink(missing_ok=True)
    spawn(train, (options,), nprocs=options.processes)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
