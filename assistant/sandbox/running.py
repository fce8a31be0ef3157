"""One run: start the child in its tier, wait no longer than allowed, read what it answered."""

import base64
import json
import logging
import os
import subprocess
import tempfile
from collections.abc import Sequence
from time import perf_counter
from typing import IO, Any

from assistant.sandbox.commands import command, user
from assistant.sandbox.filtering import program
from assistant.sandbox.types import (
    DEFAULT_LIMITS,
    SandboxFailed,
    SandboxLimits,
    SandboxResult,
    Tier,
)
from documents.parsing.isolation import kill_group

_SAID = 400

logger = logging.getLogger(__name__)


def run(
    script: str,
    data: Any,
    *,
    tier: Tier,
    modules: Sequence[str] = (),
    limits: SandboxLimits = DEFAULT_LIMITS,
) -> SandboxResult:
    """Call `main(data)` of this source text inside the tier; JSON goes in and comes out.

    `modules` of the standard library are loaded before the walls go up: afterwards no file can be
    read. Raises SandboxFailed, or SandboxUnavailable where a program of the tier is missing.
    Files carry the bytes both ways: unlike pipes they cannot block, and prlimit bounds them.
    """
    started = perf_counter()
    arguments = command(tier, limits)
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as answer,
        tempfile.TemporaryFile() as said,
    ):
        given.write(_walls(tier, modules, limits))
        given.write(json.dumps({"script": script, "input": data}).encode() + b"\n")
        given.seek(0)
        code = _wait(arguments, given, answer, said, limits.wall_seconds)
        if code != 0:
            raise SandboxFailed(_broken_off(code, said))
        return SandboxResult(_output(answer, limits), tier, perf_counter() - started)


def _walls(tier: Tier, modules: Sequence[str], limits: SandboxLimits) -> bytes:
    walls = {
        "modules": list(modules),
        "processes": limits.processes,
        "user": user(tier),
        "landlock": tier is Tier.LANDLOCK,
        "filter": base64.b64encode(program()).decode(),
    }
    return json.dumps(walls).encode() + b"\n"


def _wait(
    arguments: list[str], given: IO[bytes], answer: IO[bytes], said: IO[bytes], seconds: float
) -> int:
    child = subprocess.Popen(  # noqa: S603 - a list of our own making, never a shell
        arguments,
        stdin=given,
        stdout=answer,
        stderr=said,
        env={},
        cwd="/",
        start_new_session=True,
    )
    try:
        return child.wait(timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise SandboxFailed(f"it took longer than {seconds:g} seconds") from error
    finally:
        # Bubblewrap's child dies with it; so does its whole process namespace.
        kill_group(child)


def _broken_off(code: int, said: IO[bytes]) -> str:
    """Why, in words for an operator: the last line that the child said."""
    size = said.seek(0, os.SEEK_END)
    said.seek(max(0, size - _SAID))
    last = said.read(_SAID).decode("utf-8", errors="replace").strip().rpartition("\n")[2]
    logger.warning("sandbox ended with code %s: %s", code, last)
    if "MemoryError" in last:
        return "it needed more memory than is allowed"
    return f"it ended with code {code}: {last}" if last else f"it ended with code {code}"


def _output(answer: IO[bytes], limits: SandboxLimits) -> Any:
    answer.seek(0)
    try:
        return json.loads(answer.read(limits.file_bytes))["output"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SandboxFailed("it answered with something that is no result") from error
