"""Code shared by all served models: readable text, tokenizers, batches, onnxruntime sessions."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from inference.errors import ModelError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]
    from tokenizers import Tokenizer

CHARS_PER_TOKEN = 32
"""A prefix of this many characters per token nearly always fills a model's window."""
BATCH_TOKENS = 256
"""Tokens in one call, padding included: measured, larger batches fall out of the caches."""
IDS, MASK, TYPES = "input_ids", "attention_mask", "token_type_ids"
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")
_ERRORS_ONLY = 3

Numbers = NDArray[np.int64]


def readable(text: str) -> str:
    """Return the text without surrogates, which tokenizers refuse: joined pairs, or U+FFFD."""
    return _SURROGATES.sub(_join_match, text)


def _join_match(match: re.Match[str]) -> str:
    return match.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")[:1]


def open_tokenizer(file: Path, option: str = "") -> "Tokenizer":
    """Return a tokenizer.json without padding and limit. Safe to share between threads.

    `option`: what `inference.export` needs to prepare this kind of model. Raises ModelError.
    """
    from tokenizers import Tokenizer  # noqa: PLC0415 - comes with the first use of a model

    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # tokenizers raises plain Exception
        raise ModelError(
            f"The tokenizer {file} cannot be read: {error}",
            f"Run `python -m inference.export {option}--force`.",
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def open_session(file: Path, *, threads: int) -> "InferenceSession":
    """Return a CPU session that may be shared between threads (`run` is thread-safe).

    `threads` work inside one call; they sleep between calls instead of spinning, so that others can
    use the processor. Raises ModelError if the file cannot be loaded.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _ERRORS_ONLY
    options.enable_mem_pattern = False  # shapes differ from call to call
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(
            str(file), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # onnxruntime's exceptions have no common base of its own
        raise ModelError(
            f"onnxruntime cannot load {file}: {error}", "Run `python -m inference.export --force`."
        ) from error


def batches(lengths: Sequence[int], *, budget: int = BATCH_TOKENS) -> list[list[int]]:
    """Return positions in `lengths`, grouped so that texts of similar length are together.

    A batch is padded to its longest text; rows times that length stays within `budget` tokens,
    unless one text alone is longer. Each position appears once; shortest texts come first.
    """
    groups: list[list[int]] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        # Sorted, so the newcomer is the longest of its batch.
        if groups and (len(groups[-1]) + 1) * lengths[position] <= budget:
            groups[-1].append(position)
        else:
            groups.append([position])
    return groups


def padded(rows: Sequence[Sequence[int]], fill: int) -> Numbers:
    """Return the rows as int64 (rows, longest row); `fill` stands behind the shorter ones."""
    matrix = np.full((len(rows), max(map(len, rows))), fill, np.int64)
    for at, row in enumerate(rows):
        matrix[at, : len(row)] = row
    return matrix


def run_batch(
    session: "InferenceSession", inputs: dict[str, Numbers], model_id: str, option: str = ""
) -> NDArray[Any]:
    """Return the only output of a graph for one batch. Raises ModelError."""
    try:
        (output,) = session.run(None, inputs)
    except Exception as error:  # onnxruntime's exceptions have no common base of its own
        raise ModelError(
            f"{model_id} failed on {len(inputs[IDS])} texts: {error}",
            f"Retry; if it stays, run `python -m inference.export {option}--force`.",
        ) from error
    result: NDArray[Any] = output
    return result
