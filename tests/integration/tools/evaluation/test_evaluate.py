"""`manage.py evaluate` on small files of our own."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError

from tests.commands import run
from tools.evaluation.answers import fit

THINGS = ("bridge", "tower", "library", "station", "harbour", "museum", "tunnel", "market")


def rows_of(dataset: str, year: int) -> list[dict]:
    """Return for each source a right and a wrong answer, the wrong one with its span."""
    rows = []
    for at, thing in enumerate(THINGS):
        context = f"The {thing} of {dataset} was opened in {year + at}. It cost {at + 3} million."
        right = f"The {thing} of {dataset} was opened in {year + at}."
        wrong = f"The {thing} of {dataset} was opened in {year - 40 - at}."
        task = "qa" if at % 2 else "summary"
        common = {"dataset": dataset, "task": task, "query": "", "context": [context]}
        rows.append({**common, "id": f"{at}-r", "response": right, "label": 0, "spans": []})
        span = [len(right) - 5, len(right) - 1, "date"]
        rows.append({**common, "id": f"{at}-w", "response": wrong, "label": 1, "spans": [span]})
    return rows


@pytest.fixture
def files(tmp_path) -> tuple[str, str]:
    paths = []
    for name, year in (("norwick", 1900), ("sudbury", 1950)):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(map(json.dumps, rows_of(name, year))))
        paths.append(str(path))
    return paths[0], paths[1]


def evaluate(*arguments: str) -> str:
    return run("evaluate", "--rounds", "20", *arguments, "--processes", "0")


def report(folder: Path) -> dict:
    return json.loads((folder / "report.json").read_text())


def test_several_files_are_measured_alone_by_task_and_together(files, tmp_path) -> None:
    output = evaluate(*files, "--group", "sud", "--out", str(tmp_path / "out"))
    assert "norwick" in output
    document = report(tmp_path / "out")["reports"][0]
    places = [(group["file"], group["task"], group["rows"]) for group in document["groups"]]
    assert places == [
        (name, task, rows)
        for name in ("norwick", "sudbury")
        for task, rows in (("all", 16), ("summary", 8), ("qa", 8))
    ]
    pooled = [(group["file"], group["rows"], group["sources"]) for group in document["pooled"]]
    assert pooled == [("sud*", 16, 8), ("all answers", 32, 16)]
    everything = document["groups"][0]
    assert everything["score"]["value"] == 1.0, "a wrong year is found by rules"
    assert everything["shipped"]["f1"] == 1.0, everything["not_checked"]
    assert everything["flag_all_f1"] == pytest.approx(2 / 3)
    assert everything["sources"] == 8
    rules, also_rules, judge = everything["models"]
    assert (rules, also_rules) == ("lexical-1", "rules-1")
    assert judge.startswith("watchdog-judge-small-")


def test_rows_that_something_was_fitted_on_are_refused(files, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(fit, "SHIPPED", tmp_path)
    hashes = fit.hashes(rows_of("norwick", 1900)[0])
    fit.write_manifest(tmp_path / "m.json", fit.Manifest("the model", {}, hashes))
    with pytest.raises(CommandError, match="norwick: 1 of 16 rows were used to fit the model"):
        evaluate(files[0])
    out = tmp_path / "out"
    evaluate(files[0], "--drop-fitted", "--out", str(out))
    assert report(out)["reports"][0]["groups"][0]["rows"] == 15


def test_two_configurations_side_by_side(files, tmp_path) -> None:
    lenient = tmp_path / "lenient.toml"
    lenient.write_text(
        '[settings]\nNLI_MODEL = "lexical"\n'
        "[policy]\ncontradict_at = 0.99\nhigh_confidence_at = 0.99\n"
        '[policy.verdicts]\nno_claim_supported = "ALLOW"\n'
        '[policy.safety]\ngrounding = "ALLOW"\n[policy.score]\nwarn_above = 1.0\n'
    )
    out = tmp_path / "out"
    output = evaluate(*files, "--compare", "lexical", str(lenient), "--out", str(out))
    assert "lexical and lenient" in output
    document = report(out)
    first, second = (run["groups"][0]["shipped"]["recall"] for run in document["reports"])
    assert first > second == 0.0
    assert [gain["value"] for gain in document["gains"]] == [0.0] * 7
    text = (out / "report.md").read_text()
    assert "## lexical and lenient" in text
    assert "## Cost of an answer" in text
    assert all(run["groups"][0]["cost"]["peak_memory"] > 1 for run in document["reports"])


def test_sets_that_name_phenomena_are_shown_by_them(tmp_path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "a.txt").write_text(
        "P: The mill closed in 1951. It had opened in 1902.\n"
        "+ paraphrase: The mill closed in 1951.\n"
        "- number: The mill closed in {{1961}}.\n"
    )
    out = tmp_path / "out"
    configurations = ("lexical", "conservative", "lexical")
    output = evaluate(str(folder), "--compare", *configurations, "--out", str(out))
    assert "own by phenomenon" in output
    document = report(out)
    right, wrong = document["reports"][0]["phenomena"]["own"]
    assert (right["name"], right["flagged"], wrong["name"], wrong["flagged"]) == (
        *("paraphrase", 0.0),
        *("number", 1.0),
    )
    assert wrong["score"]["value"] == 1.0
    pairs = [(gain["first"], gain["second"]) for gain in document["gains"]]
    assert pairs == [("lexical", "conservative"), ("conservative", "lexical")]


def test_wrong_arguments_say_what_is_wrong(files, tmp_path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"response": "x", "label": 3}')
    for arguments, message in {
        (str(bad),): "bad.jsonl, line 1: `label` must be 0 or 1",
        (str(tmp_path / "no.jsonl"),): "cannot be read",
        (files[0], files[0]): "Two files have the same name",
        (files[0], "--group", "odd"): "--group odd: no file's name begins so",
        (files[0], "--config", "odd"): "There is no configuration 'odd'",
        (files[0], "--out", str(bad)): "cannot be written",
    }.items():
        with pytest.raises(CommandError, match=message):
            evaluate(*arguments)
