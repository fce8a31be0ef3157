"""The floor: how many claims of each kind must be right. It only ever rises.

`floor.json` holds it for each model (a value of NLI_MODEL). `raise_floor` never lowers it; whoever
lowers it by hand gives up something that the product could do, and has to say why.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.evaluation.answers.gate.claims import KindCounts

FILE = Path(__file__).with_name("floor.json")
SLACK = 1
"""Claims of a kind by which the floor stays under what was reached."""
Floor = dict[str, dict[str, int]]
"""By kind: the least number `told` and `exact`."""


@dataclass(frozen=True, slots=True)
class Fall:
    kind: str
    figure: str
    count: int
    least: int


def read(model: str, file: Path | None = None) -> Floor:
    """Return the floor for a model; empty where none was set."""
    floors: dict[str, Floor] = json.loads((file or FILE).read_text(encoding="utf-8"))
    return floors.get(model, {})


def falls(kinds: Sequence[KindCounts], floor: Mapping[str, Mapping[str, int]]) -> list[Fall]:
    """Return every figure below its floor. A kind that has vanished counts 0."""
    counts = {
        kind.name: {"distinguished": kind.distinguished, "exact": kind.exact} for kind in kinds
    }
    return [
        Fall(name, figure, counts.get(name, {}).get(figure, 0), least)
        for name, figures in floor.items()
        for figure, least in figures.items()
        if counts.get(name, {}).get(figure, 0) < least
    ]


def raise_floor(kinds: Sequence[KindCounts], floor: Mapping[str, Mapping[str, int]]) -> Floor:
    """Return the floor a little below these figures, and nowhere lower than it was."""
    return {
        kind.name: {
            "distinguished": max(
                kind.distinguished - SLACK, _least(floor, kind.name, "distinguished")
            ),
            "exact": max(kind.exact - SLACK, _least(floor, kind.name, "exact")),
        }
        for kind in kinds
    }


def write(model: str, floor: Floor, file: Path | None = None) -> None:
    """Store the floor of a model beside those of the others. Raises OSError."""
    file = file or FILE
    floors = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    floors[model] = floor
    file.write_text(json.dumps(floors, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _least(floor: Mapping[str, Mapping[str, int]], kind: str, figure: str) -> int:
    return floor.get(kind, {}).get(figure, 0)
