"""The alerts, played by Prometheus' own promtool, and what the pages say of them."""

import re
import shutil
from pathlib import Path

import pytest
import yaml

from tests.commands import program

RULES = Path("deploy/helm/watchdog/alerts.yml")
ALERTS = yaml.safe_load(RULES.read_text())["groups"][0]["rules"]
PLAYED = yaml.safe_load(Path("tests/unit/deploy/alerts_test.yml").read_text())["tests"][1]
needs_promtool = pytest.mark.skipif(
    shutil.which("promtool") is None, reason="prometheus is not installed"
)


@needs_promtool
def test_each_alert_fires_for_its_cause_and_for_nothing_else() -> None:
    program("promtool", "test", "rules", "tests/unit/deploy/alerts_test.yml")


@needs_promtool
def test_prometheus_takes_the_files(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.touch()
    text = Path("deploy/prometheus/prometheus.yml").read_text()
    text = text.replace("/run/secrets/metrics_token", str(token))
    (tmp_path / "prometheus.yml").write_text(text)
    shutil.copy(RULES, tmp_path)
    program("promtool", "check", "config", tmp_path / "prometheus.yml")


def test_each_alert_is_played_and_has_its_line_in_the_runbook() -> None:
    names = [rule["alert"] for rule in ALERTS]
    assert [case["alertname"] for case in PLAYED["alert_rule_test"]] == names
    page = Path("docs/operations/monitoring.md").read_text()
    assert re.findall(r"^\| `(Watchdog\w+)` \|", page, re.MULTILINE) == names
