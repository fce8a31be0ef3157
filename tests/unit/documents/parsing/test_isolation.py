"""The child process that reads files: its walls, its limits, and how its end is handled."""

import json
import os
import socket
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import psutil
import pytest

from documents.parsing import wire
from documents.parsing.funnel import parse
from documents.parsing.isolation import _limits, _parser, parse_isolated
from documents.parsing.types import (
    DEFAULT_LIMITS,
    ParsingLimits,
    UnreadableDocument,
    UnreadableReason,
)
from documents.services import indexing
from documents.services.indexing import read_file
from lib.sandbox import Sandbox, Tier, report, running
from tests.commands import python
from tests.sockets import wait_until
from tests.unit.documents.parsing.files import encrypted_pdf, pdf, pdf_bomb, slow_pdf, word
from tools.launcher.environment import CHECKOUT

MEGABYTE = 2**20
FILES = (
    b"Ladders \xff\x00"[:8],
    "Лестницы".encode("cp1251") * 20,
    b"<html><title>T</title><p>Wind \xe2\x80\x94 38 km/h<p hidden>secret",
    b"# Ladders\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    pdf("Ladders", "", "Trenches", title="Safety"),
    encrypted_pdf("Ladders", ""),
    word(lambda document: document.add_heading("Ladders")),
    b"control \x01 and \xed\xa0\xbd",
)


def refused(data, tier=None, **limits):
    with pytest.raises(UnreadableDocument) as caught:
        parse_isolated(data, filename="file", tier=tier, limits=replace(DEFAULT_LIMITS, **limits))
    return caught.value


@pytest.fixture
def played(tmp_path, monkeypatch):
    """Return a function that puts a script in the place of the child."""

    def play(script):
        file = tmp_path / "child.py"
        file.write_text(script)
        monkeypatch.setattr(running, "_CHILD", file)

    return play


@pytest.mark.parametrize("data", FILES)
@pytest.mark.parametrize("filename", ["a.txt", "a.md", "Gerüst \udcff\n.html"])
def test_gives_what_parsing_here_gives(data, filename):
    assert parse_isolated(data, filename=filename, tier=None) == parse(data, filename=filename)


@pytest.mark.parametrize(
    ("data", "limits", "reason"),
    [
        (b"", {}, UnreadableReason.EMPTY),
        (b"  ", {}, UnreadableReason.NO_TEXT),
        (pdf(""), {}, UnreadableReason.SCANNED),
        (encrypted_pdf("a", "b"), {}, UnreadableReason.PASSWORD),
        (b"aaa", {"max_bytes": 2}, UnreadableReason.TOO_LARGE),
        (b"aaa", {"max_characters": 2}, UnreadableReason.TOO_MUCH_TEXT),
        (b"<html>" + b"<b>" * 9000, {}, UnreadableReason.NESTED_TOO_DEEP),
    ],
)
def test_refusals_come_back_with_their_sentence(data, limits, reason):
    error = refused(data, **limits)
    assert error.reason_code is reason
    with pytest.raises(UnreadableDocument) as here:
        parse(data, filename="file", limits=replace(DEFAULT_LIMITS, **limits))
    assert error.sentence == here.value.sentence


def test_too_slow():
    began = time.monotonic()
    error = refused(slow_pdf(), wall_seconds=0.1)
    assert error.reason_code is UnreadableReason.TOO_SLOW
    assert "0.1 seconds" in error.sentence
    assert time.monotonic() - began < 10


def test_too_much_memory():
    packed = refused(pdf_bomb(), memory_bytes=150 * MEGABYTE)
    assert packed.reason_code is UnreadableReason.TOO_MUCH_MEMORY
    long = b"ab " * 10_000_000
    assert refused(long, memory_bytes=50 * MEGABYTE).reason_code is UnreadableReason.TOO_MUCH_MEMORY
    roomy = replace(DEFAULT_LIMITS, max_characters=len(long))
    assert len(parse_isolated(long, filename="a", tier=None, limits=roomy).text) == len(long)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("import os; os.kill(os.getpid(), 11)", UnreadableReason.PARSER_FAILED),
        ("import os; os.kill(os.getpid(), 9)", UnreadableReason.TOO_MUCH_MEMORY),
        ("import os; os.kill(os.getpid(), 24)", UnreadableReason.TOO_SLOW),
        ("raise MemoryError", UnreadableReason.TOO_MUCH_MEMORY),
        ("raise RuntimeError", UnreadableReason.PARSER_FAILED),
        ("pass", UnreadableReason.PARSER_FAILED),
        ("print('{')", UnreadableReason.PARSER_FAILED),
        ("print('[]')", UnreadableReason.PARSER_FAILED),
        ('print(\'{"refused": ["nonsense", ""]}\')', UnreadableReason.PARSER_FAILED),
        ('print(\'{"document": {"text": 1}}\')', UnreadableReason.PARSER_FAILED),
        ("print('[' * 100000)", UnreadableReason.PARSER_FAILED),
    ],
)
def test_a_child_that_breaks_off_or_lies(played, script, reason):
    played(script)
    assert refused(b"text").reason_code is reason


def test_an_answer_beyond_all_measure_is_not_read(played):
    played("import sys; [sys.stdout.write('a' * 1000000) for _ in range(10)]")
    assert refused(b"text", max_characters=10).reason_code is UnreadableReason.TOO_MUCH_TEXT


def test_a_text_that_cannot_be_stored_is_not_believed(played):
    document = {"text": "a\0b", "pages": [], "file_type": "txt", "title": "", "encoding": ""}
    document |= {"hidden_text": [], "warnings": []}
    played(f"print({json.dumps({'document': document})!r})")
    assert refused(b"text").reason_code is UnreadableReason.PARSER_FAILED


def test_what_the_child_started_dies_with_it(played, tmp_path):
    note = tmp_path / "pid"
    played(
        "import subprocess, pathlib, time, sys\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"pathlib.Path({str(note)!r}).write_text(str(p.pid)); time.sleep(60)"
    )
    assert refused(b"text", wall_seconds=3).reason_code is UnreadableReason.TOO_SLOW
    wait_until(lambda: not _alive(int(note.read_text())), seconds=5)


def _alive(pid):
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def test_no_secret_reaches_the_child(played, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "very secret")
    played("import os, sys; sys.exit(', '.join(sorted(os.environ)))")
    warnings = []
    monkeypatch.setattr(running.logger, "warning", lambda *words: warnings.append(words[-1]))
    refused(b"text")
    assert set(warnings[0].split(", ")) <= {"LANG", "MALLOC_ARENA_MAX", "PATH", "LC_CTYPE"}


def test_the_limits_of_a_file_are_those_of_its_child():
    limits = _limits(ParsingLimits(wall_seconds=7.5, memory_bytes=500 * MEGABYTE))
    assert (limits.wall_seconds, limits.cpu_seconds) == (7.5, 10)
    assert limits.memory_bytes == 500 * MEGABYTE
    assert limits.file_bytes == wire.largest_answer(DEFAULT_LIMITS)


def test_the_child_is_light():
    """It loads neither Django nor a model library, and no parser but the one needed."""
    script = (
        f"import sys; sys.path.insert(0, {str(CHECKOUT)!r})\n"
        "from documents.parsing import funnel, isolation, wire\n"
        "from lib.sandbox import child\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules}))"
    )
    heavy = {"django", "torch", "onnxruntime", "numpy", "lxml", "pypdfium2", "docx", "markdown_it"}
    assert not heavy & set(python("-I", "-c", script).split())


def test_the_name_never_becomes_an_argument():
    line = wire.request("--help\n; rm -rf /\udcff", DEFAULT_LIMITS)
    assert line.count(b"\n") == 1
    assert wire.read_request(line) == ("--help\n; rm -rf /\udcff", DEFAULT_LIMITS)


def test_no_file_and_no_process_stays_behind():
    before = set(os.listdir("/proc/self/fd"))
    for _ in range(3):
        parse_isolated(b"text", filename="a.txt", tier=None)
        refused(b"")
    assert set(os.listdir("/proc/self/fd")) == before
    assert not [c for c in psutil.Process().children() if "child.py" in " ".join(c.cmdline())]


PROBE = """
import json, os, socket, sys
sys.path[:0] = {paths}
from documents.parsing import funnel
from documents.parsing.types import FileType, ParsedDocument
from lib.sandbox import child

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
def tier(request) -> Tier:
    tier: Tier = request.param
    if reason := why_not(tier):
        pytest.skip(f"{tier} is not possible here: {reason}")
    return tier


def probed(tier: Tier | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Return what a parser that was taken over by its file can do."""
    secret, file = tmp_path / "secret", tmp_path / "probe.py"
    secret.write_text("key")
    monkeypatch.setattr(running, "_CHILD", file)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        values = {
            "paths": [str(path) for path in _parser(tier).paths],
            "port": listening.getsockname()[1],
            "secret": str(secret),
            "folder": str(tmp_path),
            "pid": os.getpid(),
        }
        file.write_text(PROBE.format(**values))
        document = parse_isolated(b"text", filename="a.txt", tier=tier)
    return json.loads(document.text)


def test_a_parser_that_is_taken_over_can_reach_nothing(tier, tmp_path, monkeypatch) -> None:
    tmp_path.chmod(0o777)
    report = probed(tier, tmp_path, monkeypatch)
    assert {name: report[name] for name in FREE} == dict.fromkeys(FREE, False)
    assert report["user"] != 0
    assert not (tmp_path / "made").exists()
    assert set(report["variables"]) <= {"LANG", "LC_CTYPE", "MALLOC_ARENA_MAX", "PATH", "PWD"}


def test_the_same_acts_succeed_without_walls(tmp_path, monkeypatch) -> None:
    report = probed(None, tmp_path, monkeypatch)
    assert {name: report[name] for name in FREE} == FREE
    assert (tmp_path / "made").exists()


@pytest.mark.parametrize("data", FILES)
def test_every_kind_of_file_is_read_in_the_sandbox(tier, data) -> None:
    assert parse_isolated(data, filename="a.md", tier=tier) == parse(data, filename="a.md")


def test_limits_hold_in_the_sandbox(tier) -> None:
    assert refused(b"ab " * 10_000_000, tier, memory_bytes=64 * MEGABYTE).reason_code in (
        UnreadableReason.TOO_MUCH_MEMORY,
        UnreadableReason.PARSER_FAILED,
    )
    late = refused(slow_pdf(), tier, wall_seconds=0.1)
    assert late.reason_code is UnreadableReason.TOO_SLOW


@pytest.fixture
def no_sandbox(monkeypatch) -> None:
    monkeypatch.setattr(indexing, "available", lambda tiers: Sandbox(None, ()))


@pytest.mark.usefixtures("no_sandbox")
def test_without_a_sandbox_files_are_refused(settings) -> None:
    settings.DOCUMENTS_WITHOUT_SANDBOX = False
    with pytest.raises(UnreadableDocument) as caught:
        read_file(b"text", filename="a.txt")
    assert caught.value.reason_code is UnreadableReason.NO_SANDBOX
    assert "sandbox_check" in caught.value.sentence


@pytest.mark.usefixtures("no_sandbox")
def test_unless_the_operator_says_otherwise(settings) -> None:
    settings.DOCUMENTS_WITHOUT_SANDBOX = True
    assert read_file(b"text", filename="a.txt").text == "text"
