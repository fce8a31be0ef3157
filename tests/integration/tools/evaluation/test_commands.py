"""The results of the measuring commands stay above their floors."""

import json
import re
from collections import Counter
from functools import partial
from io import StringIO

import pytest
from django.conf import settings as configured
from django.core.management import CommandError, call_command

from accounts.models import Application
from desk.policies.admin.presets import Rates
from desk.scoring.split import split_of
from inference.judge import LEXICAL
from inference.judge.preparing import ensure_judge
from memory.models import MemoryEntry
from memory.outcomes import Status
from tests.commands import run
from tools.evaluation.management.commands.evaluate_collections import other_texts
from tools.evaluation.management.commands.evaluate_forms import FORMS
from tools.evaluation.management.commands.evaluate_gate import FLOORS
from tools.evaluation.management.commands.evaluate_memory import HALVES, examples
from tools.evaluation.management.commands.evaluate_presets import lines


@pytest.mark.parametrize("model", sorted(FLOORS))
def test_no_kind_falls_under_its_floor(model, settings) -> None:
    settings.NLI_MODEL = model
    if model != LEXICAL:
        ensure_judge(settings.MODEL_DIR, model)
    output = run("evaluate_gate", "--wrong")
    assert f"NLI_MODEL={model}" in output
    assert "(contradicted, was supported)" in output


def test_a_fall_is_an_error(settings, monkeypatch) -> None:
    settings.NLI_MODEL = LEXICAL
    monkeypatch.setitem(FLOORS, LEXICAL, {"date": {"distinguished": 20, "exact": 20}})
    expected = r"Under the floor: date: \d+ distinguished, not 20; date: \d+ exact, not 20"
    with pytest.raises(CommandError, match=expected):
        run("evaluate_gate")


def test_the_model_that_ships_has_a_floor() -> None:
    assert configured.NLI_MODEL in FLOORS


BLOCK = """P: The mill closed in 1951. It had opened in 1902.
+ figure: The mill closed in 1951.
- figure: The mill closed in {{1961}}.
"""


def test_everyday_and_public_answers_are_counted_apart(tmp_path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "a.txt").write_text(BLOCK)
    sources = [f"The mill number {at} closed in 1951." for at in range(20)]
    rows = [{"response": text, "context": [text], "label": 0} for text in sources]
    file = tmp_path / "public.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    reported = sum(split_of(row) == "report" for row in rows)
    assert 0 < reported < len(rows)
    _, _, *printed = run("evaluate_presets", str(file), str(folder)).splitlines()
    names = ("conservative", "balanced", "exploratory")
    public = lines("public sets", reported, dict.fromkeys(names, Rates(0.0, 0.0, 0.0, 0.0)))
    assert "\n".join(printed[3:]) == public
    assert printed[0] == "| conservative | everyday (2) | 0.0 % | 0.0 % | 100.0 % | 100.0 % |"
    assert printed[2].startswith("| exploratory | everyday (2) | 0.0 % | 0.0 % | 100.0 % |")


def test_each_form_of_an_answer_is_counted(tmp_path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "a.txt").write_text(BLOCK)
    _, _, *printed = run("evaluate_forms", str(folder)).splitlines()
    names = [line.split(" | ")[0] for line in printed]
    assert (len(names), names[0]) == (len(FORMS), "| as it is")
    assert {line.partition(" | ")[2] for line in printed} == {"0 of 1 | 0 of 1 | 1.000 |"}


def test_there_are_examples_in_both_directions() -> None:
    for half in HALVES:
        of_half = examples(half)
        to_store = [e for e in of_half if e.outcome in (Status.WRITTEN, Status.SUPERSEDED)]
        assert len(of_half) >= 80
        assert 0.4 < len(to_store) / len(of_half) < 0.6
    statements = [example.statement for half in HALVES for example in examples(half)]
    assert len(statements) == len(set(statements))


@pytest.mark.django_db
def test_precision_and_recall_do_not_fall() -> None:
    output = run("evaluate_memory", verbosity=0)
    rows = re.findall(r"(\w+) +│ +\d+ │ +(\d\.\d+) \(\d+/\d+\) │ +(\d\.\d+) ", output)
    assert [half for half, *_ in rows] == list(HALVES)
    assert all(float(precision) >= 0.95 for _, precision, _ in rows)
    assert all(float(recall) >= 0.93 for *_, recall in rows)
    assert not MemoryEntry.objects.exists()
    assert not Application.objects.exists()


def test_what_went_wrong_in_the_held_out_half_is_not_shown() -> None:
    with pytest.raises(CommandError, match="only counted"):
        call_command("evaluate_memory", "--misses")


FLOOR = {"tune": 0.93, "held_out": 0.85, "phone": 0.79, "phone_held_out": 0.8}
"""Shares of right answers; measured ones stand in docs/concepts/assistant.md."""


def measured(part: str, *kinds: str) -> tuple[list[str], float]:
    """Return what the command prints of a part, and the share of right answers in it."""
    printed = run("evaluate_assistant", expected=part, kind=kinds, stderr=StringIO())
    lines = printed.splitlines()
    total = next(line for line in lines if line.startswith("all: "))
    right, cases = total.removeprefix("all: ").split(" (")[0].split(" of ")
    return lines, int(right) / int(cases)


@pytest.mark.parametrize("part", ["tune", "held_out"])
def test_the_share_of_right_answers_stays_above_its_floor(part, transactional_db, empty_redis):
    kinds = ["handbook", "subject", "conflict", "memory"]
    lines, share = measured(part, *kinds)
    of_kinds = [line for line in lines if line.split(":")[0] in ("all", *kinds)]
    assert len(of_kinds) == 1 + len(kinds)
    assert part == "tune" or len(lines) == len(of_kinds), "what is held out is not shown"
    assert share >= FLOOR[part], lines


@pytest.mark.parametrize("part", ["phone", "phone_held_out"])
def test_questions_worded_as_on_a_phone_are_answered(part, transactional_db, empty_redis):
    lines, share = measured(part)
    assert share >= FLOOR[part], lines


evaluate = partial(run, "evaluate_collections", stderr=StringIO())


def test_each_answer_is_checked(transactional_db, empty_redis, tmp_path) -> None:
    answers = tmp_path / "answers.jsonl"
    table = evaluate("--size", "5", "--answers", str(answers))
    assert (table.count("of 39"), table.count("of 23")) == (2, 4)
    results = [json.loads(line) for line in answers.read_text().splitlines()]
    assert Counter(r["kind"] for r in results) == {"right": 39, "wrong": 23, "unanswerable": 23}
    flagged = Counter(result["kind"] for result in results if result["action"] != "ALLOW")
    assert flagged["unanswerable"] >= 0.9 * 23
    assert flagged["right"] <= 0.35 * 39


def test_a_large_collection_needs_what_fills_it(transactional_db) -> None:
    with pytest.raises(CommandError, match="995 others"):
        evaluate("--size", "1000")


def test_it_is_filled_with_the_contexts_of_labelled_answers_each_once(tmp_path) -> None:
    first, second = "Herons nest. " * 40, "Owls hunt. " * 40
    contexts = [[first], ["Too short."], [first], None, [second, "At night."]]
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(f"{json.dumps({'context': each})}\n" for each in contexts))
    assert list(other_texts([file])) == [first, f"{second}\n\nAt night."]
