"""`/metrics`, and the id of a request in its response."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from analysis.models import AnnotatedAnswer, Check, CheckState
from analysis.services import measuring
from analysis.services.checking import run_check
from analysis.services.trends import count_waiting, forget_counts
from inference.llm import load_client
from lib.workqueue.models import LeasedModel
from tests.answers import FixedJudge
from tests.fake_llm import serving, status, text
from watchdog_site.metrics import QUEUES

pytestmark = pytest.mark.usefixtures("db")
TOKEN = {"HTTP_AUTHORIZATION": "Bearer secret"}
Samples = dict[tuple[str, tuple[str, ...]], float]


@pytest.fixture
def scrape(client, settings) -> Callable[[], Samples]:
    """Return a function that reads /metrics as Prometheus does."""
    settings.METRICS_TOKEN = "secret"

    def read() -> Samples:
        response = client.get("/metrics", **TOKEN)
        assert response.status_code == 200
        families = text_string_to_metric_families(response.content.decode())
        return {
            (sample.name, tuple(sample.labels.values())): sample.value
            for family in families
            for sample in family.samples
        }

    return read


def test_checks_queue_and_latency_are_told(scrape, make_check) -> None:
    before = scrape()
    assert before["watchdog_checks_total", ("WARN",)] == 0
    check = make_check()
    assert scrape()["watchdog_queue_depth", ("checks",)] == 1
    assert scrape()["watchdog_queue_oldest_seconds", ("checks",)] >= 0
    assert run_check(check.pk)
    count_waiting()
    after = scrape()
    assert after["watchdog_checks_total", ("WARN",)] == 1
    assert after["watchdog_application_checks_total", ("WARN", "demo")] == 1
    assert after["watchdog_application_checks_total", ("BLOCK", "demo")] == 0
    assert after["watchdog_checks_ended_total", ("done",)] == 1
    assert after["watchdog_queue_depth", ("checks",)] == 0
    for stage in ("queue", "worker", "total"):
        assert after["watchdog_check_duration_seconds_count", (stage,)] == 1
        assert after["watchdog_check_duration_seconds_bucket", ("+Inf", stage)] == 1
    assert after["watchdog_check_duration_seconds_bucket", ("+Inf", "models")] == 0
    assert after["watchdog_check_duration_seconds_bucket", ("0.001", "worker")] == 0
    assert after["watchdog_check_duration_seconds_sum", ("models",)] == 0
    seconds = AnnotatedAnswer.objects.get().milliseconds / 1000
    worked = after["watchdog_check_duration_seconds_sum", ("worker",)]
    assert worked == pytest.approx(seconds, abs=0.001)
    assert any(name == "watchdog_model_in_use" for name, _ in after)


def test_every_queue_is_told(scrape) -> None:
    queues = {model for model in apps.get_models() if issubclass(model, LeasedModel)}
    assert set(QUEUES.values()) == queues
    figures = scrape()
    for figure in ("depth", "oldest_seconds", "abandoned"):
        assert {figures[f"watchdog_queue_{figure}", (name,)] for name in QUEUES} == {0}


def test_a_check_whose_worker_is_gone_is_told(scrape, make_check) -> None:
    check = make_check()
    past = timezone.now() - timedelta(seconds=1)
    changes = {"state": CheckState.RUNNING, "lease_until": past, "due_at": None}
    Check.objects.filter(pk=check.pk).update(**changes)
    assert scrape()["watchdog_queue_abandoned", ("checks",)] == 1
    Check.objects.filter(pk=check.pk).update(lease_until=past + timedelta(minutes=5))
    assert scrape()["watchdog_queue_abandoned", ("checks",)] == 0


def test_the_time_of_models_is_a_stage_of_its_own(scrape, checked, monkeypatch) -> None:
    monkeypatch.setattr(measuring, "judge", lambda *_: FixedJudge(0.4, 0.3, 0.3, takes=0.02))
    checked(answer="The tower is tall.", sources=["A tower was built here."])
    count_waiting()
    after = scrape()
    assert after["watchdog_check_duration_seconds_bucket", ("+Inf", "models")] == 1
    assert after["watchdog_check_duration_seconds_bucket", ("0.016", "models")] == 0


def test_a_language_model_that_judges_tells_what_it_did_and_cost(
    scrape, checked, settings, tmp_path
) -> None:
    load_client()
    settings.MODEL_DIR, settings.NLI_MODEL = tmp_path, "lexical"
    settings.JUDGE_LLM_MODEL, settings.JUDGE_LLM_SECONDS = "m", 14.0
    assert not any("judge" in name for name, _ in scrape())
    entry = {"claim": 1, "label": "contradicted", "quotations": ["Water damage is excluded."]}
    with serving([text(json.dumps({"claims": [entry]})), status(400)]) as fake:
        settings.JUDGE_LLM_URL = fake.url
        for answer in ("Water damage is covered.", "Damage by water is paid for."):
            checked(answer=answer, sources=["Water damage is excluded."])
    count_waiting()
    for _ in range(2):
        after = scrape()
        assert after["watchdog_claims_judged_total", ("llm:m",)] == 1
        assert after["watchdog_claims_judge_unavailable_total", ("llm:m",)] == 1
        assert after["watchdog_judge_calls_total", ("llm:m",)] == 2
        assert after["watchdog_judge_tokens_total", ("llm:m",)] > 100
        forget_counts()
        count_waiting()


@pytest.mark.parametrize(("token", "status_code"), [("secret", 401), ("", 404)])
def test_without_the_token_there_is_nothing(client, settings, token, status_code) -> None:
    settings.METRICS_TOKEN = token
    assert client.get("/metrics").status_code == status_code
    assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer ").status_code == status_code


@pytest.mark.parametrize("path", ["/api/v1/checks", "/api/v1/nothing"])
def test_every_response_names_its_request(api, path) -> None:
    first, second = (api.get(path)["X-Request-ID"] for _ in range(2))
    assert len(first) == 36
    assert first != second


def test_requests_are_counted_by_route_and_status(scrape, client) -> None:
    route = "api/v1/checks/<uuid:check_id>"
    before = scrape().get(("watchdog_http_requests_total", ("GET", route, "401")), 0)
    client.get("/api/v1/checks/01a1fbd0-ff46-70f3-8fe3-82892d383515")
    client.get("/no/such/page")
    client.generic("MADE-UP", "/healthz?no")
    after = scrape()
    assert after["watchdog_http_requests_total", ("GET", route, "401")] == before + 1
    assert after["watchdog_http_requests_total", ("GET", "none", "404")] >= 1
    assert after["watchdog_http_request_seconds_bucket", ("+Inf", route)] >= 1
    assert not any("01a1fbd0" in label for _, labels in after for label in labels)
    assert not any("MADE-UP" in labels for _, labels in after)


def test_requests_of_an_application_are_counted_by_status(scrape, api) -> None:
    name = "watchdog_application_requests_total"
    before = scrape()
    api.get("/api/v1/checks")
    api.get("/api/v1/checks?no")
    Client().get("/api/v1/checks", HTTP_AUTHORIZATION="Bearer wd_nobody")
    after = scrape()
    for code in ("200", "400"):
        assert after[name, ("demo", code)] == before.get((name, ("demo", code)), 0) + 1
    assert (name, ("demo", "401")) not in after


def test_web_is_ready_where_it_can_accept(client, empty_redis) -> None:
    """No worker sweeps here: what is accepted now is checked later."""
    ready = client.get("/readyz")
    assert ready.status_code == 200
    assert ready.json()["parts"]["workers"].startswith("no sweep")
    assert client.get("/readyz?all").status_code == 503
