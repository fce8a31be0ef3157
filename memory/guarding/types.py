"""The reasons why a fact is not stored."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """`code` for programs, `reason` for people. `hidden`: the words must not be repeated."""

    code: str
    reason: str
    hidden: bool = False
