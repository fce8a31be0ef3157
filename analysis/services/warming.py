"""Loads the models before the first check, since its time limit does not allow for it."""

from collections.abc import Callable
from time import perf_counter

import structlog

from analysis.check_embedder import CheckEmbedder
from analysis.judge import language_model, own_judge
from inference.errors import ModelError
from inference.language import other_language

log = structlog.get_logger(__name__)


def warm_up() -> None:
    """Load the models of this process and run each once.

    A missing one is logged; the checks that need it will report it too.
    """
    _open("embedding", lambda: CheckEmbedder().embed(["warm"]))
    _open("language", lambda: other_language("The models are opened before the first check."))
    base = own_judge()
    if base is not None:
        _open("judge", lambda: base.predict("", ["warm"], ["warm"]))
    second = language_model()
    if second is not None:
        _open("language_model", second.open)


def _open(kind: str, run: Callable[[], object]) -> None:
    began = perf_counter()
    try:
        run()
    except ModelError as error:
        log.error("model_not_opened", model=kind, problem=error.problem, remedy=error.remedy)
        return
    log.info("model_opened", model=kind, seconds=round(perf_counter() - began, 2))
