"""Prompts, stored as files beside this one so that they are under version control."""

from functools import cache
from pathlib import Path


@cache
def prompt(name: str) -> str:
    """Return the text of `name`.txt. Raises FileNotFoundError if there is none."""
    return Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8").strip()
