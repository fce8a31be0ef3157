"""Grafana's dashboard and Prometheus' alerts ask for metrics and labels that /metrics has."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from django.test import Client
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from analysis.models import Check, JudgeDay, ProbeResult
from analysis.services.checking import run_check
from analysis.services.trends import count_waiting

ALERTS = yaml.safe_load(Path("deploy/helm/watchdog/alerts.yml").read_text())["groups"][0]["rules"]
DASHBOARD = json.loads(Path("operations/grafana/watchdog.json").read_text())
_METRIC = re.compile(r"watchdog_\w+")
_LABEL = re.compile(r"watchdog_(\w+)\{(\w+)")


def expressions() -> Iterator[str]:
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            yield target["expr"]
    for rule in ALERTS:
        yield rule["expr"]


@pytest.fixture
def families(make_check, api, settings) -> list[Metric]:
    """Return the metrics that are served once a check was counted."""
    check = make_check()
    assert isinstance(check, Check)
    run_check(check.pk)
    count_waiting()
    counts = {"decided": 1, "unavailable": 0, "calls": 1, "tokens": 9}
    JudgeDay.objects.create(
        application=check.application, day=check.created_at.date(), judge="llm:m", **counts
    )
    ProbeResult.objects.create(
        run=check.pk,
        application=check.application,
        probe="negation",
        way="api",
        verdict="blocked",
        outcome="passed",
        milliseconds=1,
    )
    settings.METRICS_TOKEN = "t"
    Client().get("/login")
    api.get("/api/v1/checks")
    answer = Client().get("/metrics", headers={"Authorization": "Bearer t"})
    assert answer.status_code == 200
    return list(text_string_to_metric_families(answer.content.decode()))


def test_each_metric_says_what_it_is_and_has_its_line_on_the_page(families) -> None:
    page = Path("docs/operations/monitoring.md").read_text()
    assert len(families) >= 15
    for family in families:
        assert family.documentation, family.name
        assert family.name.removesuffix("_created") in page


@pytest.fixture
def served(families) -> dict[str, set[str]]:
    """Return the labels of each metric."""
    labels: dict[str, set[str]] = {}
    for family in families:
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    return labels


def test_each_metric_that_is_asked_for_is_served(served) -> None:
    names = {name for expression in expressions() for name in _METRIC.findall(expression)}
    assert names <= set(served)
    assert len(names) >= 8


def test_each_label_that_is_asked_for_is_served(served) -> None:
    for expression in expressions():
        for metric, label in _LABEL.findall(expression):
            assert label in served[f"watchdog_{metric}"], expression
        for by in re.findall(r"by \((\w+)\)", expression):
            metrics = _METRIC.findall(expression)
            assert any(by in served[metric] for metric in metrics), expression


def test_panels_do_not_lie_on_each_other() -> None:
    occupied: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & occupied
        occupied |= cells
