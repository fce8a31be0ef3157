"""Runs a script: starts the child in its tier, waits no longer than allowed, reads its answer."""

import base64
import json
import logging
import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from time import perf_counter
from typing import IO, Any

from lib.sandbox.commands import command, user
from lib.sandbox.filtering import program
from lib.sandbox.types import (
    DEFAULT_LIMITS,
    SandboxFailed,
    SandboxLimits,
    SandboxResult,
    Tier,
)

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

    `modules` of the standard library are loaded before the restrictions apply: afterwards no file
    can be read. Raises SandboxFailed, or SandboxUnavailable where a program of the tier is missing.
    Files carry the bytes both ways: unlike pipes they cannot block, and prlimit bounds them.
    """
    started = perf_counter()
    arguments = command(tier, limits)
    with (
        tempfile.TemporaryFile() as file,
        tempfile.TemporaryFile() as answer,
        tempfile.TemporaryFile() as errors,
    ):
        setting = {"modules": list(modules), **restrictions(tier, limits.processes)}
        for line in (setting, {"script": script, "input": data}):
            file.write(json.dumps(line).encode() + b"\n")
        file.seek(0)
        code = _wait(arguments, file, answer, errors, limits.wall_seconds)
        if code != 0:
            raise SandboxFailed(_broken_off(code, errors))
        return SandboxResult(_output(answer, limits), tier, perf_counter() - started)


def restrictions(tier: Tier, processes: int, readable: Sequence[str] = ()) -> dict[str, Any]:
    """Return the argument of `lib.sandbox.child.restrict` as JSON.

    `readable`: folders that Landlock leaves to the child; the first tier has them as mounts.
    Raises SandboxUnavailable where the filter cannot be made.
    """
    return {
        "processes": processes,
        "user": user(tier),
        "landlock": tier is Tier.LANDLOCK,
        "readable": list(readable),
        "filter": base64.b64encode(program()).decode(),
    }


def _wait(
    arguments: list[str], stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes], seconds: float
) -> int:
    child = subprocess.Popen(  # noqa: S603 - a list of our own making, never a shell
        arguments,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
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


def kill_group(child: subprocess.Popen[bytes]) -> None:
    """End the child and whatever it has started; does nothing where all have ended.

    The child leads its group, so the group bears its number as long as it is not reaped.
    """
    if child.returncode is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _broken_off(code: int, stderr: IO[bytes]) -> str:
    """Say why the child broke off, for an operator: the last line that it wrote."""
    size = stderr.seek(0, os.SEEK_END)
    stderr.seek(max(0, size - _SAID))
    last = stderr.read(_SAID).decode("utf-8", errors="replace").strip().rpartition("\n")[2]
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
