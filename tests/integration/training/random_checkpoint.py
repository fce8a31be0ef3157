"""`python -m tests.integration.training.random_checkpoint FOLDER`: a checkpoint and its export.

Writes random.pt, trained.pt (its word vectors were moved), calibration.json, the calibrated export
of random.pt in embedded/, and results.json: what was printed, and what torch makes of PAIRS.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

PAIRS = [
    ("Refunds are paid within 14 days of the return.", "Refunds take 14 days."),
    ("Refunds are paid within 14 days of the return.", "Café prices rose 🙂 by 3.4 %."),
    ("", "Nobody knows."),
    ("Water boils at 100 degrees Celsius at sea level. " * 80, "Water boils at 90 degrees."),
]
CALIBRATION = {
    "scales": [0.5, 0.25, 2.0],
    "biases": [0.1, 0.0, -0.3],
    "token_scale": 2.0,
    "token_bias": 1.0,
}
COMPARED = 40
WRONG = {"short": {"scales": [1.0]}, "strange": {"temperature": 2.0}}


def main(folder: Path) -> None:
    import torch

    from inference.sources import DEFAULT_MODEL, find_source
    from training import export
    from training.model import from_package

    # A fifth of the sample says as much of code, in a fifth of the time.
    export.SAMPLE_PAIRS = export.SAMPLE_PAIRS[:COMPARED]
    torch.manual_seed(7)
    model = from_package(find_source(DEFAULT_MODEL).folder)
    torch.nn.init.normal_(model.head.weight, std=0.2)
    torch.nn.init.normal_(model.token_head.weight, std=0.1)
    state = {"model": model.state_dict(), "step": 41, "config": {"seed": 7}}
    torch.save(state, folder / "random.pt")
    (folder / "calibration.json").write_text(json.dumps(CALIBRATION))

    def run(checkpoint: str, out: str, *more: str) -> tuple[int, str]:
        with contextlib.redirect_stdout(io.StringIO()) as output:
            arguments = [str(folder / checkpoint), "--out", str(folder / out), *more]
            code = export.main(arguments)
        return code, output.getvalue()

    calibration = folder / "calibration.json"
    results = {"export": run("random.pt", "embedded", "--calibration", str(calibration))}
    tokenizer = folder / "embedded" / "tokenizer.json"
    shares, words = export.reference(
        model.eval(), tokenizer, PAIRS, export.read_calibration(calibration)
    )
    for name, wrong in WRONG.items():
        calibration.write_text(json.dumps(wrong))
        results[name] = run("random.pt", "none", "--calibration", str(calibration))
    state["model"]["encoder.embeddings.word_embeddings.weight"][100, 0] += 0.5
    torch.save(state, folder / "trained.pt")
    results["trained"] = run("trained.pt", "moved")
    results["shares"] = shares.tolist()
    results["words"] = [each.tolist() for each in words]
    (folder / "results.json").write_text(json.dumps(results))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
