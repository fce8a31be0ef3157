"""The doctor's messages about settings, space and clocks."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import override_settings

from accounts.oidc.rights import Grant
from operations.doctor import Level, worst_level
from operations.doctor.findings import error, ok, warning
from operations.doctor.reach import numbers
from operations.doctor.run import GIB, disk, memory, space, weak_settings
from operations.doctor.servers import clock_finding
from operations.doctor.trust import weak_sign_in

STRONG = {
    "DEBUG": False,
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefgh",
    "ALLOWED_HOSTS": ["watchdog.example.com"],
    "HTTPS": True,
    "SECOND_FACTOR_REQUIRED": True,
    "METRICS_TOKEN": "",
    "TRAIL_SIGNING_KEY": "k" * 44,
    "WEBHOOK_KEY": "w" * 44,
}
SIGN_IN = {
    "OIDC_GROUPS": (Grant("qa", "demo", "reviewer"), Grant("legal", "*", "auditor")),
    "OIDC_CLIENT_SECRET": "s",
    "SECOND_FACTOR_REQUIRED": True,
    "OIDC_ACR_VALUES": ["mfa"],
    "LOCAL_LOGIN": False,
    "BREAK_GLASS_USER": "glass",
}


def test_strong_settings_are_fine() -> None:
    with override_settings(**STRONG):
        assert [finding.level for finding in weak_settings()] == [Level.OK]


@pytest.mark.parametrize(
    ("change", "setting"),
    [
        ({"DEBUG": True}, "DEBUG"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY"),
        ({"SECRET_KEY": "a" * 60}, "SECRET_KEY"),
        ({"ALLOWED_HOSTS": ["*"]}, "ALLOWED_HOSTS"),
        ({"HTTPS": False}, "HTTPS"),
        ({"SECOND_FACTOR_REQUIRED": False}, "password alone"),
        ({"METRICS_TOKEN": "abc"}, "METRICS_TOKEN"),
        ({"TRAIL_SIGNING_KEY": ""}, "TRAIL_SIGNING_KEY"),
        ({"WEBHOOK_KEY": ""}, "WEBHOOK_KEY"),
    ],
)
def test_each_weak_setting_is_named_with_a_remedy(change, setting) -> None:
    with override_settings(**STRONG | change):
        (finding,) = weak_settings()
    assert finding.level is Level.WARNING
    assert setting in finding.text
    assert finding.remedy


def test_a_sound_sign_in_is_fine() -> None:
    with override_settings(**SIGN_IN):
        assert list(weak_sign_in({"demo"}, break_glass_works=True)) == []


@pytest.mark.parametrize(
    ("change", "applications", "works", "flaw", "level"),
    [
        ({"OIDC_GROUPS": ()}, {"demo"}, True, "nobody may enter", Level.ERROR),
        ({}, set(), True, "not there: demo", Level.WARNING),
        ({"OIDC_ACR_VALUES": []}, {"demo"}, True, "SECOND_FACTOR_REQUIRED", Level.WARNING),
        ({"OIDC_CLIENT_SECRET": ""}, {"demo"}, True, "OIDC_CLIENT_SECRET", Level.WARNING),
        ({}, {"demo"}, False, "'glass' is no active superuser", Level.ERROR),
        ({"BREAK_GLASS_USER": ""}, {"demo"}, True, "Nobody can log in", Level.WARNING),
    ],
)
def test_each_flaw_of_the_sign_in_is_named(change, applications, works, flaw, level) -> None:
    with override_settings(**SIGN_IN | change):
        (finding,) = weak_sign_in(applications, break_glass_works=works)
    assert finding.level is level
    assert flaw in finding.text
    assert finding.remedy


@pytest.mark.parametrize(
    ("free", "level"), [(GIB // 2, Level.ERROR), (2 * GIB, Level.WARNING), (9 * GIB, Level.OK)]
)
def test_little_space_is_worse_than_scant_space(free, level) -> None:
    assert space("free", free, GIB, 5 * GIB).level is level


def test_a_folder_not_made_yet_is_measured_by_the_one_above(tmp_path) -> None:
    (finding,) = disk(tmp_path / "models" / "none")
    assert str(tmp_path) in finding.text


def test_memory_is_read_in_kibibytes(tmp_path) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n")
    (finding,) = memory(meminfo)
    assert (finding.level, finding.text) == (Level.OK, "4.0 GiB available")


def test_clocks_apart_are_warned_of() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert clock_finding(now, now + timedelta(seconds=4)).level is Level.OK
    assert clock_finding(now, now - timedelta(seconds=90)).level is Level.WARNING


def test_the_worst_finding_counts() -> None:
    findings = [ok("fine"), error("broken", "mend it"), warning("hm", "look")]
    assert worst_level(findings) is Level.ERROR
    assert worst_level([]) is Level.OK


def test_numbers_that_keep_a_process_from_starting(monkeypatch) -> None:
    monkeypatch.setenv("WEB_THREADS", "many")
    monkeypatch.setenv("WORKER_PROCESSES", "2")
    (finding,) = numbers()
    assert finding.level is Level.ERROR
    assert "WEB_THREADS is 'many'" in finding.text
