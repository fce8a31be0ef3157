"""Average two checkpoints: `python -m tools.training.judge.average A B --out FILE`.

The weights that ship are the mean of a training and of the one that it went on from: the mean keeps
most of what either ranks better (docs/research/judges.md).
"""

import argparse
from pathlib import Path

import torch


def average(first: Path, second: Path, out: Path) -> None:
    """Write a checkpoint with the mean of all weights."""
    first_state, second_state = (torch.load(path, map_location="cpu") for path in (first, second))
    model = {
        name: (weight + second_state["model"][name]) / 2 if weight.is_floating_point() else weight
        for name, weight in first_state["model"].items()
    }
    torch.save({**second_state, "model": model}, out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    average(options.first, options.second, options.out)


if __name__ == "__main__":
    main()
