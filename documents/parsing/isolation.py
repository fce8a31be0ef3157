"""Parses in a separate process: sandboxed, with limits, without our secrets."""

import encodings
import logging
import math
import pkgutil
import sysconfig
from pathlib import Path

from documents.parsing import wire
from documents.parsing.funnel import PARSERS, check_size
from documents.parsing.types import (
    DEFAULT_LIMITS,
    ParsedDocument,
    ParsingLimits,
    UnreadableDocument,
    UnreadableReason,
    refusal,
)
from lib.sandbox import (
    Failure,
    Program,
    SandboxFailed,
    SandboxLimits,
    SandboxUnavailable,
    Tier,
    run_program,
)

_CHECKOUT = Path(__file__).resolve().parents[2]
_OURS = tuple(_CHECKOUT / package for package in ("documents", "lib"))
_FILES = 64
_SPARE_CPU_S = 2
_OF_WINDOWS = ("mbcs", "oem")

logger = logging.getLogger(__name__)


def parse_isolated(
    data: bytes, *, filename: str, tier: Tier | None, limits: ParsingLimits = DEFAULT_LIMITS
) -> ParsedDocument:
    """Return the visible text of an untrusted file; raises only UnreadableDocument.

    `tier` None: limits without a sandbox, for trusted files.
    """
    check_size(data, limits)
    request = wire.request(filename, limits)
    try:
        answer = run_program(_parser(tier), request, data, tier=tier, limits=_limits(limits))
        return wire.read_answer(answer)
    except SandboxUnavailable as error:
        logger.error("no sandbox to parse in: %s", error)
        raise refusal(UnreadableReason.NO_SANDBOX) from error
    except SandboxFailed as error:
        raise _refusal_of(error.failure, limits) from error
    except wire.BadAnswer as error:
        raise refusal(UnreadableReason.PARSER_FAILED) from error


def _parser(tier: Tier | None) -> Program:
    """Return the program, with the modules that the restrictions would not let it load."""
    # `uuid`, which libraries import, asks for the system's name.
    modules = ["uuid"]
    if tier is Tier.LANDLOCK:
        # Root becomes nobody, who may be unable to read Python's own folders.
        codecs = (codec.name for codec in pkgutil.iter_modules(encodings.__path__))
        modules += [*PARSERS, *(f"encodings.{name}" for name in codecs if name not in _OF_WINDOWS)]
    packages = tuple({Path(sysconfig.get_path(name)): None for name in ("purelib", "platlib")})
    return Program(
        "documents.parsing.wire:answer",
        modules=tuple(modules),
        paths=(_CHECKOUT, *packages),
        readable=(*_OURS, *packages),
    )


def _limits(limits: ParsingLimits) -> SandboxLimits:
    return SandboxLimits(
        wall_seconds=limits.wall_seconds,
        cpu_seconds=math.ceil(limits.wall_seconds) + _SPARE_CPU_S,
        memory_bytes=limits.memory_bytes,
        file_bytes=wire.largest_answer(limits),
        open_files=_FILES,
    )


def _refusal_of(failure: Failure, limits: ParsingLimits) -> UnreadableDocument:
    match failure:
        case Failure.TOO_SLOW:
            return refusal(UnreadableReason.TOO_SLOW, limit=f"{limits.wall_seconds:g}")
        case Failure.TOO_MUCH_MEMORY:
            return refusal(UnreadableReason.TOO_MUCH_MEMORY)
        case Failure.TOO_LONG:
            return refusal(UnreadableReason.TOO_MUCH_TEXT, limit=f"{limits.max_characters:,}")
        case Failure.BROKEN:
            return refusal(UnreadableReason.PARSER_FAILED)
