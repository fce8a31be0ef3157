"""The steps of each kind of job: a bounded piece of work and the progress after it.

Packages above this one do the work; each registers its step when the apps are ready.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analysis.models import Job, JobKind


@dataclass(frozen=True, slots=True)
class JobStep:
    """The progress of a job after a step; `result` is None until it is done."""

    done: int
    total: int
    progress: dict[str, Any]
    result: dict[str, Any] | None = None


STEPS: dict[JobKind, Callable[[Job], JobStep]] = {}


def register_step(kind: JobKind, step: Callable[[Job], JobStep]) -> None:
    """Register the step of a kind of job; called when the apps are ready."""
    STEPS[kind] = step
