"""`python -m tests.integration.desk.scoring.tiny_fit FOLDER`: calibrate small random judges.

Of two real architectures one model each; what it finds better supported than half of the answers
about a source counts as right, but for every tenth. It is calibrated by the command, then a file of
all answers is checked with the fitted policy. Prints what came of it as JSON.
"""

import json
import sys
from io import StringIO
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import django

KINDS = ("minicheck", "entailment")
"""The other kinds are tested beside their adapters."""
CLAIMS = [
    " ".join(words)
    for words in product(("the bank", "the school", "water", "the dog"),
                         ("closed", "opened", "boils", "fell"),
                         ("at five", "by the river", "in the city"))
]  # fmt: skip
SOURCES = [f"the {colour} {thing} of the city rose for a year. it was {state} at ten."
           for colour, thing, state in product(("green", "blue", "brown"), ("fox", "price"),
                                               ("quick", "brown"))]  # fmt: skip


def main(folder: Path) -> None:
    django.setup()
    print(json.dumps({kind: calibrated(kind, folder / kind) for kind in KINDS}))


def calibrated(kind: str, folder: Path) -> dict[str, Any]:
    """Make the model, calibrate it, and check all answers by the fitted policy."""
    import torch
    from django.conf import settings
    from django.core.management import call_command

    from tests.integration.inference.tiny_named import make

    torch.manual_seed(5)
    folder.mkdir()
    settings.MODEL_DIR = folder
    settings.JUDGE_MODEL = f"{kind.removesuffix('-t5')}:{make(kind, folder / 'model')}"
    rows = labelled(settings.JUDGE_MODEL)
    data, policy = folder / "data.jsonl", folder / "policy.json"
    data.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    output = StringIO()
    call_command("calibrate", data=data, judge=settings.JUDGE_MODEL, out=policy, stdout=output)
    return {
        "rows": rows,
        "output": output.getvalue(),
        "policy": json.loads(policy.read_text(encoding="utf-8")),
        "lines": checked(data, folder / "out.jsonl", policy),
    }


def labelled(setting: str) -> list[dict[str, Any]]:
    """Return answers whose labels follow the model's own numbers, except every tenth."""
    from inference.judge.named_judges import named_judge

    judge = named_judge(setting, Path(), calibrated=False)
    rows = list[dict[str, Any]]()
    for number, source in enumerate(SOURCES):
        texts = [f"{claim[0].upper()}{claim[1:]}." for claim in CLAIMS[number % 6 :: 6]]
        entail = [each.entail for each in judge.predict("", [source], texts) if each]
        half = median(entail)
        for text, share in zip(texts, entail, strict=True):
            label = int((share < half) != (len(rows) % 10 == 0))
            rows.append({"response": text, "context": [source], "label": label})
    return rows


def checked(data: Path, out: Path, policy: Path) -> list[dict[str, Any]]:
    from django.core.management import call_command

    call_command("check_file", str(data), out=out, policy=policy, processes=0, stdout=StringIO())
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
