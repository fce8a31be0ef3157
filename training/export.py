"""`python -m training.export CHECKPOINT --out inference/embedded/`: the model as it is shipped.

Writes the graph with int8 weights and without the word vectors (they are those of the installed
MiniLM package, which is compared), the tokenizer and config.json with the SHA-256 of each. Then
the files are read as serving reads them and compared with the checkpoint on 200 pairs.
"""

import argparse
import hashlib
import json
import random
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from inference.batching import batches
from inference.errors import ModelError
from inference.graph import OPSET
from inference.nli import Entailment, Pair
from inference.nli.embedded import CONFIG, FORMAT, GRAPH, TOKENIZER, read_embedded, word_vectors
from inference.nli.embedded import TABLE_TENSOR as TENSOR
from inference.nli.onnx_pairs import OnnxPairs, padded
from inference.nli.pairs import EncodedPair, PairTokenizer
from inference.nli.samples import SAMPLE_PAIRS
from inference.sources import DEFAULT_MODEL, check_bundle, find_source, sha256
from training.examples import read
from training.graph import QUANTISATION, write
from training.model import LABELS, MAX_TOKENS, PairModel, load

NAME = "watchdog-nli-1.2"
SEEN = 200
MOST_BYTES = 35_000_000
_MAKERS = ("torch", "transformers", "onnx", "tokenizers")
_PAD_ID = 0
_BATCH_TOKENS = 2048


@dataclass(frozen=True, slots=True)
class Calibration:
    """Calibrated logits are `logits * scales + biases`, one number a label in the order of LABELS;
    those of words `logit * token_scale + token_bias`. A temperature is 1 / scale."""

    scales: tuple[float, ...] = (1.0,) * len(LABELS)
    biases: tuple[float, ...] = (0.0,) * len(LABELS)
    token_scale: float = 1.0
    token_bias: float = 0.0

    def __post_init__(self) -> None:
        for name in ("scales", "biases"):
            if len(getattr(self, name)) != len(LABELS):
                raise ValueError(f"{name} must hold one number for each of {', '.join(LABELS)}")


@dataclass(frozen=True, slots=True)
class Difference:
    """How far the shipped form is from the checkpoint on the sample pairs, in probabilities."""

    pairs: int
    largest: float
    mean: float
    largest_of_words: float
    mean_of_words: float


def export(
    checkpoint: Path,
    target: Path,
    calibration: Calibration,
    *,
    name: str = NAME,
    pairs: Sequence[Pair] = SAMPLE_PAIRS,
) -> Difference:
    """Write the shipped form of a checkpoint; the folder changes only when all went well.

    `seen` are pairs like those that will be served: they show how large activations get.

    Raises ModelError where the word vectors were trained or the files come out too large.
    """
    source = find_source(DEFAULT_MODEL)
    check_bundle(source)
    folder = source.folder or Path()
    model = load(checkpoint, folder).eval()
    _check_words(model)
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".making-", dir=target.parent) as scratch:
        work = Path(scratch)
        shutil.copy(folder / TOKENIZER, work / TOKENIZER)
        _write_graph(model, work, pairs)
        _write_config(work, checkpoint, calibration, name)
        difference = compare(model, work, calibration)
        _check_size(work)
        # The config last: it holds the hashes, so a broken copy is told and never served.
        for file in (GRAPH, TOKENIZER, CONFIG):
            (work / file).replace(target / file)
    return difference


def _check_words(model: PairModel) -> None:
    trained = model.encoder.embeddings.word_embeddings.weight.detach().numpy()
    if not np.array_equal(trained, word_vectors().read()):
        raise ModelError(
            "The checkpoint's word vectors are not those of the installed package.",
            "They must be frozen (training.model.freeze_words): the repository carries none.",
        )


def _check_size(work: Path) -> None:
    size = sum(file.stat().st_size for file in work.iterdir())
    if size > MOST_BYTES:
        raise ModelError(f"{size / 1e6:.1f} MB, at most {MOST_BYTES / 1e6:.0f}.", "Make it less.")


def _write_graph(model: PairModel, work: Path, pairs: Sequence[Pair]) -> None:
    encoder = PairTokenizer(work / TOKENIZER, MAX_TOKENS)
    inputs = []
    for pair in pairs:
        ids, mask, types = map(torch.from_numpy, padded([encoder.encode(*pair)], _PAD_ID))
        inputs.append((ids, mask, types))
    write(model, inputs, work / GRAPH)


def _write_config(work: Path, checkpoint: Path, calibration: Calibration, name: str) -> None:
    state: dict[str, Any] = torch.load(checkpoint, map_location="cpu", weights_only=True)
    table = word_vectors()
    source = find_source(DEFAULT_MODEL)
    config = {
        "format": FORMAT,
        "name": name,
        "labels": LABELS,
        "max_tokens": MAX_TOKENS,
        "pad_id": _PAD_ID,
        "quantisation": QUANTISATION,
        "opset": OPSET,
        **asdict(calibration),
        "files": {file: sha256(work / file) for file in (GRAPH, TOKENIZER)},
        "table": {
            "package": source.package,
            "tensor": TENSOR,
            "shape": table.shape,
            "sha256": table.sha256(),
        },
        "checkpoint": {
            "sha256": hashlib.sha256(checkpoint.read_bytes()).hexdigest(),
            "step": state.get("step"),
            "config": state.get("config", {}),
        },
        "made_with": {package: metadata.version(package) for package in _MAKERS},
    }
    text = json.dumps(config, indent=2, ensure_ascii=False, default=str)
    (work / CONFIG).write_text(text + "\n", encoding="utf-8")


def compare(model: PairModel, folder: Path, calibration: Calibration) -> Difference:
    """The shipped files, through serving's code, beside the checkpoint in torch."""
    served = OnnxPairs(read_embedded(folder), threads=1).score(SAMPLE_PAIRS)
    shares, words = reference(model, folder / TOKENIZER, SAMPLE_PAIRS, calibration)
    of_pairs = np.abs(_shares(served) - shares)
    of_words = np.abs(np.concatenate([_words(item) for item in served]) - np.concatenate(words))
    return Difference(
        pairs=len(served),
        largest=float(of_pairs.max()),
        mean=float(of_pairs.mean()),
        largest_of_words=float(of_words.max()),
        mean_of_words=float(of_words.mean()),
    )


Floats = NDArray[np.float32]


def reference(
    model: PairModel, tokenizer: Path, pairs: Sequence[Pair], calibration: Calibration
) -> tuple[Floats, list[Floats]]:
    """What torch makes of pairs: shares (pairs, 3), and for each pair a share a word."""
    encoder = PairTokenizer(tokenizer, MAX_TOKENS)
    encoded = [encoder.encode(window, claim) for window, claim in pairs]
    shares = np.empty((len(pairs), len(LABELS)), np.float32)
    words: dict[int, Floats] = {}
    for rows in batches([len(pair.ids) for pair in encoded], budget=_BATCH_TOKENS):
        batch = [encoded[row] for row in rows]
        shares[rows], tokens = _run(model, batch, calibration)
        for row, pair, each in zip(rows, batch, tokens, strict=True):
            shares_of_words = [each[word.first : word.last].max() for word in pair.words]
            words[row] = np.array(shares_of_words, np.float32)
    return shares, [words[row] for row in range(len(pairs))]


def _run(
    model: PairModel, batch: list[EncodedPair], calibration: Calibration
) -> tuple[Floats, Floats]:
    """Calibrated shares of one batch: (pairs, 3) and (pairs, tokens)."""
    scales, biases = torch.tensor(calibration.scales), torch.tensor(calibration.biases)
    with torch.inference_mode():
        outputs = model(*(torch.from_numpy(array) for array in padded(batch, _PAD_ID)))
        tokens = outputs.words * calibration.token_scale + calibration.token_bias
        labels = torch.softmax(outputs.pair * scales + biases, -1)
        return labels.numpy(), torch.sigmoid(tokens).numpy()


def _shares(entailments: Sequence[Entailment]) -> Floats:
    """In the order of LABELS."""
    return np.array(
        [[getattr(item, label) for label in LABELS] for item in entailments], np.float32
    )


def _words(entailment: Entailment) -> Floats:
    return np.array([share for _, _, share in entailment.spans], np.float32)


def read_calibration(file: Path | None) -> Calibration:
    """The calibration in a JSON file; none changes nothing. Raises ValueError for what is wrong."""
    entries: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file else {}
    strange = set(entries) - {item.name for item in fields(Calibration)}
    if strange:
        raise ValueError(f"{file}: unknown {', '.join(sorted(strange))}")
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in entries.items()
    }
    return Calibration(**values)


def read_seen(file: Path | None) -> Sequence[Pair]:
    """SEEN pairs of a file of examples, the same each time; without a file the sample pairs."""
    if file is None:
        return SAMPLE_PAIRS
    all_pairs = [(example.window, example.claim) for example in read(file)]
    return random.Random(0).sample(all_pairs, min(SEEN, len(all_pairs)))


def _show(console: Console, target: Path, difference: Difference) -> None:
    table = Table(
        title=f"int8 beside the checkpoint, {difference.pairs} pairs", title_justify="left"
    )
    for heading in ("", "largest difference", "mean"):
        table.add_column(heading, justify="right" if heading else "left")
    table.add_row("probability of a label", f"{difference.largest:.4f}", f"{difference.mean:.4f}")
    words = (f"{difference.largest_of_words:.4f}", f"{difference.mean_of_words:.4f}")
    table.add_row("probability of a word", *words)
    console.print(table)
    size = sum((target / name).stat().st_size for name in (GRAPH, TOKENIZER, CONFIG)) / 1e6
    console.print(f"{read_embedded(target).model_id}: {target} ({size:.1f} MB)", markup=False)


def main(arguments: list[str]) -> int:
    """Export, then say how close the result is."""
    parser = argparse.ArgumentParser(prog="python -m training.export", description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="inference/embedded")
    parser.add_argument(
        "--calibration", type=Path, help="JSON: scales, biases, token_scale, token_bias"
    )
    parser.add_argument(
        "--seen",
        type=Path,
        help=f"JSONL.gz of training.generate, {SEEN} pairs of it; else {len(SAMPLE_PAIRS)} of ours",
    )
    options = parser.parse_args(arguments)
    console = Console(highlight=False, soft_wrap=True)
    try:
        with console.status("Exporting ..."):
            target = options.out.resolve()
            calibration = read_calibration(options.calibration)
            difference = export(
                options.checkpoint, target, calibration, pairs=read_seen(options.seen)
            )
    except (ModelError, ValueError, OSError) as error:
        console.print(str(error), markup=False)
        return 1
    _show(console, target, difference)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
