"""The child process: bind itself to its limits, read a file from standard input, answer.

Run by its path with `python -I`, so it finds the checkout by itself. It loads neither Django
nor any settings, and only the parser that the file needs.
"""

import math
import os
import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from documents.parsing import wire
from documents.parsing.funnel import parse
from documents.parsing.refusals import refusal
from documents.parsing.types import ParsingLimits, Reason, UnreadableDocument

_FILES = 64
_SPARE_CPU_S = 2


def main() -> None:
    """Answer one request. Whatever a library prints goes to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    with open(0, "rb", closefd=False) as requests:
        filename, limits = wire.read_request(requests.readline())
        bind(limits)
        answer = _answer(requests.read(), filename, limits)
    with open(answers, "wb") as out:
        out.write(answer)


def _answer(data: bytes, filename: str, limits: ParsingLimits) -> bytes:
    try:
        return wire.answer(parse(data, filename=filename, limits=limits))
    except UnreadableDocument as error:
        return wire.refused(error)
    except MemoryError:
        return wire.refused(refusal(Reason.TOO_MUCH_MEMORY))


def bind(limits: ParsingLimits) -> None:
    """Set limits that this process cannot lift again: memory, time, files, core dumps."""
    seconds = math.ceil(limits.wall_seconds) + _SPARE_CPU_S
    bounds = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: wire.largest_answer(limits),
        resource.RLIMIT_NOFILE: _FILES,
        resource.RLIMIT_CORE: 0,
    }
    if sys.platform == "linux":  # macOS knows RLIMIT_AS but refuses to set it
        bounds[resource.RLIMIT_AS] = limits.memory_bytes
    for kind, bound in bounds.items():
        _, hard = resource.getrlimit(kind)
        bound = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (bound, bound))


if __name__ == "__main__":
    main()
