"""Parses in a separate process: sandboxed, with limits, without our secrets."""

import json
import logging
import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import IO

from documents.parsing import wire
from documents.parsing.funnel import check_size
from documents.parsing.types import (
    DEFAULT_LIMITS,
    ParsedDocument,
    ParsingLimits,
    UnreadableDocument,
    UnreadableReason,
    refusal,
)
from lib.sandbox import Program, SandboxUnavailable, Tier, isolated_command, restrictions
from lib.sandbox.running import kill_group

_CHILD = Path(__file__).with_name("child.py")
_ENVIRONMENT = {"PATH": "/nonexistent", "LANG": "C.UTF-8", "MALLOC_ARENA_MAX": "2"}
"""All that the child inherits: no database, no keys, and no helper program is found."""
_CHECKOUT = Path(__file__).resolve().parents[2]
_OURS = tuple(_CHECKOUT / package for package in ("documents", "lib"))
_SAID = 400
_SHELL = 128
"""The number that bubblewrap, like shells, adds to the signal that ended its child."""
_SIGNALS = {
    # The kernel kills with SIGKILL when memory runs out, and nobody else does; PDFium aborts.
    -signal.SIGKILL: UnreadableReason.TOO_MUCH_MEMORY,
    -signal.SIGABRT: UnreadableReason.TOO_MUCH_MEMORY,
    -signal.SIGXCPU: UnreadableReason.TOO_SLOW,
    -signal.SIGXFSZ: UnreadableReason.PARSER_FAILED,
}

logger = logging.getLogger(__name__)


def parse_isolated(
    data: bytes, *, filename: str, tier: Tier | None, limits: ParsingLimits = DEFAULT_LIMITS
) -> ParsedDocument:
    """Return the visible text of an untrusted file; raises only UnreadableDocument.

    `tier` None: limits without a sandbox, for trusted files. The bytes pass through files in both
    directions: unlike pipes they cannot fill up and block, and the answer's size is known before it
    is read.
    """
    check_size(data, limits)
    with (
        tempfile.TemporaryFile() as file,
        tempfile.TemporaryFile() as answer,
        tempfile.TemporaryFile() as errors,
    ):
        try:
            arguments = [sys.executable, "-I", "-S", "-X", "utf8", str(_CHILD)]
            if tier is not None:
                # In the first tier the command line also lists the paths to read.
                arguments = isolated_command(tier, Program(_CHILD, (*_OURS, *_packages())))
            file.write(_setting(tier))
        except SandboxUnavailable as error:
            logger.error("no sandbox to parse in: %s", error)
            raise refusal(UnreadableReason.NO_SANDBOX) from error
        file.write(wire.request(filename, limits))
        file.write(data)
        file.seek(0)
        code = _run(arguments, file, answer, errors, limits)
        if code != 0:
            raise _broken_off(code, errors, limits)
        if answer.seek(0, os.SEEK_END) > wire.largest_answer(limits):
            raise refusal(UnreadableReason.TOO_MUCH_TEXT, limit=f"{limits.max_characters:,}")
        answer.seek(0)
        try:
            return wire.read_answer(answer.read())
        except wire.BadAnswer as error:
            raise refusal(UnreadableReason.PARSER_FAILED) from error


def _setting(tier: Tier | None) -> bytes:
    """Return the first line of the child's input: package paths and restrictions."""
    readable = map(str, (*_OURS, *_packages(), sysconfig.get_path("stdlib")))
    setting = {
        "paths": [str(_CHECKOUT), *map(str, _packages())],
        "restrictions": tier and restrictions(tier, processes=1, readable=list(readable)),
    }
    return json.dumps(setting).encode() + b"\n"


def _packages() -> tuple[Path, ...]:
    """Return the folders of this environment's libraries."""
    return tuple({Path(sysconfig.get_path(name)): None for name in ("purelib", "platlib")})


def _run(
    arguments: list[str],
    document: IO[bytes],
    answer: IO[bytes],
    errors: IO[bytes],
    limits: ParsingLimits,
) -> int:
    """Run the child to its end or time limit; return its exit code, negative for a signal."""
    child = subprocess.Popen(  # noqa: S603 - a list of our own making, never a shell
        arguments,
        stdin=document,
        stdout=answer,
        stderr=errors,
        env=_ENVIRONMENT,
        cwd="/",
        start_new_session=True,
    )
    try:
        code = child.wait(timeout=limits.wall_seconds)
        return _SHELL - code if code > _SHELL else code
    except subprocess.TimeoutExpired as error:
        raise _too_slow(limits) from error
    finally:
        kill_group(child)


def _broken_off(code: int, errors: IO[bytes], limits: ParsingLimits) -> UnreadableDocument:
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - _SAID))
    words = errors.read(_SAID).decode("utf-8", errors="replace")
    logger.warning("parser ended with code %s: %s", code, words.strip().rpartition("\n")[2])
    if "MemoryError" in words:
        return refusal(UnreadableReason.TOO_MUCH_MEMORY)
    reason = _SIGNALS.get(code, UnreadableReason.PARSER_FAILED)
    return _too_slow(limits) if reason is UnreadableReason.TOO_SLOW else refusal(reason)


def _too_slow(limits: ParsingLimits) -> UnreadableDocument:
    return refusal(UnreadableReason.TOO_SLOW, limit=f"{limits.wall_seconds:g}")
