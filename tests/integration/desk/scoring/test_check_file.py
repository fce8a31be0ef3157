"""`manage.py check_file`: as a user runs it, and every kind of line."""

import io
import json
import os
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.engine import verify
from analysis.engine.types import Source, Submission
from tests.commands import python

CHECKOUT = Path(__file__).resolve().parents[4]
TOWER = "The tower is 330 metres tall. It was finished in 1889."
ROWS = [
    {"id": "right", "context": [TOWER], "response": "The tower is 330 metres tall.", "label": 0},
    {"id": "wrong", "context": [TOWER], "response": "The tower is 500 metres tall."},
    {"id": 7, "query": "When was it finished?", "context": TOWER, "response": "1889."},
    {"id": "none", "context": [], "response": "The tower is 330 metres tall."},
    {"id": "absent", "response": "The tower is 330 metres tall."},
    {
        "id": "record",
        "context": ['{"name": "Rosa", "seats": 40}'],
        "response": "Rosa has 40 seats.",
    },
    {"id": "object", "context": [{"name": "Rosa", "seats": 40}], "response": "Rosa has 40 seats."},
    {"response": "", "context": [TOWER]},
    {
        "id": "\ud800",
        "context": ["\ud83d\ude00 " + TOWER],
        "response": "😀 It was finished in 1889.",
    },
]


def write(path: Path, rows: list) -> Path:
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
    path.write_bytes(b"\n".join(lines))
    return path


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def check(*arguments: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("check_file", *arguments, "--processes", "0", stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_the_example_of_the_page_is_what_one_gets(tmp_path) -> None:
    page = (CHECKOUT / "docs" / "how-to" / "evaluation.md").read_text()
    answer, shown = map(json.loads, re.findall(r"^```json\n(.*?)^```$", page, re.M | re.S))
    file, out = write(tmp_path / "in.jsonl", [answer]), tmp_path / "out.jsonl"
    check(str(file), "--out", str(out))
    (line,) = read(out)
    for result in (line, line["claims"][0], shown, shown["claims"][0]):
        score = result.pop("hallucination_score", None) or result.pop("score")
        assert score > 0.9
    assert line == shown


def test_each_answer_becomes_a_line_in_order(tmp_path) -> None:
    file, out = write(tmp_path / "in.jsonl", ROWS), tmp_path / "out.jsonl"
    output, _ = check(str(file), "--out", str(out))
    lines = read(out)
    assert [line["id"] for line in lines] == [
        *(row.get("id") for row in ROWS[:7]),
        "line-8",
        "\ud800",
    ]
    keys = {"id", "risk_score", "action", "hallucination_score", "claims"}
    assert all(set(line) == keys for line in lines)
    by_id = {line["id"]: line for line in lines}
    assert by_id["right"]["action"] == "ALLOW"
    assert by_id["wrong"]["action"] == "BLOCK"
    assert by_id["right"]["hallucination_score"] < by_id["wrong"]["hallucination_score"]
    assert by_id[7]["action"] == "ALLOW"
    assert by_id["none"]["action"] == "BLOCK", "searched, and nothing found"
    assert by_id["none"]["hallucination_score"] > by_id["right"]["hallucination_score"]
    assert by_id["absent"]["action"] == "WARN", "no sources were given"
    assert by_id["absent"]["hallucination_score"] is None, "nothing was measured"
    assert by_id["record"]["claims"] == by_id["object"]["claims"]
    assert by_id["line-8"]["claims"] == []
    assert output.startswith("9 answers in ")
    assert not (tmp_path / "out.jsonl.partial").exists()


def test_claims_have_their_place_in_the_answer(tmp_path) -> None:
    file, out = write(tmp_path / "in.jsonl", ROWS), tmp_path / "out.jsonl"
    check(str(file), "--out", str(out))
    for row, line in zip(ROWS, read(out), strict=True):
        for claim in line["claims"]:
            assert row["response"][claim["start"] : claim["end"]] == claim["text"]
            assert claim["score"] is None or 0 <= claim["score"] <= 1


def test_the_result_is_what_the_engine_decides(tmp_path) -> None:
    file, out = write(tmp_path / "in.jsonl", ROWS[:2]), tmp_path / "out.jsonl"
    check(str(file), "--out", str(out))
    for row, line in zip(ROWS, read(out), strict=False):
        sources = (Source("source_1", TOWER),)
        _, decision = verify(Submission(row["response"], "", sources))
        assert line["action"] == decision.action.value
        assert line["risk_score"] == decision.risk.risk_score
        assert [c["verdict"] for c in line["claims"]] == [c.status.value for c in decision.claims]


def test_bad_lines_are_named_and_cost_no_other_result(tmp_path) -> None:
    bad = [b"{not json", ROWS[0], b"\xff\xfe", {"id": "x"}, b"", ROWS[1]]
    file, out = write(tmp_path / "in.jsonl", bad), tmp_path / "out.jsonl"
    err = io.StringIO()
    with pytest.raises(CommandError, match=r"3 lines could not be checked .*without a result: 3"):
        call_command("check_file", file, "--out", out, "--processes", "0", stderr=err)
    assert [line["id"] for line in read(out)] == ["right", "wrong"]
    for message in ("line 1: is not JSON", "line 3: is not UTF-8", "line 4: `response` must be"):
        assert message in err.getvalue()


def test_a_policy_from_a_file_decides(tmp_path) -> None:
    file, out = write(tmp_path / "in.jsonl", [ROWS[4]]), tmp_path / "out.jsonl"
    policy = tmp_path / "policy.json"
    policy.write_text('{"verdicts": {"no_sources": "BLOCK"}}')
    check(str(file), "--out", str(out), "--policy", str(policy))
    assert read(out)[0]["action"] == "BLOCK"


def test_wrong_arguments_say_what_is_wrong(tmp_path) -> None:
    file = write(tmp_path / "in.jsonl", ROWS[:1])
    policy = tmp_path / "policy.json"
    policy.write_text('{"warn_at": "high"}')
    out = str(tmp_path / "out.jsonl")
    for arguments, message in {
        (str(tmp_path / "no.jsonl"), "--out", out): "cannot be read: No such file",
        (str(file), "--out", str(file)): "--out names the input file",
        (str(file), "--out", str(tmp_path / "no" / "out")): "cannot be written: No such file",
        (str(file), "--out", out, "--policy", str(policy)): "warn_at: must be a whole number",
        (str(file), "--out", out, "--policy", str(tmp_path / "p")): "cannot be read",
        (str(file), "--out", out, "--config", "odd"): "no configuration 'odd'; known: default",
    }.items():
        with pytest.raises(CommandError, match=message):
            check(*arguments)
    assert json.loads(file.read_text())["id"] == "right", "the input is untouched"


def test_a_model_that_is_not_there_stops_before_any_result(tmp_path) -> None:
    file, out = write(tmp_path / "in.jsonl", ROWS[:1]), tmp_path / "out.jsonl"
    config = tmp_path / "c.toml"
    config.write_text('[settings]\nNLI_MODEL = "no-judge"\n')
    with pytest.raises(CommandError, match="NLI_MODEL is no-judge; it names base, small"):
        check(str(file), "--out", str(out), "--config", str(config))
    assert not out.exists()


def test_in_processes_of_its_own_without_database_or_secret(tmp_path) -> None:
    file, out = write(tmp_path / "in.jsonl", ROWS * 3), tmp_path / "out.jsonl"
    alone = {
        key: value for key, value in os.environ.items() if key not in ("SECRET_KEY", "REDIS_URL")
    }
    alone["DATABASE_URL"] = "postgres://nobody@127.0.0.1:1/none"
    python("manage.py", "check_file", file, "--out", out, "--processes", "2", environment=alone)
    assert len(read(out)) == 3 * len(ROWS)
    alone_again = tmp_path / "again.jsonl"
    check(str(file), "--out", str(alone_again))
    assert out.read_bytes() == alone_again.read_bytes(), "the number of processes changes nothing"
