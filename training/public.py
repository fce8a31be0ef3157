"""Public NLI sets as examples: `python -m training.public NLI_FOLDER --out FILE`.

Only the sets whose licences are marked as allowed for weights that are shipped.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from training.examples import Example, Label, write

THREE_WAY = (
    "mnli.train10k", "mnli.dev", "snli.dev", "conjnli.train", "fever_symmetric.dev",
    "contractnli.train", "scifact.train",
)  # fmt: skip
TWO_WAY = ("med.dev", "scitail.dev", "qnli.dev")
_LABELS = {
    "entailment": Label.ENTAIL,
    "neutral": Label.NEUTRAL,
    "contradiction": Label.CONTRADICT,
}


def examples(folder: Path) -> Iterator[Example]:
    """Every pair of the allowed sets; what two-way sets call neutral is only not entailed."""
    for name in THREE_WAY + TWO_WAY:
        for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            label = _LABELS[row["label"]]
            if name in TWO_WAY and label is not Label.ENTAIL:
                label = Label.NOT_ENTAILED
            spans = () if label is Label.ENTAIL else None
            yield Example(row["premise"], row["hypothesis"], label, spans, f"nli/{name}")


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    print(write(options.out, examples(options.folder)), "examples")


if __name__ == "__main__":
    main()
