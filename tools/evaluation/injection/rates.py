"""Measures recall and false positives of the scan on a folder of public data, on two halves.

    python -m tools.evaluation.injection.rates path/to/data [--half tune]

The tune half was developed on; only figures of the report half may be called measured.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.progress import track
from rich.table import Table

from documents.injection.scanning import scan
from lib.stats.bootstrap import wilson
from tools.evaluation.injection.samples import samples
from tools.evaluation.rendering import figures_table

HALVES = {"tune": False, "report": True}


@dataclass(frozen=True, slots=True)
class FlagRate:
    """The number of texts of one set, half and label, and of those flagged."""

    group: str
    half: str
    measure: str
    """"recall" for attacks, "false positives" for benign texts."""
    n: int
    flagged: int
    low: float
    high: float
    """The 95 % Wilson interval of the rate, from 0 to 1."""
    milliseconds: float
    """Mean time of one text, all its chunks together."""

    @property
    def rate(self) -> float:
        """Share of flagged texts, from 0 to 1."""
        return self.flagged / self.n


def evaluate(
    folder: Path, halves: Sequence[str] = tuple(HALVES), *, quiet: bool = False
) -> list[FlagRate]:
    """Return the figures of all sets in a folder, tune half first. Raises FileNotFoundError."""
    held_out = {HALVES[half] for half in halves}
    selection = [sample for sample in samples(folder) if sample.held_out in held_out]
    if not selection:
        raise FileNotFoundError(f"No injection/*.jsonl and no documents/*/ in {folder}")
    outcomes: dict[tuple[str, str, str], list[tuple[bool, float]]] = {}
    for sample in track(selection, "Scanning", console=Console(stderr=True, quiet=quiet)):
        half = "report" if sample.held_out else "tune"
        key = ("recall" if sample.attack else "false positives", sample.group, half)
        # True if any piece is flagged, and the seconds it took to scan all.
        began = perf_counter()
        flagged = sum(scan(piece).flagged for piece in sample.pieces)
        outcomes.setdefault(key, []).append((flagged > 0, perf_counter() - began))
    return [_figure(*key, outcomes[key]) for key in sorted(outcomes)]


def _figure(measure: str, group: str, half: str, outcomes: list[tuple[bool, float]]) -> FlagRate:
    n, flagged = len(outcomes), sum(hit for hit, _ in outcomes)
    low, high = (round(edge, 4) for edge in wilson(flagged, n))
    milliseconds = round(1000 * sum(seconds for _, seconds in outcomes) / n, 3)
    return FlagRate(group, half, measure, n, flagged, low, high, milliseconds)


def table_of(figures: Iterable[FlagRate]) -> Table:
    headings = ("set", "half", "measure", "n", "flagged", "rate", "95 % interval", "ms")
    rows = [
        (
            *(figure.group, figure.half, figure.measure, f"{figure.n}", f"{figure.flagged}"),
            f"{figure.rate:.1%}",
            f"{figure.low:.1%} – {figure.high:.1%}",
            f"{figure.milliseconds:.2f}",
        )
        for figure in figures
    ]
    return figures_table("", headings, rows, labels=3)


def main(arguments: Sequence[str]) -> None:
    parser = ArgumentParser(description="Recall and false positives of the injection scan.")
    parser.add_argument("path", type=Path, help="folder with injection/ and documents/")
    parser.add_argument("--half", choices=list(HALVES), help="only one half")
    options = parser.parse_args(arguments)
    halves = [options.half] if options.half else tuple(HALVES)
    try:
        Console(width=120).print(table_of(evaluate(options.path, halves)))
    except FileNotFoundError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
