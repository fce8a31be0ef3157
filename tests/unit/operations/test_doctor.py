"""What the doctor says of settings, space and clocks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from accounts.oidc.rights import Grant
from operations.doctor import Level, worst_level
from operations.doctor.configuration import Configuration, weak_settings
from operations.doctor.findings import error, ok, warning
from operations.doctor.machine import GIB, disk, memory, space
from operations.doctor.reach import numbers
from operations.doctor.servers import clock_finding
from operations.doctor.sign_in import SignIn, weak_sign_in

STRONG = Configuration(
    debug=False,
    secret_key="0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefgh",
    allowed_hosts=["watchdog.example.com"],
    https=True,
    second_factor_required=True,
    metrics_token="",
    trail_signing_key="k" * 44,
    webhook_key="w" * 44,
)
SIGN_IN = SignIn(
    grants=(Grant("qa", "demo", "reviewer"), Grant("legal", "*", "auditor")),
    applications=["demo"],
    client_secret="s",
    second_factor_required=True,
    levels=["mfa"],
    local_login=False,
    break_glass_user="glass",
    break_glass_works=True,
)


def test_strong_settings_are_fine() -> None:
    assert [finding.level for finding in weak_settings(STRONG)] == [Level.OK]


@pytest.mark.parametrize(
    ("change", "setting"),
    [
        ({"debug": True}, "DEBUG"),
        ({"secret_key": "short"}, "SECRET_KEY"),
        ({"secret_key": "a" * 60}, "SECRET_KEY"),
        ({"allowed_hosts": ["*"]}, "ALLOWED_HOSTS"),
        ({"https": False}, "HTTPS"),
        ({"second_factor_required": False}, "password alone"),
        ({"metrics_token": "abc"}, "METRICS_TOKEN"),
        ({"trail_signing_key": ""}, "TRAIL_SIGNING_KEY"),
        ({"webhook_key": ""}, "WEBHOOK_KEY"),
    ],
)
def test_each_weak_setting_is_named_with_a_remedy(change: dict, setting: str) -> None:
    (finding,) = weak_settings(replace(STRONG, **change))
    assert finding.level is Level.WARNING
    assert setting in finding.text
    assert finding.remedy


def test_a_sound_sign_in_is_fine() -> None:
    assert list(weak_sign_in(SIGN_IN)) == []


@pytest.mark.parametrize(
    ("change", "flaw", "level"),
    [
        ({"grants": ()}, "nobody may enter", Level.ERROR),
        ({"applications": []}, "not there: demo", Level.WARNING),
        ({"levels": []}, "SECOND_FACTOR_REQUIRED", Level.WARNING),
        ({"client_secret": ""}, "OIDC_CLIENT_SECRET", Level.WARNING),
        ({"break_glass_works": False}, "'glass' is no active superuser", Level.ERROR),
        ({"break_glass_user": ""}, "Nobody can log in", Level.WARNING),
    ],
)
def test_each_flaw_of_the_sign_in_is_named(change: dict, flaw: str, level: Level) -> None:
    (finding,) = weak_sign_in(replace(SIGN_IN, **change))
    assert finding.level is level
    assert flaw in finding.text
    assert finding.remedy


@pytest.mark.parametrize(
    ("free", "level"), [(GIB // 2, Level.ERROR), (2 * GIB, Level.WARNING), (9 * GIB, Level.OK)]
)
def test_little_space_is_worse_than_scant_space(free: int, level: Level) -> None:
    assert space("disk", "free", free, GIB, 5 * GIB).level is level


def test_a_folder_not_made_yet_is_measured_by_the_one_above(tmp_path: Path) -> None:
    (finding,) = disk(tmp_path / "models" / "none")
    assert str(tmp_path) in finding.text


def test_memory_is_read_in_kibibytes(tmp_path: Path) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n")
    (finding,) = memory(meminfo)
    assert (finding.level, finding.text) == (Level.OK, "4.0 GiB available")


def test_clocks_apart_are_warned_of() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert clock_finding(now, now + timedelta(seconds=4)).level is Level.OK
    assert clock_finding(now, now - timedelta(seconds=90)).level is Level.WARNING


def test_the_worst_finding_counts() -> None:
    findings = [ok("a", "fine"), error("b", "broken", "mend it"), warning("c", "hm", "look")]
    assert worst_level(findings) is Level.ERROR
    assert worst_level([]) is Level.OK


def test_numbers_that_keep_a_process_from_starting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEB_THREADS", "many")
    monkeypatch.setenv("WORKER_PROCESSES", "2")
    (finding,) = numbers()
    assert (finding.level, finding.part) == (Level.ERROR, "settings")
    assert "WEB_THREADS is 'many'" in finding.text
