"""From the prepared judge on disk to one that runs."""

from pathlib import Path

from inference.errors import ModelError
from inference.judge.onnx_judge import Files, OnnxJudge
from inference.judge.preparing import REMEDY, judge_folder
from inference.store import verified_manifest


def load(root: Path, *, threads: int, evidence_tokens: int, cache_bytes: int) -> OnnxJudge:
    """Open the judge below `root`, its files verified. Raises ModelError."""
    folder = judge_folder(root)
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
