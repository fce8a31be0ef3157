"""`python -m tools.evaluation.bench.judge [--to DIR] [--threads N] [--rounds N]`: speed and memory.

An answer of 200 words in ten claims against four chunks of 500 characters: milliseconds with all
keys and values computed again, and with those of the chunks remembered; the processor's
milliseconds; the process's peak memory.
"""

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from inference.judge import BASE, FOLDERS
from inference.judge.onnx_judge import load
from inference.judge.preparing import judge_folder
from inference.judge.segments import WINDOW, Reader, Segment
from inference.judge.types import EVIDENCE_TOKENS
from inference.store import DEFAULT_FOLDER, read_manifest

_SENTENCE = (
    "Section {n} of the handbook says that order {m} may be returned within {d} days when its "
    "seal is intact, and that the price of {p} euros is then paid back to the same account. "
)
_CLAIM = (
    "According to section {n} of the handbook the buyer of order {m} has {d} days to send it "
    "back and gets {p} euros."
)
QUESTION = "Within how many days may an order be returned, and what is paid back?"
CHUNKS, CHARACTERS, CLAIMS = 4, 500, 10


def _filled(text: str, n: int) -> str:
    return text.format(n=n, m=n * 37 + 1000, d=n % 60, p=n * 3 + 20)


def evidence(start: int) -> list[str]:
    """Return four chunks; another `start` gives others."""
    return [
        "".join(_filled(_SENTENCE, start + at * 7 + k) for k in range(4))[:CHARACTERS]
        for at in range(CHUNKS)
    ]


def claims(start: int) -> list[str]:
    """Return ten claims of about 20 words each."""
    return [_filled(_CLAIM, start + at) for at in range(CLAIMS)]


def _timed(run: Callable[[int], object], rounds: int) -> tuple[float, float]:
    """Return median milliseconds of a round, on the clock and of the processors."""
    clock, processors = [], []
    for at in range(rounds):
        began, busy = time.perf_counter(), time.process_time()
        run(at)
        clock.append(1000 * (time.perf_counter() - began))
        processors.append(1000 * (time.process_time() - busy))
    return statistics.median(clock), statistics.median(processors)


def _tokens(folder: Path) -> tuple[int, int]:
    """Return the tokens of the evidence and of the claims, special tokens included."""
    reader = Reader(folder / read_manifest(folder).file(".json"))
    windows = [Segment(window.ids, WINDOW).length for window in reader.windows(evidence(0))]
    return sum(windows), sum(reader.claim(claim).segment.length for claim in claims(0))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.evaluation.bench.judge", description=__doc__
    )
    parser.add_argument("name", nargs="?", choices=tuple(FOLDERS), default=BASE)
    parser.add_argument("--to", type=Path, default=DEFAULT_FOLDER, help="prepared models")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args(arguments)
    folder = judge_folder(options.to, options.name)
    judge = load(
        folder, threads=options.threads, evidence_tokens=EVIDENCE_TOKENS, cache_bytes=2**27
    )
    judge.predict(QUESTION, evidence(10_000), claims(10_000))
    recomputed = _timed(
        lambda at: judge.predict(QUESTION, evidence(100 * at), claims(100 * at)), options.rounds
    )
    again = _timed(lambda at: judge.predict(QUESTION, evidence(0), claims(at)), options.rounds)
    of_evidence, of_claims = _tokens(folder)
    print(f"{judge.model_id}, {options.threads} threads")
    print(f"{of_evidence} tokens of evidence, {of_claims} of {CLAIMS} claims")
    print(f"recomputed  {recomputed[0]:.0f} ms, processor {recomputed[1]:.0f} ms")
    print(f"remembered  {again[0]:.0f} ms, processor {again[1]:.0f} ms")
    print(f"memory      {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
