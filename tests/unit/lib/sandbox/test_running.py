"""Both tiers for real: what the canaries try is refused inside and succeeds outside."""

import ctypes
import json
import os
import struct
import subprocess
import sys
from functools import cache

import psutil
import pytest

from lib.sandbox import (
    Program,
    SandboxFailed,
    SandboxLimits,
    Tier,
    choosing,
    report,
    run,
    run_program,
    running,
)
from lib.sandbox.choosing import NAMES, bait
from lib.sandbox.running import NOBODY

ALLOW_ALL = struct.pack("HBBI", 0x06, 0, 0, 0x7FFF0000)
"""A filter of one instruction: return ALLOW."""


@cache
def landlock_version():
    """Return the kernel's answer, 0 without Landlock; it knows ports from 4 on."""
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, libc.syscall(444, None, ctypes.c_size_t(0), 1))


@cache
def why_not(tier):
    """Return why this kernel forbids the tier, found without our own code.

    "" where it allows it.
    """
    if tier is Tier.LANDLOCK:
        return "" if landlock_version() else "the kernel has no Landlock"
    walls = ["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    try:
        done = subprocess.run(
            ["bwrap", *walls, "--ro-bind", "/", "/", "true"],
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return "bubblewrap is not installed"
    return done.stderr.strip() if done.returncode else ""


@pytest.fixture(params=list(Tier))
def tier(request):
    if reason := why_not(request.param):
        pytest.skip(f"{request.param} is not possible here: {reason}")
    return request.param


@pytest.fixture(scope="module")
def outside():
    """Return the actions' results in a plain process, with the environment of this one."""
    with bait() as offered:
        program = f"import json, sys; sys.path.insert(0, {str(choosing._ACTIONS.parent)!r})\n"
        program += "import actions; print(json.dumps(actions.main(json.load(sys.stdin))))"
        done = subprocess.run(
            [sys.executable, "-c", program],
            input=json.dumps(offered),
            capture_output=True,
            text=True,
            env={**os.environ, "SECRET_KEY": "x"},
            check=True,
        )
    return json.loads(done.stdout)


def inside(tier, script, data=None, **limits):
    modules = ("os", "time", "socket", "encodings.idna")
    return run(script, data, tier=tier, modules=modules, limits=SandboxLimits(**limits)).output


@pytest.mark.parametrize("name", NAMES)
def test_the_action_succeeds_outside(outside, name):
    assert outside[name] != ""


def test_every_act_is_refused_inside(tier):
    sandbox = report(tier)
    assert {canary.name: canary.detail for canary in sandbox.canaries} == dict.fromkeys(NAMES, "")
    assert sandbox.usable


@pytest.mark.parametrize(
    "name", ["socket", "host_file", "host_folder", "processes", "environment", "memory"]
)
def test_the_tiers_own_walls_hold_without_the_filter(tier, monkeypatch, name):
    if tier is Tier.LANDLOCK and name == "socket" and landlock_version() < 4:
        pytest.skip("the Landlock of this kernel knows no ports; the filter refuses them")
    monkeypatch.setattr(running, "compiled_filter", lambda: ALLOW_ALL)
    canary = {canary.name: canary for canary in report(tier).canaries}[name]
    assert (canary.refused, canary.detail) == (True, "")


def test_without_the_filter_the_tier_is_not_usable(tier, monkeypatch):
    monkeypatch.setattr(running, "compiled_filter", lambda: ALLOW_ALL)
    sandbox = report(tier)
    assert not sandbox.usable
    assert "families" in sandbox.reason


def test_nobodys_rights_and_no_secrets(tier, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "the secret")
    script = "import os\ndef main(data): return [os.getuid(), os.getgid(), dict(os.environ)]"
    uid, gid, environment = inside(tier, script)
    alone = tier is Tier.LANDLOCK and os.geteuid() != 0  # stays who it was, behind Landlock
    assert (uid, gid) == ((os.getuid(), os.getgid()) if alone else (NOBODY, NOBODY))
    assert set(environment) <= {*running.ENVIRONMENT, "PWD", "LC_CTYPE"}


def test_the_limits_hold(tmp_path):
    kinds = {"AS": 256 * 2**20, "CPU": 10, "FSIZE": 2**20, "NOFILE": 32, "CORE": 0, "MEMLOCK": 0}
    tmp_path.joinpath("telling.py").write_text(
        "import json, resource\n"
        "def tell(stream):\n"
        "    kinds = [getattr(resource, f'RLIMIT_{name}') for name in json.load(stream)]\n"
        "    return json.dumps([resource.getrlimit(kind) for kind in kinds]).encode()\n"
    )
    program = Program("telling:tell", paths=(tmp_path,))
    told = run_program(program, json.dumps(list(kinds)).encode(), tier=None)
    assert json.loads(told) == [[bound, bound] for bound in kinds.values()]


def test_limits_cannot_be_lifted(tier):
    script = (
        "import resource\ndef main(data):\n    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))\n"
    )
    with pytest.raises(SandboxFailed, match="Error"):
        run(script, None, tier=tier, modules=("resource",))


def test_what_goes_in_comes_out(tier):
    assert inside(tier, "def main(data): return {'twice': [data, data]}", {"ü": 1.5}) == {
        "twice": [{"ü": 1.5}, {"ü": 1.5}]
    }


def test_what_the_script_prints_is_no_answer(tier):
    assert inside(tier, "def main(data):\n print('{\"output\": 2}')\n return 1") == 1


@pytest.mark.parametrize(
    ("script", "limits", "reason"),
    [
        ("import time\ndef main(data): time.sleep(60)", {"wall_seconds": 2.0}, "longer than 2"),
        ("def main(data):\n while True: pass", {"cpu_seconds": 1}, "ended with code"),
        ("def main(data): return [bytearray(10**7) for _ in range(90)]", {}, "more memory"),
        ("def main(data): return 'x' * 3_000_000", {}, "too large"),
        ("def main(data): return float('nan')", {}, "JSON"),
        ("def main(data): raise ValueError('broken')", {}, "ValueError: broken"),
        ("import os\ndef main(data): os._exit(0)", {}, "no result"),
        ("import os\ndef main(data): os.write(3, b'[]'); os._exit(0)", {}, "no result"),
        ("x = 1", {}, "KeyError"),
    ],
)
def test_a_bad_end_is_told(tier, script, limits, reason):
    with pytest.raises(SandboxFailed, match=f"(?i){reason}"):
        inside(tier, script, **limits)


def test_nothing_goes_on_after_the_wall_limit(tier):
    before = set(psutil.Process().children(recursive=True))
    with pytest.raises(SandboxFailed, match="longer"):
        inside(tier, "import time\ndef main(data): time.sleep(600)", wall_seconds=1.0)
    remaining = set(psutil.Process().children(recursive=True)) - before
    _, alive = psutil.wait_procs(remaining, timeout=60)
    assert alive == []
