"""Prepared models, made once a session; torch runs in child processes only."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from inference.embedding import get_embedder
from inference.prepare import ensure_model
from inference.sources import DEFAULT_MODEL
from tests import services

NLI_KINDS = ("three", "two", "unnamed", "roberta", "traceless")
RERANK_KINDS = ("bert", "roberta", "decoder", "three", "traceless")
LONGEST_S = 600
KINDS = ("mean", "cls", "prompts", "dense")


def call(*arguments: object, module: str = "tiny") -> None:
    command = [sys.executable, "-m", f"tests.integration.inference.{module}"]
    command += map(str, arguments)
    process = subprocess.run(
        command,
        check=False,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
    )
    assert process.returncode == 0, process.stderr[-2000:]


@pytest.fixture(scope="session")
def default_root() -> Path:
    """The checkout's own models, so that a second run of the tests prepares nothing."""
    root = Path(__file__).resolve().parents[3] / ".data" / "models"
    ensure_model(DEFAULT_MODEL, root)
    return root


@pytest.fixture(scope="session")
def embedder(default_root):
    return get_embedder(DEFAULT_MODEL, default_root, threads=2)


@pytest.fixture(scope="session")
def tiny() -> dict[str, str]:
    """Folders of random models by kind."""
    return made("tiny", KINDS, "make")


@pytest.fixture(scope="session")
def tiny_nli() -> dict[str, str]:
    """Folders of random classifiers by kind."""
    return made("tiny_nli", NLI_KINDS)


@pytest.fixture(scope="session")
def tiny_rerank() -> dict[str, str]:
    """Folders of random cross-encoders by kind."""
    return made("tiny_rerank", RERANK_KINDS)


def made(module: str, kinds: tuple[str, ...], *arguments: str) -> dict[str, str]:
    """What a module makes and prepares, once for all processes of this run of the tests."""
    place = services.RUN / module
    folders = {kind: str(place / kind) for kind in kinds}
    with FileLock(f"{place}.lock", timeout=LONGEST_S):
        if not (place / "ready").exists():
            place.mkdir()
            call(
                *arguments, *(f"{kind}={folder}" for kind, folder in folders.items()), module=module
            )
            (place / "ready").touch()
    return folders


@pytest.fixture
def reference(tmp_path):
    """What sentence-transformers itself makes of texts."""

    def embed(source: str, texts: list[str]) -> np.ndarray:
        texts_file, answer = tmp_path / "texts.json", tmp_path / "vectors.npy"
        texts_file.write_text(json.dumps(texts))
        call("reference", source, texts_file, answer)
        return np.load(answer)

    return embed
