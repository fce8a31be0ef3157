"""Deployment: docker-compose.yml, the Helm chart, alerts, and the release workflow."""

import copy
import json
import re
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from proxy.settings import Settings
from tests import compose, helm, kubernetes
from tests.commands import program, python
from tests.tables import tables
from tests.unit.watchdog_site.test_settings import named
from watchdog_site import celery_config

OWN = {"WEB_BIND", "WEB_PORT", "HTTPS", "INTERNAL_HOSTS", "ALLOWED_HOSTS"}
"""Compose adds to these, or they mean the port of the host."""
NEEDED = {"SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD", "ALLOWED_HOSTS"}
PRODUCT = ["migrate", "web", "worker", "beat"]
DOTENV = {name: f"value of {name}" for name in named() | NEEDED}


@pytest.mark.parametrize("service", PRODUCT)
def test_each_setting_reaches_each_process(service) -> None:
    variables = compose.variables(service, DOTENV)
    assert {name for name in named() - OWN if variables.get(name) != DOTENV[name]} == set()
    assert variables["ALLOWED_HOSTS"] == f"{DOTENV['ALLOWED_HOSTS']},localhost"
    assert variables["INTERNAL_HOSTS"] == f"web,{DOTENV['INTERNAL_HOSTS']}"


def test_without_more_than_what_is_needed() -> None:
    variables = compose.variables("web", dict.fromkeys(NEEDED, "x"))
    assert variables["DATABASE_URL"] == "postgres://watchdog:x@postgres:5432/watchdog"
    assert variables["REDIS_URL"] == "redis://:x@redis:6379/0"
    assert (variables["HTTPS"], variables["TRUSTED_PROXIES"]) == ("true", "1")


@pytest.mark.parametrize("name", sorted(NEEDED))
def test_what_is_needed_is_asked_for(name) -> None:
    with pytest.raises(KeyError, match=name):
        compose.variables("web", dict.fromkeys(NEEDED - {name}, "x"))


def test_the_proxy_gets_all_its_settings_and_no_secret_of_the_product() -> None:
    own = {f"PROXY_{name.upper()}" for name in Settings.model_fields}
    dotenv = {**DOTENV, **{name: f"value of {name}" for name in own}}
    variables = compose.variables("proxy", dotenv)
    # The container's address is its own; PROXY_PORT is the host's.
    assert {name for name in own if variables.get(name) != dotenv[name]} == {
        "PROXY_HOST",
        "PROXY_PORT",
    }
    assert not {"SECRET_KEY", "DATABASE_URL", "POSTGRES_PASSWORD"} & set(variables)


@pytest.mark.parametrize("service", sorted(compose.SERVICES))
def test_each_service_is_bounded(service) -> None:
    definition = compose.SERVICES[service]
    assert definition["mem_limit"]
    assert definition["logging"]["options"]["max-size"] == "10m"
    assert definition["security_opt"] == ["no-new-privileges:true"]


def test_files_that_are_mounted_are_there() -> None:
    for definition in compose.SERVICES.values():
        for volume in definition.get("volumes", []):
            source = volume.split(":")[0]
            assert source in compose.FILE["volumes"] or Path(source).exists(), volume


def test_each_image_that_is_built_is_a_target_of_the_dockerfile() -> None:
    stages = re.findall(r"(?m)^FROM \w+ AS ([\w-]+)$", Path("Dockerfile").read_text())
    built = {d["build"]["target"] for d in compose.SERVICES.values() if "build" in d}
    assert built == {"web", "worker", "proxy"}
    assert built <= set(stages)


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
def test_wrong_values_are_refused(path, value) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(changed(path, value), SCHEMA)


def test_every_queue_has_a_worker() -> None:
    served = [queue for worker in VALUES["workers"].values() for queue in worker["queues"]]
    assert sorted(served) == sorted(queue.name for queue in celery_config.task_queues)


def test_every_setting_is_known() -> None:
    page = Path("docs/reference/settings.md").read_text()
    assert [name for name in VALUES["settings"] if f"`{name}`" not in page] == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_templates_read_values_that_there_are(template) -> None:
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
EVERYTHING = tables(__file__)["every value"]
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
def test_the_chart_renders(given) -> None:
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
def test_kubernetes_accepts_what_is_rendered(given, version) -> None:
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
def test_prometheus_takes_the_files(tmp_path) -> None:
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


FILE = Path("deploy/workflows/release.yml")
WORKFLOW = yaml.safe_load(FILE.read_text())
JOBS: dict[str, Any] = WORKFLOW["jobs"]


def commands(job: str) -> str:
    """Return all that a job runs."""
    return "\n".join(step.get("run", "") for step in JOBS[job]["steps"])


def test_it_is_a_workflow() -> None:
    python("-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", FILE)


def test_a_tag_of_this_version_starts_it() -> None:
    assert WORKFLOW[True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads `on` as true
    assert 'test "v$version" = "$GITHUB_REF_NAME"' in commands("version")
    assert all(name == "version" or "version" in JOBS[name]["needs"] for name in JOBS)


def test_each_image_is_a_stage_of_the_dockerfile() -> None:
    stages = set(re.findall(r"^FROM \S+ AS (\S+)$", Path("Dockerfile").read_text(), re.MULTILINE))
    targets = JOBS["images"]["strategy"]["matrix"]["target"]
    assert targets == ["web", "worker", "proxy"]
    assert set(targets) <= stages
    (build,) = [step["with"] for step in JOBS["images"]["steps"] if step.get("id") == "build"]
    assert (build["push"], build["sbom"]) == (True, True)
    assert "watchdog-${{ matrix.target }}:" in build["tags"]  # as values.yaml puts names together


@pytest.mark.parametrize("job", [name for name in JOBS if name != "version"])
def test_what_is_published_is_signed_by_the_identity_of_the_workflow(job) -> None:
    assert JOBS[job]["permissions"]["id-token"] == "write"
    signs = "cosign sign" in commands(job) or "--provenance" in commands(job)
    attests = any(step.get("with", {}).get("attestations") for step in JOBS[job]["steps"])
    assert signs or attests
    assert "secrets." not in json.dumps(JOBS[job])


def test_what_the_jobs_name_is_there() -> None:
    paths = ("deploy/helm/watchdog", "clients/python", "docs/reference/third-party-notices.md")
    everything = "\n".join(map(commands, JOBS))
    assert all(path in everything and Path(path).exists() for path in paths)
    assert Path(JOBS["typescript-client"]["defaults"]["run"]["working-directory"]).is_dir()
    makefile = Path("Makefile").read_text()
    assert all(f"\n{name}:" in makefile for name in re.findall(r"^make (\S+)", everything, re.M))
