"""The Helm chart: its values, what its templates ask of them, and rendered where helm is."""

import copy
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from watchdog_site import celery_config

CHART = Path("deploy/helm/watchdog")
VALUES: dict[str, Any] = yaml.safe_load((CHART / "values.yaml").read_text())
SCHEMA = json.loads((CHART / "values.schema.json").read_text())
TEMPLATES = sorted((CHART / "templates").iterdir())
_OPENING = re.compile(r"\{\{-?\s*(?:if|range|with|define)\b")
_CLOSING = re.compile(r"\{\{-?\s*end\b")


def changed(path: str, value: Any) -> dict[str, Any]:
    values = copy.deepcopy(VALUES)
    *folders, name = path.split(".")
    part = values
    for folder in folders:
        part = part[folder]
    part[name] = value
    return values


def test_the_values_are_of_their_schema() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.validate(VALUES, SCHEMA)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("settings.SECRET_KEY", "in the open"),
        ("settings.lower", "x"),
        ("settings.WEB_PROCESSES", 2),
        ("existingSecret", ""),
        ("workers.checks.queues", ["other"]),
        ("workers.checks.queues", []),
        ("web.replicas", 0),
        ("proxy.enabled", True),  # without the address of a model
        ("unknown", 1),
    ],
)
def test_wrong_values_are_refused(path: str, value: Any) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(changed(path, value), SCHEMA)


def test_every_queue_has_a_worker() -> None:
    served = [queue for worker in VALUES["workers"].values() for queue in worker["queues"]]
    assert sorted(served) == sorted(queue.name for queue in celery_config.task_queues)


def test_every_setting_is_known() -> None:
    page = Path("docs/reference/settings.md").read_text()
    assert [name for name in VALUES["settings"] if f"`{name}`" not in page] == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_templates_read_values_that_there_are(template: Path) -> None:
    text = template.read_text()
    assert len(_OPENING.findall(text)) == len(_CLOSING.findall(text))
    assert text.count("{{") == text.count("}}")
    for path in re.findall(r"\.Values\.([A-Za-z_.]+[A-Za-z_])", text):
        part: Any = VALUES
        for name in path.split("."):
            assert name in part, f"{path} is no value"
            part = part[name]


def test_the_chart_and_the_product_have_one_version() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert f'version = "{chart["appVersion"]}"' in Path("pyproject.toml").read_text()


@pytest.mark.skipif(shutil.which("helm") is None, reason="helm is not installed: not rendered")
@pytest.mark.parametrize(
    "given",
    [
        [],
        ["proxy.enabled=true", "proxy.modelUrl=https://model", "keda.enabled=true",
         "ingress.enabled=true", "ingress.tlsSecret=tls", "web.autoscaling.enabled=false"],
    ],
)  # fmt: skip
def test_the_chart_renders(given: list[str]) -> None:
    options = [word for each in given for word in ("--set", each)]
    made = subprocess.run(
        ["helm", "template", "demo", str(CHART), *options],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    kinds = [document["kind"] for document in yaml.safe_load_all(made.stdout) if document]
    assert kinds.count("Deployment") == 5 + bool(given)
    assert {"ConfigMap", "Job", "Service", "NetworkPolicy", "PodDisruptionBudget"} <= set(kinds)
    assert ("ScaledObject" in kinds) == bool(given)
