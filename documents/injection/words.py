"""Reads the word lists: `[name]` headings, "word*" for a word and its plural."""

from pathlib import Path


def word_lists(path: Path) -> dict[str, frozenset[str]]:
    """Return the lists of a file by name."""
    lists: dict[str, set[str]] = {}
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            lists.setdefault(name, set()).update(expand(line))
    return {name: frozenset(words) for name, words in lists.items()}


def expand(line: str) -> set[str]:
    """Return the words of a line, with the plurals of those that end in "*"."""
    words: set[str] = set()
    for word in line.split():
        words |= {word[:-1], f"{word[:-1]}s"} if word.endswith("*") else {word}
    return words
