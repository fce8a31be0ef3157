"""Files are read in the sandbox of each tier, and are refused where there is none."""

import json
import os
import socket
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from documents.parsing import isolation
from documents.parsing.funnel import parse
from documents.parsing.isolation import parse_isolated
from documents.parsing.types import DEFAULT_LIMITS, UnreadableDocument, UnreadableReason
from documents.services import indexing
from documents.services.indexing import read_file
from lib.sandbox import Sandbox, Tier, report
from tests.unit.documents.parsing.parsing_files import encrypted_pdf, pdf, slow_pdf, word

PROBE = """
import json, os, socket, sys
sys.path[:0] = {paths}
from documents.parsing import child, funnel
from documents.parsing.types import FileType, ParsedDocument

def done(act):
    try:
        return bool(act())
    except OSError:
        return False

def parse(data, *, filename, limits):
    told = {{
        "network": done(lambda: socket.create_connection(("127.0.0.1", {port}), 2)),
        "read": done(lambda: open({secret!r}).read()),
        "look": done(lambda: "secret" in os.listdir({folder!r})),
        "write": done(lambda: open({folder!r} + "/made", "w").write("x")),
        "fork": done(lambda: os.fork() or os._exit(0)),
        "other": done(lambda: os.kill({pid}, 0) is None),
        "user": os.getuid(),
        "variables": sorted(os.environ),
    }}
    return ParsedDocument(json.dumps(told), (), FileType.TXT, "", "", (), ())

funnel.parse = parse
child.main()
"""
FREE = {"network": True, "read": True, "look": True, "fork": True, "other": True}


@cache
def why_not(tier: Tier) -> str:
    return report(tier).reason


@pytest.fixture(params=list(Tier))
def tier(request: pytest.FixtureRequest) -> Tier:
    tier: Tier = request.param
    if reason := why_not(tier):
        pytest.skip(f"{tier} is not possible here: {reason}")
    return tier


def probed(tier: Tier | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Return what a parser that was taken over by its file can do."""
    secret, file = tmp_path / "secret", tmp_path / "probe.py"
    secret.write_text("key")
    monkeypatch.setattr(isolation, "_CHILD", file)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        values = {
            "paths": json.loads(isolation._setting(None))["paths"],
            "port": listening.getsockname()[1],
            "secret": str(secret),
            "folder": str(tmp_path),
            "pid": os.getpid(),
        }
        file.write_text(PROBE.format(**values))
        document = parse_isolated(b"text", filename="a.txt", tier=tier)
    return json.loads(document.text)


def test_a_parser_that_is_taken_over_can_reach_nothing(
    tier: Tier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o777)
    report = probed(tier, tmp_path, monkeypatch)
    assert {name: report[name] for name in FREE} == dict.fromkeys(FREE, False)
    assert report["user"] != 0
    assert not (tmp_path / "made").exists()
    assert set(report["variables"]) <= {"LANG", "LC_CTYPE", "MALLOC_ARENA_MAX", "PATH", "PWD"}


def test_the_same_acts_succeed_without_walls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = probed(None, tmp_path, monkeypatch)
    assert {name: report[name] for name in FREE} == FREE
    assert (tmp_path / "made").exists()


@pytest.mark.parametrize(
    "data",
    [
        "Лестницы".encode("cp1251") * 20,
        b"<html><title>T</title><p>Wind \xe2\x80\x94 38 km/h<p hidden>secret",
        b"# Ladders\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        pdf("Ladders", "", "Trenches", title="Safety"),
        encrypted_pdf("Ladders", ""),
        word(lambda document: document.add_heading("Ladders")),
    ],
)
def test_every_kind_of_file_is_read_in_the_sandbox(tier: Tier, data: bytes) -> None:
    assert parse_isolated(data, filename="a.md", tier=tier) == parse(data, filename="a.md")


def test_limits_hold_in_the_sandbox(tier: Tier) -> None:
    few = replace(DEFAULT_LIMITS, memory_bytes=64 * 2**20)
    with pytest.raises(UnreadableDocument) as caught:
        parse_isolated(b"ab " * 10_000_000, filename="a", tier=tier, limits=few)
    assert caught.value.reason_code in (
        UnreadableReason.TOO_MUCH_MEMORY,
        UnreadableReason.PARSER_FAILED,
    )
    short = replace(DEFAULT_LIMITS, wall_seconds=0.1)
    with pytest.raises(UnreadableDocument) as caught:
        parse_isolated(slow_pdf(), filename="a", tier=tier, limits=short)
    assert caught.value.reason_code is UnreadableReason.TOO_SLOW


@pytest.fixture
def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "available", lambda tiers: Sandbox(None, ()))


@pytest.mark.usefixtures("no_sandbox")
def test_without_a_sandbox_files_are_refused(settings: Settings) -> None:
    settings.DOCUMENTS_WITHOUT_SANDBOX = False
    with pytest.raises(UnreadableDocument) as caught:
        read_file(b"text", filename="a.txt")
    assert caught.value.reason_code is UnreadableReason.NO_SANDBOX
    assert "sandbox_check" in caught.value.sentence


@pytest.mark.usefixtures("no_sandbox")
def test_unless_the_operator_says_otherwise(settings: Settings) -> None:
    settings.DOCUMENTS_WITHOUT_SANDBOX = True
    assert read_file(b"text", filename="a.txt").text == "text"
