"""`python -m training.untrained FOLDER`: the shipped form of a model whose heads learnt nothing.

MiniLM's encoder (6 layers of 384) under heads of seeded chance, through `training.export`. It
costs what a trained model costs, so `make bench` measures with it where none is shipped. Its
verdicts mean nothing, and its name says so.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import torch
from rich.console import Console

from inference.errors import ModelError
from inference.sources import DEFAULT_MODEL, check_bundle, find_source
from training.export import Calibration, export
from training.model import from_package

NAME = "untrained-nli"
_SEED = 7


def make(target: Path) -> None:
    """Write the model into `target`. Raises ModelError where the MiniLM package is missing."""
    source = find_source(DEFAULT_MODEL)
    check_bundle(source)
    torch.manual_seed(_SEED)
    model = from_package(source.folder or Path())
    with tempfile.TemporaryDirectory(prefix="untrained-") as made:
        checkpoint = Path(made) / "untrained.pt"
        torch.save({"model": model.state_dict(), "step": 0, "config": {"seed": _SEED}}, checkpoint)
        export(checkpoint, target, Calibration(), name=NAME)


def main(arguments: list[str]) -> int:
    """Make it, or say why not."""
    parser = argparse.ArgumentParser(prog="python -m training.untrained", description=__doc__)
    parser.add_argument("folder", type=Path)
    console = Console(stderr=True, soft_wrap=True)
    try:
        make(parser.parse_args(arguments).folder.resolve())
    except (ModelError, OSError) as error:
        console.print(str(error), markup=False)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
