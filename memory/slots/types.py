"""A slot and its value."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slot:
    """`key` names what has one value at a time, `value` is it, both as words to compare."""

    key: str
    value: str
