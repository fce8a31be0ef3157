"""Pack a checkpoint as what ships: `python -m tools.training.judge.pack --base DIR …`

`--checkpoint FILE --out FILE --bits 4|8 [--name NAME] [--data DIR]`. The large matrices of the
encoder become differences to the base in int8 with a scale for each row, or in 4 bits with a scale
for each 64 columns; the rest stays float. With `--data` (the folder that holds `written/` as
JSONL) it says how far 200 held-out claims are judged otherwise than by the checkpoint.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from inference.judge.bases import WEIGHTS
from inference.judge.parameters import (
    ENCODER,
    FORMAT,
    GROUP,
    META,
    ZERO,
    Parameters,
    read_base,
    read_parameters,
)  # fmt: skip
from inference.judge.segments import Floats
from inference.sources import sha256
from tools.training.judge.data import Block, blocks, held_out
from tools.training.judge.mix import WRITTEN
from tools.training.judge.model import JudgeNetwork
from tools.training.judge.train import Encoder

NAME = "watchdog-judge-1.9"
CLAIMS = 200
BUDGET = 600
_LARGE = 100_000
"""Numbers of a matrix from which on it is worth packing."""
_SMALLEST = 1e-12

Packed = dict[str, NDArray[np.generic]]


def pack(base: Path, trained: Mapping[str, Floats], bits: int, name: str) -> Packed:
    """Return the arrays of the npz file; `inference.judge.parameters` describes it."""
    start = read_base(base)[1]
    meta = {"format": FORMAT, "name": name, "base": sha256(base / WEIGHTS), "bits": bits}
    arrays: Packed = {META: np.frombuffer(json.dumps(meta).encode(), np.uint8)}
    for key, weight in trained.items():
        change = weight - start[key] if key.startswith(ENCODER) else weight
        if key.startswith(ENCODER) and not change.any():
            continue
        arrays |= _packed(key, change, bits)
    return arrays


def _packed(name: str, change: Floats, bits: int) -> Packed:
    if change.ndim != 2 or change.size < _LARGE:
        return {f"f:{name}": change}
    if bits == 8 or change.shape[1] % GROUP:
        scale = np.abs(change).max(axis=1, keepdims=True) / 127 + _SMALLEST
        return {f"q:{name}": np.rint(change / scale).astype(np.int8), f"s:{name}": scale}
    halves, scales = to_nibbles(change)
    return {f"p:{name}": halves, f"g:{name}": scales}


def to_nibbles(change: Floats) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """Return (rows, columns) as two 4-bit numbers to a byte, and a scale for each 64 columns."""
    groups = change.reshape(change.shape[0], -1, GROUP)
    scales = (np.abs(groups).max(axis=-1) / (ZERO - 1) + _SMALLEST).astype(np.float16)
    divisor = np.maximum(scales.astype(np.float32), np.finfo(np.float16).smallest_subnormal)
    steps = np.clip(np.rint(groups / divisor[:, :, None]) + ZERO, 0, 15).astype(np.uint8)
    steps = steps.reshape(change.shape[0], -1)
    return steps[:, 0::2] | (steps[:, 1::2] << 4), scales


def read_checkpoint(file: Path) -> dict[str, Floats]:
    """Return the parameters of a checkpoint of training as float32."""
    state = torch.load(file, map_location="cpu")["model"]
    return {name: weight.float().numpy() for name, weight in state.items()}


def held_out_blocks(data: Path, claims: int) -> list[Block]:
    """Return blocks of written rows that never train, until they hold so many claims."""
    selection: list[Block] = []
    for path in sorted(data.glob(WRITTEN)):
        selection += blocks(path, held_out, most_claims=4)[:8]
        if sum(len(block.claims) for block in selection) >= claims:
            break
    return selection


def probabilities(base: Path, arrays: Mapping[str, Floats], blocks: Sequence[Block]) -> Floats:
    """Return each claim's three probabilities by the model in torch with these parameters."""
    model, encoder = JudgeNetwork(base), Encoder(base)
    model.load_state_dict({name: torch.from_numpy(np.array(arrays[name])) for name in arrays})
    model.eval()
    with torch.inference_mode():
        logits = [model(encoder.pack(block, BUDGET))[0] for block in blocks]
    return np.asarray(torch.cat(logits).softmax(-1).numpy())


def _report(base: Path, trained: Mapping[str, Floats], packed: Parameters, data: Path) -> str:
    sample = held_out_blocks(data, CLAIMS)
    exact = probabilities(base, trained, sample)
    change = np.abs(probabilities(base, packed.arrays, sample) - exact)
    return (
        f"{len(exact)} claims: probabilities change by {change.mean():.4f} on average, "
        f"{np.quantile(change, 0.95):.4f} at the 95th percentile, {change.max():.4f} at most"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--bits", type=int, choices=(4, 8), default=4)
    parser.add_argument("--name", default=NAME)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    trained = read_checkpoint(options.checkpoint)
    arrays: dict[str, Any] = {**pack(options.base, trained, options.bits, options.name)}
    np.savez_compressed(options.out, **arrays)
    print(f"{options.out}: {options.out.stat().st_size / 1e6:.1f} MB, {options.bits} bits")
    if options.data:
        packed = read_parameters(options.base, options.out)
        print(_report(options.base, trained, packed, options.data))


if __name__ == "__main__":
    main()
