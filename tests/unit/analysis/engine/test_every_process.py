"""The same answer has the same measurement in every process, whatever order sets have there."""

import os
import subprocess
import sys

CODE = """
from analysis.engine import measure
from analysis.engine.codec import encode
from analysis.engine.types import Source, Submission
from inference.judge.types import ClaimJudgement, EvidenceWindow

class Judge:
    model_id = "same@1"

    def predict(self, question, evidence, claims, **limits):
        windows = tuple(EvidenceWindow(at, 0, len(text), 1.0) for at, text in enumerate(evidence))
        return (ClaimJudgement(0.8, 0.1, 0.1, (), windows, 1.0),) * len(claims)

for lamps in ("Nova and Luma", "Silver and Gold", "Alta and Brio", "Corvo and Delph"):
    one, two = lamps.split(" and ")
    source = f"The {one} lamp uses 7 watts. The {two} lamp uses 18 watts."
    answer = f"{lamps} use 18 watts and 7 watts in that order."
    measured = measure(Submission(answer, "", (Source("s1", source),)), judge=Judge())
    print([signal.supported_by or signal.contradicted_by for signal in measured.signals])
"""


def test_the_passage_shown_does_not_depend_on_the_order_of_sets() -> None:
    seen = {
        subprocess.run(
            [sys.executable, "-c", CODE],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(5)
    }
    assert len(seen) == 1
