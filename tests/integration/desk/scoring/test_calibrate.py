"""`manage.py calibrate` with a fake judge; `test_calibrated_judges.py` has real ones."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command

from analysis.engine import DEFAULT_RULES
from analysis.engine.policy import PolicyRules
from analysis.engine.types import Source, Submission
from analysis.services.measuring import measure_submission
from desk.scoring.management.commands import calibrate
from desk.scoring.split import split_of
from inference.judge.calibration import read_calibration
from tests.fake_llm import Reply, serving, text
from tests.unit.desk.scoring.calibration.judged import Percentages

MODELS = django_settings.MODEL_DIR
SETTING, NAME = "hhem:/models/x", "named:hhem:x"


@pytest.fixture(autouse=True)
def judge(monkeypatch, settings, tmp_path) -> None:
    settings.MODEL_DIR = tmp_path
    monkeypatch.setattr(calibrate, "named_judge", lambda *_, **__: Percentages())


def write(path: Path, lines: list[Any]) -> Path:
    path.write_text(
        "\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines)
    )
    return path


def rows() -> list[dict[str, Any]]:
    right = [(60 + at % 30, 0) for at in range(80)]
    wrong = [(30 + at % 35, 1) for at in range(80)]
    return [
        {"response": f"The mill shows the number {n}.", "label": label,
         "context": [f"The mill of source {n % 10} has numbers on its wall."]}
        for n, label in right + wrong
    ]  # fmt: skip


def run(path: Path, **options: Any) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("calibrate", judge=SETTING, data=path, stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def test_it_writes_the_calibration_and_a_policy_with_the_thresholds(tmp_path) -> None:
    out, _ = run(write(tmp_path / "rows.jsonl", rows()))
    calibration = read_calibration(tmp_path, NAME)
    path = tmp_path / "calibration" / "named-hhem-x.policy.json"
    policy = PolicyRules.from_json(json.loads(path.read_text()))
    assert f"fitted on {calibration.claims} claims" in out
    assert f"unsupported_at {policy.unsupported_at:g}," in out
    assert f"set JUDGE_MODEL={SETTING}" in out
    assert f"manage.py policy import {path}" in out


def test_of_an_included_judge_the_thresholds_alone_are_fitted(
    tmp_path, settings, monkeypatch
) -> None:
    """The shipped small judge, on answers whose wrong half has another figure."""
    settings.MODEL_DIR, settings.NLI_MODEL, settings.JUDGE_MODEL = MODELS, "small", ""
    out, lines = tmp_path / "fitted.json", []
    for n in range(40):
        source = f"The corn mill of village {n} has {20 + n} rooms and was built of stone."
        for wrong in (0, 1):
            answer = f"The mill of village {n} has {20 + n + 7 * wrong} rooms."
            lines.append({"response": answer, "context": [source], "label": wrong})
    data, printed = write(tmp_path / "rows.jsonl", lines), StringIO()
    call_command("calibrate", data=data, out=out, stdout=printed)
    policy = PolicyRules.from_json(json.loads(out.read_text()))
    assert "The included judge: thresholds fitted on" in printed.getvalue()
    assert "Calibration:" not in printed.getvalue()
    assert "JUDGE_MODEL" not in printed.getvalue()
    assert policy.unsupported_at != DEFAULT_RULES.unsupported_at
    settings.NLI_MODEL = "lexical"
    with pytest.raises(CommandError, match="NLI_MODEL names no judge"):
        call_command("calibrate", judge="included", data=data)


@pytest.mark.parametrize("aims", [{"false_alarms": 10.0}, {"false_blocks": -0.1}])
def test_a_share_that_is_none_is_refused(tmp_path, aims) -> None:
    with pytest.raises(CommandError, match="must be between 0 and 1"):
        run(write(tmp_path / "rows.jsonl", rows()), **aims)


def test_it_starts_from_a_given_policy(tmp_path) -> None:
    given = {**DEFAULT_RULES.to_json(), "warn_at": 12, "refusal_text": "No."}
    policy, out = tmp_path / "policy.yaml", tmp_path / "fitted.json"
    policy.write_text(yaml.safe_dump(given))
    run(write(tmp_path / "rows.jsonl", rows()), policy=policy, out=out)
    fitted = PolicyRules.from_json(json.loads(out.read_text()))
    assert (fitted.warn_at, fitted.refusal_text) == (12, "No.")
    assert fitted.unsupported_at != DEFAULT_RULES.unsupported_at


def test_a_looser_aim_gives_stricter_thresholds(tmp_path) -> None:
    file, fitted = write(tmp_path / "rows.jsonl", rows()), list[PolicyRules]()
    for aim in (0.02, 0.30):
        run(file, out=tmp_path / "policy.json", false_alarms=aim, false_blocks=aim)
        fitted.append(PolicyRules.from_json(json.loads((tmp_path / "policy.json").read_text())))
    assert fitted[0].unsupported_at > fitted[1].unsupported_at


def test_a_dry_run_writes_nothing(tmp_path) -> None:
    out, _ = run(write(tmp_path / "rows.jsonl", rows()), dry_run=True)
    assert "Thresholds: unsupported_at" in out
    assert not (tmp_path / "calibration").exists()


@pytest.mark.parametrize("text", ["warn_at: 500", "[", "- 1"])
def test_what_is_no_policy_is_an_error(tmp_path, text) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(text)
    with pytest.raises(CommandError, match="is not a policy"):
        run(write(tmp_path / "rows.jsonl", rows()), policy=policy)


def test_bad_rows_are_left_out_and_named(tmp_path) -> None:
    bad = ["{", {"response": 5, "label": 0}, {"response": "The number is 5."}]
    out, err = run(write(tmp_path / "rows.jsonl", [*bad, *rows()]))
    assert "line 1: is not JSON" in err
    assert "line 3: `label` must be 0 or 1" in err
    assert "3 of 163 rows were left out." in err
    assert "fitted on" in out


def test_too_few_rows_are_an_error(tmp_path) -> None:
    with pytest.raises(CommandError, match="20 of each are the least"):
        run(write(tmp_path / "rows.jsonl", rows()[:100]))


@pytest.mark.parametrize(
    ("judge", "words"),
    [("x", "JUDGE_MODEL names no judge"), ("llm", "JUDGE_LLM_URL names no language model")],
)
def test_a_judge_that_is_not_there_is_an_error(tmp_path, judge, words) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("calibrate", judge=judge, data=write(tmp_path / "rows.jsonl", rows()))


def labelled_by_a_model() -> list[tuple[dict[str, Any], Reply]]:
    """Return answers with a language model's judgements of them, wrong for every tenth."""
    pairs = []
    for at in range(100):
        source = f"The corn mill of village {at % 20} closed."
        is_wrong, is_supported = at // 20 % 2, (at // 20 % 2 == 0) != (at % 10 == 0)
        label = "supported" if is_supported else "not_in_sources"
        entry = {"claim": 1, "label": label, "quotations": [source] if is_supported else []}
        answer = f"Nobody grinds corn there since {1800 + at}."
        row = {"response": answer, "context": [source], "label": is_wrong}
        pairs.append((row, text(json.dumps({"claims": [entry]}))))
    return pairs


def test_a_language_model_is_calibrated_and_judges_so(tmp_path, settings) -> None:
    pairs = labelled_by_a_model()
    in_order = sorted(pairs, key=lambda pair: split_of(pair[0]) != "tune")
    settings.NLI_MODEL, settings.JUDGE_LLM_MODEL = "lexical", "m"
    with serving([*(reply for _, reply in in_order), pairs[1][1]]) as fake:
        settings.JUDGE_LLM_URL = fake.url
        data = write(tmp_path / "rows.jsonl", [row for row, _ in pairs])
        out = StringIO()
        call_command("calibrate", judge="llm", data=data, stdout=out)
        assert len(fake.requests) == len(pairs)
        source = (Source("s", pairs[1][0]["context"][0]),)
        measurement = measure_submission(Submission("Corn is not ground now.", "", source))
    calibration = read_calibration(tmp_path, "llm:m")
    assert calibration is not None
    (signal,) = measurement.signals
    assert signal.judgement.judge == "llm:m"
    assert signal.judgement.entail == pytest.approx(calibration(0.97), abs=1e-4)
    assert signal.judgement.entail < 0.96
    assert "JUDGE_MODEL" not in out.getvalue()
