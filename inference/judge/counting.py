"""Counts the tokens that this process's judges read: their cost, whatever the machine."""

from dataclasses import dataclass


@dataclass(slots=True)
class TokenCount:
    """The tokens that went through a model, without those of cached passages."""

    value: int = 0


READ = TokenCount()
