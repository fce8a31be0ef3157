"""Drafts: answers whose every sentence cites an item of the bundle."""

from dataclasses import dataclass, field
from typing import Any

from assistant.synthesis.conflicts import LimitConflict

NOT_FOUND = "I cannot find this in the uploaded documents."
"""The fixed answer if the documents contain nothing on the question."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before it is checked. `text` "": nothing of the bundle answers the question.

    `by` names who wrote it: "extractive" or the models. `notes` are sentences for the manager on
    how it was written (no language model, a model that failed, what was taken out). `memories`
    are numbers of remembered items that belong beside the answer. `samples` are the answers of
    further models to the same question, `logprobs` those of the answer's own tokens, where they
    fit its text. `remembered`: the documents are silent, and `memories` answer. `closest`: where
    nothing is certain, the numbers and sentences that come closest. `suggested`: questions that the
    bundle answers, where it does not answer this one.
    """

    text: str
    by: str
    notes: tuple[str, ...] = ()
    memories: tuple[int, ...] = ()
    samples: tuple[str, ...] = ()
    logprobs: tuple[dict[str, Any], ...] | None = None
    tokens: int = 0
    removed: tuple[str, ...] = ()
    consensus: dict[str, Any] = field(default_factory=dict)
    remembered: bool = False
    closest: tuple[tuple[int, str], ...] = ()
    conflicts: tuple[LimitConflict, ...] = ()
    suggested: tuple[str, ...] = ()
