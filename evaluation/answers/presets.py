"""The rates of each preset as a table."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass

_HEAD = (
    "| preset | right ones flagged | right ones blocked | wrong ones flagged | wrong ones blocked |"
)


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares (0-1) of answers flagged (WARN or BLOCK) or blocked: of the right, of the wrong."""

    right_flagged: float
    right_blocked: float
    wrong_flagged: float
    wrong_blocked: float


def table(presets: Mapping[str, Rates]) -> str:
    """A Markdown table, one preset a line."""
    lines = [
        f"| {name} | {' | '.join(f'{share:.1%}'.replace('%', ' %') for share in astuple(rates))} |"
        for name, rates in presets.items()
    ]
    return "\n".join([_HEAD, "|---|---:|---:|---:|---:|", *lines])
