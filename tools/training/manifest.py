"""List the rows that ship fitted: `python -m tools.training.manifest DATA [--out FOLDER]`.

`manage.py evaluate` then refuses to report on them. Run it after each training whose weights are
to be committed, and commit what it writes (hashes, no data).
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from desk.scoring.split import split_of
from tools.evaluation.answers.fit import SHIPPED, Manifest, hashes, write_manifest
from tools.training.answers import ALLOWED, is_spare, rows_of, trains
from tools.training.fuse import SETS
from tools.training.judge.mix import MIX, OWN_ANSWERS, trains_judge

Choice = Callable[[Mapping[str, Any]], bool]
JUDGE = "the judges"
FUSION = "the fusion of signals"
CALIBRATION = "the calibration of the response score"


def judged_hashes(folder: Path) -> tuple[str, ...]:
    """Return hashes of the public rows that train the judges, as they are or as served.

    Those that the layers which the small judge began from had learned are among them.
    """
    learned = listed_hashes(folder, ALLOWED, trains)
    public = {name for name in MIX if name.startswith(("grounding/", "served/"))}
    return learned + tuple(
        digest
        for pattern in sorted(public - {OWN_ANSWERS})
        for digest in listed_hashes(folder, [Path(pattern).stem], partial(trains_judge, pattern))
    )


def listed_hashes(folder: Path, names: Sequence[str], choice: Choice) -> tuple[str, ...]:
    """Return hashes of the chosen rows of these files of the folder `grounding`."""
    rows = (row for name in names for row in rows_of(folder, name) if choice(row))
    return tuple(digest for row in rows for digest in hashes(row))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder that holds grounding/")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    options = parser.parse_args()
    folder, out = options.data / "grounding", options.out
    judge = Manifest(JUDGE, {"NLI_MODEL": ["base", "small"]}, judged_hashes(folder))
    fusion = Manifest(FUSION, {}, listed_hashes(folder, SETS, is_spare))
    calibration = Manifest(
        CALIBRATION, {}, listed_hashes(folder, SETS, lambda row: split_of(row) == "tune")
    )
    write_manifest(out / "judge.json", judge)
    write_manifest(out / "calibration.json", calibration)
    write_manifest(out / "fusion.json", fusion)
    print(f"{out}: {len(judge.hashes)} hashes of the judges, {len(fusion.hashes)} of the fusion")


if __name__ == "__main__":
    main()
