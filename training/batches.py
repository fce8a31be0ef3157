"""Examples as padded batches of alike length."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import Tensor

from training.examples import Example, Label
from training.model import MAX_TOKENS

TARGETS = {Label.ENTAIL: 0, Label.NEUTRAL: 1, Label.CONTRADICT: 2, Label.NOT_ENTAILED: -1}
UNMARKED = -1.0
_CHUNK = 64
"""Batches that are sorted by length together: enough to pad little, too few to order the run."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Token ids of a pair, where the claim begins, its target and a mark for each token."""

    ids: tuple[int, ...]
    border: int
    target: int
    marks: tuple[float, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors (batch, tokens) and (batch,); a mark of -1 is no mark, a target of -1 two-way."""

    ids: Tensor
    mask: Tensor
    types: Tensor
    marks: Tensor
    targets: Tensor
    weights: Tensor


def encode(tokenizer: Tokenizer, examples: Sequence[Example], limit: int) -> list[Encoded]:
    """Examples as token ids; windows are cut at the end so that a pair has at most `limit`."""
    limit = min(limit, MAX_TOKENS)
    windows = tokenizer.encode_batch([e.window for e in examples], add_special_tokens=False)
    claims = tokenizer.encode_batch([e.claim for e in examples], add_special_tokens=False)
    start, stop = (tokenizer.token_to_id(mark) or 0 for mark in ("[CLS]", "[SEP]"))
    rows = []
    for example, window, claim in zip(examples, windows, claims, strict=True):
        words = claim.ids[: limit // 2]
        window_ids = window.ids[: limit - len(words) - 3]
        ids = (start, *window_ids, stop, *words, stop)
        border = len(window_ids) + 2
        marks = (UNMARKED,) * border + _marks(example, claim.offsets[: len(words)]) + (UNMARKED,)
        rows.append(Encoded(ids, border, TARGETS[example.label], marks, example.weight))
    return rows


def _marks(example: Example, offsets: Sequence[tuple[int, int]]) -> tuple[float, ...]:
    spans = example.spans
    if spans is None:
        return (UNMARKED,) * len(offsets)
    return tuple(float(any(a < end and start < b for a, b in spans)) for start, end in offsets)


def stream(
    sets: Sequence[Sequence[Encoded]], shares: Sequence[float], tokens: int, seed: int
) -> Iterator[Batch]:
    """Batches without end, of about `tokens` tokens; each set gives its share of the pairs."""
    chance = random.Random(seed)
    decks: list[list[Encoded]] = [[] for _ in sets]
    while True:
        chunk: list[Encoded] = []
        while sum(len(item.ids) for item in chunk) < _CHUNK * tokens:
            which = chance.choices(range(len(sets)), shares)[0]
            if not decks[which]:
                decks[which] = chance.sample(sets[which], len(sets[which]))
            chunk.append(decks[which].pop())
        batches = list(_grouped(chunk, tokens))
        chance.shuffle(batches)
        yield from batches


def _grouped(chunk: list[Encoded], tokens: int) -> Iterator[Batch]:
    batch: list[Encoded] = []
    for item in sorted(chunk, key=lambda item: len(item.ids)):
        if batch and len(item.ids) * (len(batch) + 1) > tokens:
            yield pad(batch)
            batch = []
        batch.append(item)
    yield pad(batch)


def pad(items: Sequence[Encoded]) -> Batch:
    """Encoded pairs as tensors of one length."""
    width = max(len(item.ids) for item in items)
    ids, mask, types, marks = [], [], [], []
    for item in items:
        length, spare = len(item.ids), width - len(item.ids)
        ids.append(list(item.ids) + [0] * spare)
        mask.append([1] * length + [0] * spare)
        types.append([0] * item.border + [1] * (length - item.border) + [0] * spare)
        marks.append(list(item.marks) + [UNMARKED] * spare)
    return Batch(
        torch.tensor(ids),
        torch.tensor(mask),
        torch.tensor(types),
        torch.tensor(marks),
        torch.tensor([item.target for item in items]),
        torch.tensor([item.weight for item in items]),
    )
