"""The judge in torch: windows are encoded by themselves, each claim attends to all of them.

One packed sequence holds the windows of evidence, the question and the claims of an answer. Each
segment attends to itself, and a claim to every window and the question besides. Start:
all-mpnet-base-v2 (12 layers of 768, Apache-2.0). Heads: three labels from the first token of each
claim; for each word the logit that nothing supports it.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoModel

from inference.judge.segments import BEGIN, CLAIM, CLAIM_POSITION, END, OFFSET

_MASKED = -1e4
_GROUP_TOKENS = 72
"""Most tokens of claims whose attention is computed at once."""


class JudgeNetwork(nn.Module):
    """Encoder and heads; the parameters' names are those of the shipped weights."""

    def __init__(self, base: Path) -> None:
        super().__init__()
        self.enc = AutoModel.from_pretrained(str(base), add_pooling_layer=False)
        size = self.enc.config.hidden_size
        self.head = nn.Sequential(nn.Linear(size, size), nn.Tanh(), nn.Linear(size, 3))
        self.word = nn.Linear(size, 1)
        self.seg = nn.Embedding(3, size)
        nn.init.zeros_(self.seg.weight)
        self.heads = self.enc.config.num_attention_heads

    def forward(self, packed: "Packed") -> tuple[Tensor, Tensor]:
        """Return the logits (claims, 3) of entail, neutral, contradict, and (tokens,) of words.

        The second says for each token that nothing supports its word.
        """
        positions = packed.positions
        states = self.enc.embeddings(
            input_ids=packed.ids[None], position_ids=positions[None] + OFFSET
        )
        states = states + self.seg(packed.kinds)[None]
        encoder = self.enc.encoder
        near = encoder.relative_position_bucket(
            positions[None, :] - positions[:, None], num_buckets=32
        )
        bias = encoder.relative_attention_bias(near).permute(2, 0, 1)[None]
        reads = [_Reads.of(span, packed, bias) for span in _spans(packed)]
        for layer in encoder.layer:
            states = self._layer(layer, states, reads)
        first = torch.ones_like(packed.segments, dtype=torch.bool)
        first[1:] = packed.segments[1:] != packed.segments[:-1]
        claims = states[0][first & (packed.kinds == CLAIM)]
        return self.head(claims), self.word(states[0]).squeeze(-1)

    def _layer(self, layer: Any, states: Tensor, reads: list["_Reads"]) -> Tensor:
        attention, width = layer.attention.attn, states.shape[-1] // self.heads
        query, key, value = (
            part(states).view(1, -1, self.heads, width).transpose(1, 2)
            for part in (attention.q, attention.k, attention.v)
        )
        mixed = torch.cat([each.attend(query, key, value) for each in reads], dim=2)
        mixed = mixed.transpose(1, 2).reshape(1, -1, states.shape[-1])
        states = layer.attention.LayerNorm(attention.o(mixed) + states)
        wide = layer.intermediate(states)
        result: Tensor = layer.output.LayerNorm(layer.output.dense(wide) + states)
        return result


Span = tuple[int, int]


def _spans(packed: "Packed") -> list[Span]:
    """Return runs of tokens that attend together: each window, the question, claims in groups.

    A mask over all pairs of tokens costs more than twice as much: windows do not read each other,
    and nothing but a claim's own tokens reads a claim.
    """
    ends = torch.nonzero(packed.segments.diff()).flatten() + 1
    edges = [0, *ends.tolist(), len(packed.segments)]
    spans: list[Span] = []
    for start, end in pairwise(edges):
        is_claim = bool(packed.kinds[start] == CLAIM)
        if is_claim and spans and packed.kinds[spans[-1][0]] == CLAIM:
            first = spans[-1][0]
            if end - first <= _GROUP_TOKENS:
                spans[-1] = (first, end)
                continue
        spans.append((start, end))
    return spans


@dataclass(frozen=True)
class _Reads:
    """One run of tokens and the tokens that it reads: the first `context` ones, and itself."""

    start: int
    end: int
    context: int
    mask: Tensor

    @classmethod
    def of(cls, span: Span, packed: "Packed", bias: Tensor) -> "_Reads":
        """Return the run with the bias of positions; minus infinity where nothing is read."""
        start, end = span
        is_claim = bool(packed.kinds[start] == CLAIM)
        context = int((packed.kinds != CLAIM).sum()) if is_claim else 0
        own = packed.segments[start:end]
        within = torch.where(own[:, None] == own[None, :], 0.0, _MASKED)
        inner = bias[:, :, start:end, start:end] + within
        return cls(start, end, context, torch.cat([bias[:, :, start:end, :context], inner], dim=-1))

    def attend(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """Return the attention of the run, of shape (1, heads, end - start, width).

        By products: on a processor a step of training takes four fifths of the time that it takes
        with the fused kernel, whose backward pass is slow for few queries with a mask.
        """
        mine = query[0, :, self.start : self.end]
        keys, values = self._read(key)[0], self._read(value)[0]
        mask = self.mask[0].to(mine.dtype)
        scores = torch.baddbmm(mask, mine, keys.transpose(1, 2), alpha=mine.shape[-1] ** -0.5)
        shares = torch.softmax(scores, -1, dtype=torch.float32).to(mine.dtype)
        return torch.bmm(shares, values)[None]

    def _read(self, states: Tensor) -> Tensor:
        own = states[:, :, self.start : self.end]
        return torch.cat([states[:, :, : self.context], own], dim=2) if self.context else own


@dataclass(frozen=True)
class Packed:
    """One packed sequence: tensors of shape (tokens,); `marks` is -1 where no label is known."""

    ids: Tensor
    positions: Tensor
    segments: Tensor
    kinds: Tensor
    marks: Tensor


@dataclass
class Packer:
    """Gathers segments into one sequence."""

    ids: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    segments: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    marks: list[float] = field(default_factory=list)
    count: int = 0

    def add(self, ids: list[int], kind: int, marks: list[float] | None = None) -> None:
        """Append one segment between its special tokens."""
        start = CLAIM_POSITION if kind == CLAIM else 0
        tokens = [BEGIN, *ids, END]
        self.ids += tokens
        self.positions += range(start, start + len(tokens))
        self.segments += [self.count] * len(tokens)
        self.kinds += [kind] * len(tokens)
        self.marks += [-1.0, *(marks or [-1.0] * len(ids)), -1.0]
        self.count += 1

    def packed(self) -> Packed:
        """Return the gathered segments as tensors."""
        return Packed(
            torch.tensor(self.ids),
            torch.tensor(self.positions),
            torch.tensor(self.segments),
            torch.tensor(self.kinds),
            torch.tensor(self.marks),
        )
