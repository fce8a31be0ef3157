"""`manage.py calibrate`, with a judge in place of a large model."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from inference.judge.named.calibration import read_calibration
from inference.judge.types import ClaimJudgement
from scoring.management.commands import calibrate

SETTING = "hhem:/models/hhem"


class Figures:
    """Finds a claim supported as far as its last word, a percentage, says."""

    model_id = "named:hhem:hhem"

    def predict(self, question, evidence, claims, *, before=(), seconds=None):
        shares = [int(claim.rstrip(".").split()[-1]) / 100 for claim in claims]
        return tuple(ClaimJudgement(e, 1 - e, 0.0, (), (), 1.0) for e in shares)


@pytest.fixture(autouse=True)
def judge(monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path) -> None:
    settings.MODEL_DIR = tmp_path
    monkeypatch.setattr(calibrate, "named_judge", lambda *_, **__: Figures())


def write(path: Path, lines: list[Any]) -> Path:
    path.write_text(
        "\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines)
    )
    return path


def rows() -> list[dict[str, Any]]:
    source = ["The mill has numbers on its wall."]
    right = [(60 + at % 30, 0) for at in range(40)]
    wrong = [(30 + at % 35, 1) for at in range(40)]
    return [
        {"response": f"The mill shows the number {n}.", "context": source, "label": label}
        for n, label in right + wrong
    ]


def run(path: Path, **options: Any) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("calibrate", judge=SETTING, data=path, stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def test_it_fits_keeps_and_recommends(tmp_path: Path) -> None:
    out, _ = run(write(tmp_path / "rows.jsonl", rows()))
    calibration = read_calibration(tmp_path, "named:hhem:hhem")
    assert calibration is not None
    assert calibration.claims == 80
    assert "For at most 10% of right claims set unsupported_at" in out


def test_a_dry_run_keeps_nothing(tmp_path: Path) -> None:
    run(write(tmp_path / "rows.jsonl", rows()), dry_run=True)
    assert read_calibration(tmp_path, "named:hhem:hhem") is None


def test_bad_rows_are_left_out_and_named(tmp_path: Path) -> None:
    bad = ["{", {"response": 5, "label": 0}, {"response": "The number is 5."}]
    out, err = run(write(tmp_path / "rows.jsonl", [*bad, *rows()]))
    assert "line 1: is not JSON" in err
    assert "line 3: `label` must be 0 or 1" in err
    assert "3 of 83 rows were left out." in err
    assert "fitted on 80 claims" in out


def test_too_few_rows_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="20 of each are the least"):
        run(write(tmp_path / "rows.jsonl", rows()[:30]))


def test_another_judge_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="JUDGE_MODEL names no judge"):
        call_command("calibrate", judge="x", data=write(tmp_path / "rows.jsonl", rows()))
