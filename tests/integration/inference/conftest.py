"""Prepared models, made once a session; torch runs in child processes only."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from inference.embedding import get_embedder
from inference.prepare import ensure_model
from inference.sources import DEFAULT_MODEL

NLI_KINDS = ("three", "two", "unnamed", "roberta", "traceless")
RERANK_KINDS = ("bert", "roberta", "decoder", "three", "traceless")
KINDS = ("mean", "cls", "prompts", "dense")


def call(*arguments: object, module: str = "tiny") -> None:
    command = [sys.executable, "-m", f"tests.integration.inference.{module}"]
    command += map(str, arguments)
    done = subprocess.run(
        command,
        check=False,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=150,
    )
    assert done.returncode == 0, done.stderr[-2000:]


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
def tiny(tmp_path_factory) -> dict[str, str]:
    """Folders of random models by kind."""
    place = tmp_path_factory.mktemp("tiny")
    folders = {kind: place / kind for kind in KINDS}
    call("make", *(f"{kind}={folder}" for kind, folder in folders.items()))
    return {kind: str(folder) for kind, folder in folders.items()}


@pytest.fixture(scope="session")
def tiny_nli(tmp_path_factory) -> dict[str, str]:
    """Folders of random classifiers by kind."""
    place = tmp_path_factory.mktemp("tiny_nli")
    folders = {kind: place / kind for kind in NLI_KINDS}
    call(*(f"{kind}={folder}" for kind, folder in folders.items()), module="tiny_nli")
    return {kind: str(folder) for kind, folder in folders.items()}


@pytest.fixture(scope="session")
def tiny_rerank(tmp_path_factory) -> dict[str, str]:
    """Folders of random cross-encoders by kind."""
    place = tmp_path_factory.mktemp("tiny_rerank")
    folders = {kind: place / kind for kind in RERANK_KINDS}
    call(*(f"{kind}={folder}" for kind, folder in folders.items()), module="tiny_rerank")
    return {kind: str(folder) for kind, folder in folders.items()}


@pytest.fixture
def reference(tmp_path):
    """What sentence-transformers itself makes of texts."""

    def embed(source: str, texts: list[str]) -> np.ndarray:
        asked, answer = tmp_path / "texts.json", tmp_path / "vectors.npy"
        asked.write_text(json.dumps(texts))
        call("reference", source, asked, answer)
        return np.load(answer)

    return embed
