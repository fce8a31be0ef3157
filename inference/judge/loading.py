"""Loads the prepared judge from disk."""

from pathlib import Path

from inference.errors import ModelError
from inference.judge.onnx_judge import Files, OnnxJudge
from inference.judge.preparing import REMEDY
from inference.store import verified_manifest


def load(folder: Path, *, threads: int, evidence_tokens: int, cache_bytes: int) -> OnnxJudge:
    """Load the judge in `folder` after verifying its files. Raises ModelError."""
    try:
        manifest = verified_manifest(folder)
    except ModelError as error:
        raise ModelError(error.problem, REMEDY) from error
    return OnnxJudge(
        Files(
            graph=folder / manifest.file(".onnx"),
            table=folder / manifest.file(".npy"),
            tokenizer=folder / manifest.file(".json"),
            model_id=manifest.model_id,
        ),
        threads=threads,
        evidence_tokens=evidence_tokens,
        cache_bytes=cache_bytes,
    )
