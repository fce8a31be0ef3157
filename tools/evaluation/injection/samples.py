"""Texts to measure on: read from a folder of public data, split in halves, attacks planted."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

CHUNK = 500
"""Code points of a chunk, as at ingestion."""
STEP = 420
"""Code points from one chunk to the next: 80 overlap."""
_SHORTEST = 100


@dataclass(frozen=True, slots=True)
class Sample:
    """One text of a set, whole or in chunks; held-out ones are not looked at while developing."""

    group: str
    pieces: tuple[str, ...]
    attack: bool
    held_out: bool


def samples(folder: Path) -> list[Sample]:
    """Return all texts of a data folder with `injection/*.jsonl` and `documents/*/`."""
    files = {
        path.stem: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted((folder / "injection").glob("*.jsonl"))
    }
    attacks = [row["text"] for stem, rows in files.items() if "attacks" in stem for row in rows]
    attacks.sort(key=len, reverse=True)
    result = [sample for stem, rows in files.items() for sample in _labelled(stem, rows, attacks)]
    for place in sorted(path for path in (folder / "documents").glob("*") if path.is_dir()):
        hosts = [chunk for path in sorted(place.iterdir()) for chunk in chunks(_read(path))]
        result += [Sample(place.name, (host,), False, held_out(host)) for host in hosts]
        result += _planted(place.name, hosts, attacks)
    return result


def held_out(text: str) -> bool:
    """Return whether a text belongs to the report part, a quarter that development leaves alone.

    The first two bytes of its SHA-256 are odd. (The quarter where only the first is odd was
    reported on once, and is developed on since.)
    """
    first, second = sha256(text.encode()).digest()[:2]
    return first % 2 == 1 and second % 2 == 1


def _labelled(stem: str, rows: list[dict[str, str]], attacks: list[str]) -> Iterator[Sample]:
    """Yield the texts of a set; attacked documents are split by their attack, all else by the text.

    So that no attack of the report half was seen in another document of the tune half.
    """
    for row in rows:
        attack = bool(row["label"])
        key = next(
            (planted for planted in attacks if attack and planted in row["text"]), row["text"]
        )
        yield Sample(stem, (row["text"],), attack, held_out(key))
        if "context" in stem:
            pieces = tuple(chunks(row["text"], 1))
            yield Sample(f"{stem} in chunks", pieces, attack, held_out(key))


def chunks(text: str, shortest: int = _SHORTEST) -> Iterator[str]:
    """Yield chunks as at ingestion; a last one under `shortest` code points is left out."""
    for start in range(0, len(text), STEP):
        if len(text) - start >= shortest:
            yield text[start : start + CHUNK]


def _read(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    return _plain(text) if path.suffix == ".html" else text


def _planted(name: str, chunks: list[str], attacks: list[str]) -> Iterator[Sample]:
    """Yield chunks of its half with each attack: on a line of its own, and inside a line."""
    halves = {
        half: [chunk for chunk in chunks if held_out(chunk) is half] for half in (False, True)
    }
    for attack in attacks:
        half = held_out(attack)
        hosts = halves[half]
        if len(attack) > CHUNK or not hosts:
            continue
        seed = int.from_bytes(sha256(attack.encode()).digest()[1:5])
        for place in range(4):
            host = hosts[(seed + place * 7919) % len(hosts)]
            group = f"line planted in {name}" if place < 3 else f"sentence planted in {name}"
            yield Sample(group, (_plant(host, attack, place),), True, half)


def _plant(host: str, attack: str, place: int) -> str:
    """Put the attack before the host (0), after it (2), or in its middle (1, 3)."""
    if place in (1, 3):
        at = host.find(". ", len(host) // 2) + 1 or host.rfind(". ") + 1
        space = "\n" if place == 1 else " "
        return f"{host[:at]}{space}{attack}{space}{host[at:].lstrip()}"
    return f"{attack}\n{host}" if place == 0 else f"{host}\n{attack}"


class _Plain(HTMLParser):
    """Reads the text of a page; scripts, styles and formulas are left out."""

    _HIDDEN = frozenset(("script", "style", "math", "m:math", "head"))
    _LINES = frozenset(("p", "div", "li", "tr", "section", "h1", "h2", "h3", "h4", "td"))

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._depth += tag in self._HIDDEN

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag in self._HIDDEN and self._depth > 0
        if tag in self._LINES:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._depth:
            self.pieces.append(data)


def _plain(page: str) -> str:
    parser = _Plain()
    parser.feed(page)
    lines = (" ".join(line.split()) for line in "".join(parser.pieces).splitlines())
    return "\n".join(line for line in lines if line)
