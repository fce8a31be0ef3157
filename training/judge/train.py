"""Train the judge: `python -m training.judge.train --base DIR --data DIR --out FILE --seconds N`.

Goes on from `--start` (a checkpoint) or the base, writes a checkpoint every few minutes and one at
the end, and resumes from `--out` where that exists. Uses a GPU where there is one, else the
processor, in bfloat16 where it computes with that. `--data` is the folder that holds `grounding/`,
`nli/` and, parsed to JSONL, `written/`; the rows that come with the repository are always read.
"""

import argparse
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from inference.judge import windows as evidence
from training.answers import trains
from training.judge.data import (
    CONTRADICT,
    ENTAIL,
    NEUTRAL,
    OWN,
    ROWS,
    Block,
    Claim,
    Row,
    blocks,
    held_out,
    sentence_spans,
)
from training.judge.model import CLAIM, QUESTION, WINDOW, Judge, Packed, Packer, load_tokenizer

QUESTION_TOKENS, CLAIM_TOKENS = 60, 120
BUDGETS = (220, 320, 450, 700)
"""Tokens of evidence for a block, drawn anew for each."""
_SAVE_S = 240
_BLOCKS_A_STEP = 4
_NO_COPIES = 0.5
"""Share of the blocks that get no copied sentences."""

_GUARDED = re.compile(r"\b(if|unless|except|only|not|no|or|either|both|between|until)\b", re.I)
_FIGURE = re.compile(r"(?<![\d.,:])\d{1,4}(?![\d.,:]\d|\d)")

WRITTEN = "written/*.jsonl"
MIX: dict[str, float] = {
    WRITTEN: 0.20,
    OWN: 0.75,
    "nli/mnli.dev.jsonl": 0.03,
    "nli/mnli.train10k.jsonl": 0.03,
    "nli/snli.dev.jsonl": 0.01,
    "nli/conjnli.train.jsonl": 0.02,
    "nli/fever_symmetric.dev.jsonl": 0.01,
    "nli/scitail.dev.jsonl": 0.01,
    "nli/contractnli.train.jsonl": 0.02,
    "grounding/ragtruth.train_part.jsonl": 0.07,
    "grounding/ragtruth_records.dev.jsonl": 0.05,
    "grounding/quintd.train.jsonl": 0.05,
    "grounding/d2t_eval.train.jsonl": 0.03,
    "grounding/infotabs.train.jsonl": 0.04,
    "grounding/wice.dev.jsonl": 0.02,
    "grounding/wice_spans.train.jsonl": 0.01,
    "grounding/summedits.dev.jsonl": 0.05,
    "grounding/halueval_qa.dev.jsonl": 0.02,
    "grounding/frank.val.jsonl": 0.03,
    "grounding/bump.train.jsonl": 0.04,
    "grounding/expertqa.val.jsonl": 0.02,
    "grounding/clapnq.dev.jsonl": 0.01,
    "grounding/mtragun.dev.jsonl": 0.01,
    "grounding/quotesum.dev.jsonl": 0.01,
    "grounding/storysumm.dev.jsonl": 0.01,
    "grounding/xsumfaith.val.jsonl": 0.01,
    "grounding/fool_me_twice.dev.jsonl": 0.01,
    "grounding/paws_wiki.train.jsonl": 0.01,
}
"""Files and the weight of each in the draws; pairs of sentences (`nli/`) are short blocks."""
REPORTED = (
    "ragtruth", "halueval", "frank", "wice.dev", "summedits", "expertqa", "begin", "xsumfaith",
)  # fmt: skip
"""Sets that results are reported on: of these only the training rows of the tune half train."""


@dataclass(frozen=True)
class Options:
    """What one run is told."""

    base: Path
    data: Path
    out: Path
    start: Path | None
    seconds: float
    rate: float
    frozen: int
    threads: int
    seed: int


def is_reported(name: str) -> bool:
    """Whether results are reported on the set of this name."""
    return any(part in name for part in REPORTED)


def deck(folder: Path, pattern: str) -> list[Block]:
    """The blocks of the files that a pattern of the mix names."""

    def keep(row: Row) -> bool:
        if pattern in (WRITTEN, OWN):
            return not held_out(row)
        return trains(row) if is_reported(pattern) else True

    folder, pattern = (ROWS, "*.txt") if pattern == OWN else (folder, pattern)
    return [block for path in sorted(folder.glob(pattern)) for block in blocks(path, keep)]


def draws(decks: Sequence[list[Block]], shares: Sequence[float]) -> Iterator[Block]:
    """Blocks without end: a deck by its share, each deck dealt out before it is shuffled again."""
    hands: list[list[Block]] = [[] for _ in decks]
    while True:
        at = random.choices(range(len(decks)), shares)[0]
        if not hands[at]:
            hands[at] = random.sample(decks[at], len(decks[at]))
        yield hands[at].pop()


def with_distractors(block: Block, others: Sequence[Block]) -> Block:
    """The block among passages of other blocks, so that long sources are learned from short."""
    if random.random() > 0.3 or sum(map(len, block.texts)) > 1500:
        return block
    added = [random.choice(others).texts for _ in range(random.randint(1, 4))]
    texts = [block.texts, *added]
    random.shuffle(texts)
    return replace(block, texts=tuple(text for group in texts for text in group))


def with_copies(block: Block, others: Sequence[Block]) -> Block:
    """The block with sentences of its sources as claims: whole, with another figure, or foreign.

    In the written sets supported claims are in other words than the source and wrong ones in its
    own. Without copies a model learns from that to doubt whatever repeats its source.
    """
    if random.random() < _NO_COPIES:
        return block
    own = _plain_sentences(block)
    chosen = random.sample(own, min(len(own), random.randint(1, 3)))
    added = [Claim(_shortened(text), (), ENTAIL) for text in chosen]
    wrong = [claim for text in random.sample(own, min(len(own), 2)) if (claim := _misstated(text))]
    foreign = _plain_sentences(random.choice(others))
    if foreign and random.random() < 0.5:
        wrong.append(Claim(random.choice(foreign), None, NEUTRAL))
    return replace(block, claims=(*block.claims, *added, *wrong))


def _plain_sentences(block: Block) -> list[str]:
    """Sentences of prose of 4 to 40 words."""
    texts = [text[a:b] for text in block.texts for a, b in sentence_spans(text)]
    return [text for text in texts if 4 <= len(text.split()) <= 40 and ": " not in text]


def _shortened(text: str) -> str:
    """Sometimes the first of several coordinated parts, where that says no more than the whole."""
    first, mark, _ = text.partition(" and ")
    if not mark or len(first.split()) < 5 or _GUARDED.search(text) or random.random() < 0.5:
        return text
    return first.rstrip(",; ") + "."


def _misstated(text: str) -> Claim | None:
    """The sentence with one of its numbers changed; None where it has none."""
    figures = list(_FIGURE.finditer(text))
    if not figures:
        return None
    match = random.choice(figures)
    old = int(match[0])
    new = str(random.choice([old + 1, old * 2 + 1, max(1, old // 2) + 3, old + 10]))
    span = (match.start(), match.start() + len(new))
    return Claim(text[: match.start()] + new + text[match.end() :], (span,), CONTRADICT)


class Encoder:
    """Blocks to packed sequences."""

    def __init__(self, base: Path) -> None:
        self._tokenizer = load_tokenizer(base)

    def ids(self, text: str) -> list[int]:
        """Token ids without special tokens."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def pack(self, block: Block, budget: int) -> Packed:
        """The evidence chosen for the block's claims, the question and the claims."""
        packer = Packer()
        question = self.ids(block.question)[:QUESTION_TOKENS]
        queries = [self.ids(claim.text)[:CLAIM_TOKENS] for claim in block.claims]
        found = evidence.cut(block.texts, self.ids)
        for window in evidence.select(found, [*queries, question], budget):
            packer.add(list(window.ids), WINDOW)
        if question:
            packer.add(question, QUESTION)
        for claim in block.claims:
            self._add_claim(packer, claim)
        return packer.packed()

    def _add_claim(self, packer: Packer, claim: Claim) -> None:
        encoded = self._tokenizer.encode(claim.text, add_special_tokens=False)
        ids, offsets = encoded.ids[:CLAIM_TOKENS], encoded.offsets[:CLAIM_TOKENS]
        marks = None
        if claim.spans is not None:
            marks = [float(any(a < y and x < b for a, b in claim.spans)) for x, y in offsets]
        packer.add(list(ids), CLAIM, marks)


def loss_of(logits: Tensor, words: Tensor, packed: Packed, targets: Tensor) -> Tensor:
    """Cross entropy over three labels (two where only "not entailed" is known), plus the words'."""
    chances = functional.log_softmax(logits.float(), -1)
    three = -chances.gather(1, targets.clamp(min=0)[:, None])[:, 0]
    two = -torch.logsumexp(chances[:, 1:], -1)
    claims = torch.where(targets >= 0, three, two).mean()
    known = packed.marks >= 0
    if not bool(known.any()):
        return claims
    marks = functional.binary_cross_entropy_with_logits(words.float()[known], packed.marks[known])
    return claims + marks


def freeze(model: Judge, layers: int) -> None:
    """Keep the embeddings and the lowest layers as they are; nothing is computed back into them."""
    model.seg.weight.requires_grad = layers == 0
    for name, parameter in model.enc.named_parameters():
        if name.startswith("embeddings."):
            parameter.requires_grad = False
    for layer in model.enc.encoder.layer[:layers]:
        for parameter in layer.parameters():
            parameter.requires_grad = False


def optimiser(model: Judge, rate: float) -> torch.optim.Optimizer:
    """AdamW; the heads learn five times as fast as the encoder."""
    trained = [(name, each) for name, each in model.named_parameters() if each.requires_grad]
    encoder = [each for name, each in trained if name.startswith("enc")]
    heads = [each for name, each in trained if not name.startswith("enc")]
    groups = [{"params": encoder, "factor": 1.0}, {"params": heads, "factor": 5.0}]
    return torch.optim.AdamW(groups, lr=rate, weight_decay=0.01, fused=True)


def to_device(packed: Packed, device: str) -> Packed:
    """The same sequence on the device."""
    return Packed(*(getattr(packed, name).to(device) for name in Packed.__dataclass_fields__))


def train(options: Options) -> None:
    """Run until the time is over."""
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoder, model = Encoder(options.base), Judge(options.base)
    seen, spent = _restore(model, options)
    torch.manual_seed(seen + options.seed)
    random.seed(seen + options.seed)
    model.to(device).train()
    freeze(model, options.frozen)
    decks = [deck(options.data, pattern) for pattern in MIX]
    for pattern, each in zip(MIX, decks, strict=True):
        print(pattern, len(each), "blocks", sum(len(block.claims) for block in each), flush=True)
    shares = [share if each else 0.0 for share, each in zip(MIX.values(), decks, strict=True)]
    pool = draws(decks, shares)
    half = device == "cuda" or torch.backends.cpu.get_cpu_capability() == "AVX512"
    adam = optimiser(model, options.rate)
    began = saved = time.monotonic()
    smooth: float | None = None
    step = 0
    while (elapsed := spent + time.monotonic() - began) < options.seconds:
        for group in adam.param_groups:
            decay = max(0.03, 1 - elapsed / options.seconds)
            group["lr"] = group["factor"] * options.rate * min(1, (step + 1) / 20) * decay
        for _ in range(_BLOCKS_A_STEP):
            block = with_copies(next(pool), decks[0])
            block = with_distractors(block, decks[0])
            question = block.question if random.random() < 0.85 else ""
            claims = random.sample(block.claims, len(block.claims))
            block = replace(block, question=question, claims=tuple(claims))
            packed = to_device(encoder.pack(block, random.choice(BUDGETS)), device)
            targets = torch.tensor([claim.target for claim in claims], device=device)
            with torch.autocast(device, dtype=torch.bfloat16, enabled=half):
                logits, words = model(packed)
            loss = loss_of(logits, words, packed, targets) / _BLOCKS_A_STEP
            loss.backward()  # type: ignore[no-untyped-call]
            seen += len(claims)
            value = loss.item() * _BLOCKS_A_STEP
            smooth = value if smooth is None else 0.98 * smooth + 0.02 * value
        torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], 1.0)
        adam.step()
        adam.zero_grad()
        step += 1
        if step % 10 == 0:
            print(f"{elapsed:.0f} s, {seen} claims, loss {smooth:.3f}", flush=True)
        if time.monotonic() - saved > _SAVE_S:
            _save(model, options.out, seen, elapsed)
            saved = time.monotonic()
    _save(model, options.out, seen, elapsed)


def _restore(model: Judge, options: Options) -> tuple[int, float]:
    """Load the newest checkpoint: claims seen and seconds spent so far."""
    path = options.out if options.out.exists() else options.start
    if path is None:
        return 0, 0.0
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
    resumed = path == options.out
    return (state["claims"], state["seconds"]) if resumed else (state.get("claims", 0), 0.0)


def _save(model: Judge, path: Path, seen: int, seconds: float) -> None:
    temporary = path.with_suffix(".part")
    torch.save({"model": model.state_dict(), "claims": seen, "seconds": seconds}, temporary)
    temporary.replace(path)
    print("saved", path, seen, flush=True)


def main() -> None:
    """Read the options and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--rate", type=float, default=3e-5)
    parser.add_argument("--frozen", type=int, default=6)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    train(Options(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
