"""The attack families with fixed wording: their phrases, read once from families.txt."""

from collections.abc import Iterator
from pathlib import Path

from documents.injection.phrases import Phrase, Sets, index, parse
from documents.injection.results import Family
from documents.injection.words import expand

_FILE = Path(__file__).with_name("families.txt")


def _sections(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each `[name value]` section with its lines."""
    heading, lines = ("", ""), list[str]()
    for line in text.splitlines():
        if line.startswith("[") and line.endswith("]") and len(line[1:-1].split()) == 2:
            yield *heading, lines
            name, value = line[1:-1].split()
            heading, lines = (name, value), []
        elif line.strip() and not line.startswith("# "):
            lines.append(line)
    yield *heading, lines


def _read(text: str) -> list[Phrase]:
    sections = [section for section in _sections(text) if section[0]]
    sets: Sets = {
        value: frozenset(expand(" ".join(lines)))
        for name, value, lines in sections
        if name == "set"
    }
    return [
        phrase
        for name, value, lines in sections
        if name != "set"
        for phrase in parse(Family(name), float(value), lines, sets)
    ]


PHRASES = index(_read(_FILE.read_text(encoding="utf-8")))
"""All phrases by the words they can begin with."""
