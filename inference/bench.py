"""`python -m inference.bench`: speed and memory of the embedding model, beside torch.

Each line is measured in a process of its own: chunks of about 500 characters and short queries,
the best of several rounds (other work on the machine only ever slows a round down). The column of
processor time hardly depends on what else runs, so it is the one to compare on a shared machine.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from inference.embedding import Vectors, get_embedder
from inference.prepare import ensure_model
from inference.sources import DEFAULT_MODEL
from inference.store import DEFAULT_FOLDER

ENGINES = ("onnxruntime", "torch")
COLUMNS = (
    "load s",
    "chunks/s",
    "cpu ms/chunk",
    "queries/s",
    "ms/query alone",
    "cpu ms/query",
    "peak MB",
)
WIDTH = 110
ROUNDS = 3
TEXTS = 64
LONGEST_S = 900
_SENTENCE = (
    "Section {n} of the handbook says that order {m} may be returned within {d} days when its "
    "seal is intact, and that the price of {p} euros is then paid back to the same account. "
)
_QUERY = "within how many days may order {m} be returned?"

Embed = Callable[[Sequence[str]], Vectors]


def chunks(count: int) -> list[str]:
    """Different texts of 500 characters, about 120 tokens each."""
    return ["".join(_filled(_SENTENCE, n * 7 + k) for k in range(4))[:500] for n in range(count)]


def queries(count: int) -> list[str]:
    """Different questions of about 12 tokens."""
    return [_filled(_QUERY, n) for n in range(count)]


def _filled(text: str, n: int) -> str:
    return text.format(n=n, m=n * 37 + 1000, d=n % 60, p=n * 3 + 20)


def measure(engine: str, root: Path, threads: int) -> dict[str, float]:
    """Figures of one engine in this process: texts/s, ms for a query alone, seconds, MB."""
    began = time.perf_counter()
    embed = _embed(engine, root, threads)
    embed(queries(1))
    load_s = time.perf_counter() - began
    many, many_cpu = _best(lambda: embed(chunks(TEXTS)))
    short, _ = _best(lambda: embed(queries(TEXTS)))
    alone, alone_cpu = _best(lambda: [embed([query]) for query in queries(TEXTS)])
    return {
        "load_s": load_s,
        "chunks_per_s": TEXTS / many,
        "cpu_ms_a_chunk": 1000 * many_cpu / TEXTS,
        "queries_per_s": TEXTS / short,
        "query_ms": 1000 * alone / TEXTS,
        "cpu_ms_a_query": 1000 * alone_cpu / TEXTS,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _best(work: Callable[[], object]) -> tuple[float, float]:
    """The least seconds of a round, on the clock and of the processors."""
    clock, processors = [], []
    for _ in range(ROUNDS):
        began, busy = time.perf_counter(), time.process_time()
        work()
        clock.append(time.perf_counter() - began)
        processors.append(time.process_time() - busy)
    return min(clock), min(processors)


def _embed(engine: str, root: Path, threads: int) -> Embed:
    if engine == "onnxruntime":
        return get_embedder(folder=root, threads=threads).embed
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    source = ensure_model(DEFAULT_MODEL, root).source
    model = SentenceTransformer(source, device="cpu", local_files_only=True)

    def embed(texts: Sequence[str]) -> Vectors:
        vectors: Vectors = model.encode(list(texts), normalize_embeddings=True)
        return vectors

    return embed


def _measured_apart(engine: str, root: Path, threads: int) -> dict[str, float]:
    """`measure` in a new process, so that memory is the engine's own."""
    command = [sys.executable, "-m", "inference.bench", "--to", str(root)]
    command += ["--engine", engine, "--threads", str(threads)]
    process = subprocess.run(  # noqa: S603 - a list of our own making, never a shell
        command, stdout=subprocess.PIPE, text=True, timeout=LONGEST_S, check=True
    )
    figures: dict[str, float] = json.loads(process.stdout.splitlines()[-1])
    return figures


def _show(root: Path) -> None:
    table = Table("engine and threads", *COLUMNS)
    console = Console(width=WIDTH)
    for engine in ENGINES:
        for threads in (1, 2):
            with console.status(f"{engine}, {threads} threads ..."):
                figures = _measured_apart(engine, root, threads)
            table.add_row(f"{engine}, {threads}", *(f"{value:.1f}" for value in figures.values()))
    console.print(table)


def main(arguments: list[str]) -> int:
    """Measure all engines, or the one that --engine names (as JSON)."""
    parser = argparse.ArgumentParser(prog="python -m inference.bench", description=__doc__)
    parser.add_argument("--to", type=Path, default=DEFAULT_FOLDER, help="prepared models")
    parser.add_argument("--engine", choices=ENGINES)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.engine:
        print(json.dumps(measure(options.engine, options.to, options.threads)))
        return 0
    ensure_model(DEFAULT_MODEL, options.to)
    _show(options.to)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
