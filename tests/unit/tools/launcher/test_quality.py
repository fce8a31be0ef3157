"""The tests that `make test` repeats."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tools.launcher import quality

LATE = "tests/browser/test_page.py::test_late"


class Pytest:
    """Records its calls, returns the codes in turn, and writes what failed as pytest does."""

    def __init__(self, record: Path, failed: Sequence[str], codes: Sequence[int]) -> None:
        self._record, self._failed, self._codes = record, failed, list(codes)
        self.calls: list[list[str]] = []

    def __call__(self, command: Sequence[str], env: Mapping[str, str] | None = None) -> int:
        self.calls.append(list(command[3:]))
        self._record.write_text(json.dumps(dict.fromkeys(self._failed, True)))
        return self._codes.pop(0)


@pytest.fixture
def record(tmp_path, monkeypatch) -> Path:
    """Return the file in which pytest records failures."""
    monkeypatch.setattr(quality, "RECORD", tmp_path / "lastfailed")
    return tmp_path / "lastfailed"


@pytest.mark.parametrize(
    ("in_ci", "failed", "codes", "code", "calls"),
    [
        (True, [LATE], [1, 0], 0, [["-n", "2"], [LATE]]),
        (True, [LATE], [1, 1], 1, [["-n", "2"], [LATE]]),
        (True, [], [0], 0, [["-n", "2"]]),
        (True, [f"{LATE}[{n}]" for n in range(6)], [1], 1, [["-n", "2"]]),
        (True, [LATE], [3], 3, [["-n", "2"]]),
        (False, [LATE], [1], 1, [["-n", "2"]]),
    ],
    ids=["late", "broken", "content", "too many", "pytest itself failed", "outside CI"],
)
def test_ci_repeats_a_few_failed_tests_once(
    record, monkeypatch, in_ci, failed, codes, code, calls
) -> None:
    tool = Pytest(record, failed, codes)
    monkeypatch.setattr(quality, "call", tool)
    monkeypatch.delenv("CI", raising=False)
    if in_ci:
        monkeypatch.setenv("CI", "true")
    assert quality.run_tests("-n", "2") == code
    assert tool.calls == calls


@pytest.mark.parametrize(
    ("codes", "code", "called"),
    [([0, 0], 0, ["spectacular", "export_schemas"]), ([3], 3, ["spectacular"])],
    ids=["both", "the first fails"],
)
def test_api_documents_are_written_in_turn(monkeypatch, codes, code, called) -> None:
    calls: list[Sequence[str]] = []

    def call(command: Sequence[str], env: object) -> int:
        calls.append(command)
        return codes[len(calls) - 1]

    monkeypatch.setattr(quality, "call", call)
    assert quality.api_docs() == code
    assert [word for command in calls for word in command if word in called] == called
    assert len(calls) == len(called)
