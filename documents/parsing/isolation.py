"""Parsing in a process of its own, bounded in memory and time, without our secrets."""

import logging
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

from documents.parsing import wire
from documents.parsing.funnel import check_size
from documents.parsing.refusals import refusal
from documents.parsing.types import (
    DEFAULT_LIMITS,
    ParsedDocument,
    ParsingLimits,
    Reason,
    UnreadableDocument,
)

_CHILD = Path(__file__).with_name("child.py")
_ENVIRONMENT = {"PATH": "/nonexistent", "LANG": "C.UTF-8", "MALLOC_ARENA_MAX": "2"}
"""All that the child inherits: no database, no keys, and no helper program is found (pypdf
would start jbig2dec)."""
_SAID = 400
_SIGNALS = {
    # The kernel kills with SIGKILL when memory runs out; nobody else does.
    -signal.SIGKILL: Reason.TOO_MUCH_MEMORY,
    -signal.SIGXCPU: Reason.TOO_SLOW,
    -signal.SIGXFSZ: Reason.PARSER_FAILED,
}

logger = logging.getLogger(__name__)


def parse_isolated(
    data: bytes, *, filename: str, limits: ParsingLimits = DEFAULT_LIMITS
) -> ParsedDocument:
    """The visible text of an untrusted file; raises UnreadableDocument and nothing else.

    Files carry the bytes both ways: unlike pipes they cannot fill up and block, and what
    comes back can be measured before it is read.
    """
    check_size(data, limits)
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as answer,
        tempfile.TemporaryFile() as said,
    ):
        given.write(wire.request(filename, limits))
        given.write(data)
        given.seek(0)
        code = _run(given, answer, said, limits)
        if code != 0:
            raise _broken_off(code, said, limits)
        return _read(answer, limits)


def _run(given: IO[bytes], answer: IO[bytes], said: IO[bytes], limits: ParsingLimits) -> int:
    """Run the child to its end or to its time limit; its return code."""
    child = subprocess.Popen(  # noqa: S603 - a list of our own making, never a shell
        [sys.executable, "-I", "-X", "utf8", str(_CHILD)],
        stdin=given,
        stdout=answer,
        stderr=said,
        env=_ENVIRONMENT,
        cwd="/",
        start_new_session=True,
    )
    try:
        return child.wait(timeout=limits.wall_seconds)
    except subprocess.TimeoutExpired as error:
        raise _too_slow(limits) from error
    finally:
        kill_group(child)


def kill_group(child: subprocess.Popen[bytes]) -> None:
    """End the child and whatever it may have started; nothing happens where all is over.

    The child leads its group, so the group bears its number as long as it is not reaped.
    """
    if child.returncode is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _broken_off(code: int, said: IO[bytes], limits: ParsingLimits) -> UnreadableDocument:
    size = said.seek(0, os.SEEK_END)
    said.seek(max(0, size - _SAID))
    words = said.read(_SAID).decode("utf-8", errors="replace")
    logger.warning("parser ended with code %s: %s", code, words.strip().rpartition("\n")[2])
    if "MemoryError" in words:
        return refusal(Reason.TOO_MUCH_MEMORY)
    reason = _SIGNALS.get(code, Reason.PARSER_FAILED)
    return _too_slow(limits) if reason is Reason.TOO_SLOW else refusal(reason)


def _too_slow(limits: ParsingLimits) -> UnreadableDocument:
    return refusal(Reason.TOO_SLOW, limit=f"{limits.wall_seconds:g}")


def _read(answer: IO[bytes], limits: ParsingLimits) -> ParsedDocument:
    if answer.seek(0, os.SEEK_END) > wire.largest_answer(limits):
        raise refusal(Reason.TOO_MUCH_TEXT, limit=f"{limits.max_characters:,}")
    answer.seek(0)
    try:
        return wire.read_answer(answer.read())
    except wire.BadAnswer as error:
        raise refusal(Reason.PARSER_FAILED) from error
