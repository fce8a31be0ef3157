"""Prompts are files beside this one: what a model is told is under version control."""

from functools import cache
from pathlib import Path


@cache
def prompt(name: str) -> str:
    """The text of `name`.txt. Raises FileNotFoundError for one that there is not."""
    return Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8").strip()
