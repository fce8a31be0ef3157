"""The Helm chart: its values, what its templates ask of them, and rendered where helm is."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests import helm, kubernetes
from tests.commands import program
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
        ("proxy.settings", {"SECRET_KEY": "x"}),
        ("settings.METRICS_TOKEN", "in the open"),
        ("extraEnv", [{"value": "x"}]),
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


HELM = helm.program()
EVERYTHING = [
    "proxy.enabled=true",
    "proxy.modelUrl=https://model",
    "keda.enabled=true",
    "ingress.enabled=true",
    "ingress.tlsSecret=tls",
    "web.autoscaling.enabled=false",
    "settings.INTERNAL_HOSTS=other",
    "networkPolicy.callers[0].namespaceSelector.matchLabels.name=edge",
    "proxy.ingress.enabled=true",
    "proxy.settings.PROXY_FAIL=open",
    "serviceMonitor.enabled=true",
    "serviceMonitor.labels.release=prometheus",
    "trustedCA=company-ca",
    "podAnnotations.team=llm",
    "podLabels.team=llm",
    "nodeSelector.pool=cpu",
    "tolerations[0].operator=Exists",
    "affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight=1",
    "affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference"
    ".matchExpressions[0].key=pool",
    "affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference"
    ".matchExpressions[0].operator=Exists",
    "priorityClassName=high",
    "extraEnv[0].name=HTTPS_PROXY",
    "extraEnv[0].value=http://outward:3128",
    "extraVolumes[0].name=more",
    "extraVolumes[0].secret.secretName=more",
    "extraVolumeMounts[0].name=more",
    "extraVolumeMounts[0].mountPath=/more",
]
needs_helm = pytest.mark.skipif(
    HELM is None, reason="helm is not installed (`python -m tests.helm` fetches it): not rendered"
)


def rendered(given: list[str]) -> list[dict[str, Any]]:
    """Return the objects that the chart renders of these values."""
    options = [word for each in given for word in ("--set", each)]
    made = program(HELM, "template", "demo", CHART, *options)
    return [document for document in yaml.safe_load_all(made) if document]


def pods_of(documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [d["spec"]["template"] for d in documents if d["kind"] in ("Deployment", "Job")]


def one(documents: list[dict[str, Any]], kind: str, name: str) -> dict[str, Any]:
    (found,) = [d for d in documents if (d["kind"], d["metadata"]["name"]) == (kind, name)]
    return found


@needs_helm
def test_helm_finds_nothing_wrong() -> None:
    program(HELM, "lint", "--strict", CHART)


@needs_helm
@pytest.mark.parametrize("given", [[], EVERYTHING], ids=["default", "everything"])
def test_the_chart_renders(given: list[str]) -> None:
    documents = rendered(given)
    kinds = [document["kind"] for document in documents]
    assert kinds.count("Deployment") == 5 + bool(given)
    assert {"ConfigMap", "Job", "Service", "NetworkPolicy", "PodDisruptionBudget"} <= set(kinds)
    assert ("ScaledObject" in kinds) == bool(given)
    for document in documents:
        assert set(document["metadata"]) <= {"name", "labels", "annotations"}


@needs_helm
def test_the_proxy_reaches_web_inside_the_cluster() -> None:
    documents = rendered(EVERYTHING)
    container = one(documents, "Deployment", "demo-proxy")["spec"]["template"]["spec"]["containers"]
    environment = {each["name"]: each["value"] for each in container[0]["env"]}
    assert environment["PROXY_WATCHDOG_URL"] == "http://demo-web"
    assert environment["PROXY_FAIL"] == "open"
    assert "envFrom" not in container[0], "no secret of the product"
    assert one(documents, "Service", "demo-web")["spec"]["ports"][0]["port"] == 80
    settings = one(documents, "ConfigMap", "demo-settings")["data"]
    assert settings["INTERNAL_HOSTS"] == "demo-web,other"
    served = one(documents, "NetworkPolicy", "demo-served")["spec"]["ingress"][0]["from"]
    peers = [peer.get("podSelector", {}).get("matchLabels", {}) for peer in served]
    assert "proxy" in [labels.get("app.kubernetes.io/component") for labels in peers]
    assert {"namespaceSelector": {"matchLabels": {"name": "edge"}}} in served


@needs_helm
def test_every_pod_has_what_an_operator_adds() -> None:
    pods = pods_of(rendered(EVERYTHING))
    assert len(pods) == 7
    for pod in pods:
        assert pod["metadata"]["labels"]["team"] == pod["metadata"]["annotations"]["team"] == "llm"
        assert pod["spec"]["nodeSelector"] == {"pool": "cpu"}
        assert pod["spec"]["tolerations"] == [{"operator": "Exists"}]
        assert pod["spec"]["priorityClassName"] == "high"
        assert pod["spec"]["affinity"]
        container = pod["spec"]["containers"][0]
        environment = {each["name"]: each.get("value") for each in container["env"]}
        assert environment["HTTPS_PROXY"] == "http://outward:3128"
        mounts = {each["name"]: each["mountPath"] for each in container["volumeMounts"]}
        assert mounts["more"] == "/more"
        assert environment["SSL_CERT_FILE"].startswith(mounts["trusted-ca"])
        assert {each["name"] for each in pod["spec"]["volumes"]} == set(mounts)


@needs_helm
def test_prometheus_reads_each_web_pod_and_has_the_alerts() -> None:
    documents = rendered(EVERYTHING)
    monitor = one(documents, "ServiceMonitor", "demo")
    service = one(documents, "Service", "demo-web")
    selected = monitor["spec"]["selector"]["matchLabels"].items()
    assert selected <= service["metadata"]["labels"].items()
    assert monitor["spec"]["endpoints"][0]["port"] == service["spec"]["ports"][0]["name"]
    assert monitor["metadata"]["labels"]["release"] == "prometheus"
    rules = one(documents, "PrometheusRule", "demo")["spec"]
    assert rules == yaml.safe_load((CHART / "alerts.yml").read_text())
    web = one(documents, "Deployment", "demo-web")["spec"]["template"]["spec"]["containers"][0]
    names = [each["name"] for each in web["env"]]
    assert names.index("POD_IP") < names.index("INTERNAL_HOSTS"), "or it is not put in"
    (hosts,) = [each["value"] for each in web["env"] if each["name"] == "INTERNAL_HOSTS"]
    assert hosts == "$(POD_IP),demo-web,other"


@needs_helm
def test_each_image_is_a_target_of_the_dockerfile() -> None:
    pods = pods_of(rendered(EVERYTHING))
    images = {pod["spec"]["containers"][0]["image"].rpartition(":")[0] for pod in pods}
    targets = {image.removeprefix("watchdog-") for image in images}
    assert targets == {"web", "worker", "proxy"}
    assert targets <= set(re.findall(r"(?m)^FROM \w+ AS (\w+)$", Path("Dockerfile").read_text()))


needs_schemas = pytest.mark.skipif(
    HELM is None or not kubernetes.KEPT.exists(),
    reason="`python -m tests.helm` fetches helm and Kubernetes' schemas",
)
_OF_OPERATORS = {"ScaledObject", "ServiceMonitor", "PrometheusRule"}


@needs_schemas
@pytest.mark.parametrize("version", kubernetes.VERSIONS)
@pytest.mark.parametrize("given", [[], EVERYTHING], ids=["default", "everything"])
def test_kubernetes_accepts_what_is_rendered(given: list[str], version: str) -> None:
    documents = [document for document in rendered(given) if document["kind"] not in _OF_OPERATORS]
    assert {d["metadata"]["name"]: kubernetes.faults(d, version) for d in documents} == {
        document["metadata"]["name"]: [] for document in documents
    }


@needs_schemas
def test_a_field_that_kubernetes_does_not_know_is_refused() -> None:
    (service,) = [d for d in rendered([]) if d["kind"] == "Service"]
    service["spec"]["port"] = 80
    (fault,) = kubernetes.faults(service, kubernetes.VERSIONS[-1])
    assert "'port' was unexpected" in fault


def test_the_oldest_kubernetes_is_the_one_that_is_tried() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert chart["kubeVersion"] == f">={kubernetes.VERSIONS[0]}.0-0"
