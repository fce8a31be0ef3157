"""The judge's parameters: the base encoder plus the trained differences in this repository.

The file of differences is an npz archive. For a parameter NAME it holds one of

    f:NAME              the numbers themselves, float
    q:NAME, s:NAME      int8 (rows, columns) and a float scale for each row
    p:NAME, g:NAME      4 bits, two to a byte, low half first (rows, columns / 2), 8 standing for
                        zero, and a float16 scale for each group of 64 columns of a row

and `meta`, JSON with `format`, `name` and `base` (SHA-256 of the base's weights). Numbers of the
encoder (`enc.`) are differences to the base, those of the heads stand for themselves; an encoder's
parameter that is not named is the base's. `tools.training.judge.pack` writes the file.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from inference.errors import ModelError
from inference.judge.bases import CONFIG, WEIGHTS
from inference.judge.segments import Floats

FORMAT = 1
GROUP = 64
"""Columns of a row that share one scale in the 4-bit form."""
ZERO = 8
ENCODER = "enc."
META = "meta"
_REMEDY = "Restore it (`git checkout -- inference/judge`)."


@dataclass(frozen=True, slots=True)
class Parameters:
    """All parameters by their training names, and the encoder's config."""

    arrays: Mapping[str, Floats]
    layers: int
    heads: int
    epsilon: float

    def __getitem__(self, name: str) -> Floats:
        return self.arrays[name]


def read_meta(file: Path) -> dict[str, Any]:
    """Return the metadata in a file of differences. Raises ModelError if it is none of ours."""
    try:
        with np.load(file, allow_pickle=False) as archive:
            meta: dict[str, Any] = json.loads(archive[META].tobytes())
    except FileNotFoundError as error:
        raise ModelError(f"The judge's trained weights are missing: {file}.", _REMEDY) from error
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"{file} is damaged: {error}", _REMEDY) from error
    if meta.get("format") != FORMAT:
        raise ModelError(f"{file} was written by another version.", _REMEDY)
    return meta


def read_parameters(base: Path, differences: Path) -> Parameters:
    """Return the base in the folder with the differences of the file added."""
    read_meta(differences)
    config, arrays = read_base(base)
    with np.load(differences, allow_pickle=False) as archive:
        for key in archive.files:
            form, _, name = key.partition(":")
            if form not in ("f", "q", "p"):
                continue
            change = _expanded(archive, form, name)
            arrays[name] = arrays[name] + change if name.startswith(ENCODER) else change
    return Parameters(
        arrays=arrays,
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        epsilon=config["layer_norm_eps"],
    )


def read_base(folder: Path) -> tuple[dict[str, Any], dict[str, Floats]]:
    """Return config.json and the encoder's parameters by their training names."""
    try:
        config: dict[str, Any] = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        with safe_open(folder / WEIGHTS, "numpy") as tensors:
            return config, {
                f"{ENCODER}{name}": tensors.get_tensor(name)
                for name in tensors.keys()  # noqa: SIM118
                if not name.startswith("pooler.") and not name.endswith("position_ids")
            }
    except (OSError, ValueError, SafetensorError) as error:
        raise ModelError(
            f"The base encoder in {folder} cannot be read: {error}",
            "Run `python -m inference.export --judge --force`.",
        ) from error


def _expanded(archive: Mapping[str, NDArray[Any]], form: str, name: str) -> Floats:
    """Return one parameter's numbers, unpacked."""
    if form == "q":
        return np.asarray(archive[f"q:{name}"] * archive[f"s:{name}"], np.float32)
    if form == "p":
        return expand_nibbles(archive[f"p:{name}"], archive[f"g:{name}"])
    return np.asarray(archive[f"f:{name}"], np.float32)


def expand_nibbles(packed: NDArray[np.uint8], scales: NDArray[np.float16]) -> Floats:
    """Unpack (rows, columns / 2) bytes and (rows, columns / 64) scales to a float matrix."""
    rows = packed.shape[0]
    halves = np.stack([packed & 15, packed >> 4], axis=-1).reshape(rows, -1, GROUP)
    steps = halves.astype(np.float32) - ZERO
    return np.asarray(steps * scales.astype(np.float32)[:, :, None], np.float32).reshape(rows, -1)
