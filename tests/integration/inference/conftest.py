"""Prepared models, made once a run; most of torch's work is done in child processes."""

import os
from importlib import import_module
from pathlib import Path

import pytest
from filelock import FileLock

from inference import prepare
from inference.embedding import get_embedder
from inference.prepare import Report, ensure_model
from inference.sources import DEFAULT_MODEL
from inference.store import Manifest
from tests import services
from tests.commands import python
from tests.integration.inference.tiny_models import KINDS

LONGEST_S = 600


def call(*arguments: object, module: str) -> None:
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}
    command = ("-m", f"tests.integration.inference.{module}", *arguments)
    python(*command, environment=environment, timeout=LONGEST_S)


@pytest.fixture(scope="session")
def default_root() -> Path:
    """Return the checkout's own models, so that a second run of the tests prepares nothing."""
    root = Path(__file__).resolve().parents[3] / ".data" / "models"
    ensure_model(DEFAULT_MODEL, root)
    return root


@pytest.fixture(scope="session")
def embedder(default_root):
    return get_embedder(DEFAULT_MODEL, default_root, threads=2)


@pytest.fixture(scope="session")
def tiny_models() -> Path:
    """Make random models by task and kind, once for all processes of this run of the tests."""
    place = services.RUN / "tiny-models"
    with FileLock(f"{place}.lock", timeout=LONGEST_S):
        if not (place / "ready").exists():
            call(place, module="tiny_models")
            (place / "ready").touch()
    return place


@pytest.fixture(scope="session")
def tiny(tiny_models) -> dict[str, str]:
    """Return folders of models of embedding by kind."""
    return folders(tiny_models, "embedding")


@pytest.fixture(scope="session")
def tiny_rerank(tiny_models) -> dict[str, str]:
    """Return folders of cross-encoders by kind."""
    return folders(tiny_models, "rerank")


def folders(root: Path, task: str) -> dict[str, str]:
    return {kind: str(root / task / kind) for kind in KINDS[task]}


@pytest.fixture
def made_here(monkeypatch) -> None:
    """Make in this process what a child would make: each child loads torch and more again."""

    def make(
        maker: tuple[str, ...], name: str, folder: Path, report: Report, *, offline: bool
    ) -> Manifest:
        module, *kind = maker
        return import_module(module).build(*kind, name, folder, report)

    monkeypatch.setattr(prepare, "run_maker", make)
