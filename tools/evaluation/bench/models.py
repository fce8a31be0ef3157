"""A worker's models alone in a process: `python -m tools.evaluation.bench.models SECONDS NAME`.

Prints one JSON object. NAME is what NLI_MODEL names, or the small judge where that is "lexical".
Each answer is a new one, so that no result is remembered. Times are of the clock; processor time
stands beside them, since it hardly depends on what else the machine does.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, process_time

from celery import current_app
from django.conf import settings

from inference.errors import ModelError
from inference.judge import FOLDERS, SMALL
from inference.judge.types import Judge
from lib.stats.bootstrap import percentile
from tools.evaluation.bench.engine import prose

WORDS, CHUNKS = 200, 4
_LONGEST_S = 900


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """Milliseconds (median, and of the processors), counts, and the peak memory in MiB."""

    model: str
    threads: int
    answer_ms: float
    answer_cpu_ms: float
    mebibytes: float


def measure_models(*, seconds: float) -> ModelFigures | str:
    """Return the figures, or why there are none."""
    try:
        output = _child("tools.evaluation.bench.models", str(seconds), model_name())
        payload = json.loads(output.splitlines()[-1])
    except ModelError as error:
        return error.problem
    return str(payload["missing"]) if "missing" in payload else ModelFigures(**payload)


def model_name() -> str:
    """Return the model that NLI_MODEL names; the small judge where that is "lexical"."""
    return str(settings.NLI_MODEL) if settings.NLI_MODEL in FOLDERS else SMALL


def _child(module: str, *arguments: str) -> str:
    """Return what one of our own modules prints. Raises ModelError with its last line."""
    process = subprocess.run(  # noqa: S603  our own module
        [sys.executable, "-m", module, *arguments],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        timeout=_LONGEST_S,
        check=False,
    )
    if process.returncode:
        raise ModelError(f"{module} failed: {process.stderr.strip()[-500:]}", "Run it by itself.")
    return process.stdout


def _run(seconds: float, name: str) -> ModelFigures:
    """Open both models as a worker does, then measure. Raises ModelError."""
    from analysis.check_embedder import CheckEmbedder  # noqa: PLC0415 - the child sets Django up first
    from analysis.judge import missing_judge, own_judge  # noqa: PLC0415

    settings.NLI_MODEL = name
    if missing := missing_judge():
        raise ModelError(missing, "Run `python -m inference.export --judge`.")
    judge = own_judge()
    CheckEmbedder().embed(["warm"])
    work = _answer(judge)
    for turn in range(3):
        work(turn)
    times_ms, turn = list[float](), 3
    began, busy = perf_counter(), process_time()
    while perf_counter() - began < seconds:
        at = perf_counter()
        work(turn)
        times_ms.append((perf_counter() - at) * 1000)
        turn += 1
    answer_ms, answer_cpu_ms = (
        percentile(sorted(times_ms), 50),
        (process_time() - busy) * 1000 / len(times_ms),
    )
    # The most memory that this process held, in MiB. Not by getrusage, which begins with the
    # parent's memory.
    match = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="ascii"))
    return ModelFigures(
        model=judge.model_id if judge else "",
        threads=settings.NLI_THREADS,
        answer_ms=answer_ms,
        answer_cpu_ms=answer_cpu_ms,
        mebibytes=int(match[1]) / 1024 if match else 0.0,
    )


def _answer(judge: Judge | None) -> Callable[[int], None]:
    """Return a check of WORDS words with CHUNKS chunks, as a worker does it, but in memory."""
    from analysis.engine import decide, measure  # noqa: PLC0415
    from analysis.engine.types import Source, Submission  # noqa: PLC0415
    from analysis.services.answer_vectors import embedding  # noqa: PLC0415

    answer = prose(WORDS)
    text = prose(WORDS * 2)
    size = settings.CHUNK_SIZE
    chunks = [text[at * size : (at + 1) * size] for at in range(CHUNKS)]

    def check(turn: int) -> None:
        variant = answer.replace("bridge", f"bridge {turn}")
        sources = tuple(Source(f"s{at}", f"{turn}. {chunk}") for at, chunk in enumerate(chunks))
        query = f"What is known of bridge {turn}?"
        with embedding(query, variant) as vectors:
            submission = Submission(variant, query, sources)
            decide(variant, measure(submission, judge=judge))
        vectors()

    return check


def main(arguments: list[str]) -> None:
    import django  # noqa: PLC0415

    django.setup()
    current_app.loader.import_default_modules()  # all that a worker holds beside the models
    try:
        print(json.dumps(asdict(_run(float(arguments[0]), arguments[1]))))
    except ModelError as error:
        print(json.dumps({"missing": error.problem}))


if __name__ == "__main__":
    main(sys.argv[1:])
