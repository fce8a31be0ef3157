"""The child process: restricts itself, reads a file from standard input, answers.

Run by path with `python -I -S`; the first line of its input names the packages and the restrictions
(null: none). It loads neither Django nor settings.
"""

import encodings
import importlib
import json
import math
import os
import pkgutil
import resource
import sys
from typing import Any

_FILES = 64
_SPARE_CPU_S = 2
_OF_WINDOWS = ("encodings.mbcs", "encodings.oem")


def main() -> None:
    """Answer one request. Whatever libraries print goes to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    with open(0, "rb", closefd=False) as requests:
        setting = json.loads(requests.readline())
        sys.path[:0] = setting["paths"]
        raw = _answer(setting["restrictions"], requests)
    while raw:
        raw = raw[os.write(answers, raw) :]


def _answer(restrictions: dict[str, Any] | None, requests: Any) -> bytes:
    # The checkout is found by the first line only.
    from documents.parsing import wire  # noqa: PLC0415
    from documents.parsing.funnel import PARSERS, parse  # noqa: PLC0415
    from documents.parsing.types import (  # noqa: PLC0415
        UnreadableDocument,
        UnreadableReason,
        refusal,
    )

    filename, limits = wire.read_request(requests.readline())
    bind(limits, wire.largest_answer(limits))
    if restrictions is not None:
        from lib.sandbox.child import restrict  # noqa: PLC0415

        # Load what the restrictions would block. `uuid`, which libraries import, asks for the
        # system's name. Under Landlock root becomes nobody, who may be unable to read Python's own
        # folders.
        names = ["uuid"]
        if restrictions["landlock"]:
            codecs = pkgutil.iter_modules(encodings.__path__)
            names += [*PARSERS, *(f"encodings.{codec.name}" for codec in codecs)]
        for name in names:
            if name not in _OF_WINDOWS:
                importlib.import_module(name)
        restrict(restrictions)
    try:
        return wire.answer(parse(requests.read(), filename=filename, limits=limits))
    except UnreadableDocument as error:
        return wire.refusal_json(error)
    except MemoryError:
        return wire.refusal_json(refusal(UnreadableReason.TOO_MUCH_MEMORY))


def bind(limits: Any, answer_bytes: int) -> None:
    """Set limits that this process cannot lift: memory, time, files, core dumps."""
    seconds = math.ceil(limits.wall_seconds) + _SPARE_CPU_S
    bounds = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: answer_bytes,
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
    sys.stderr.flush()
    os._exit(0)
