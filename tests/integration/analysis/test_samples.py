"""Optional input of a client: samples and log-probabilities.

Also what the worker stores for later: embeddings.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from django.db import IntegrityError, transaction
from pytest_django.fixtures import Settings

from analysis.engine import PolicyRules
from analysis.models import AnnotatedAnswer, Check, CheckEmbedding
from analysis.services import checking
from analysis.services.policies import create_policy
from tests.fake_llm import Fake, Reply, serving, silence, status, text

pytestmark = pytest.mark.usefixtures("empty_redis")
ANSWER = "Refunds take 14 days."
WORDS = ["Refunds", " take", " 14", " days", "."]
LOGPROBS = [{"token": word, "logprob": -0.5, "bytes": list(word.encode())} for word in WORDS]


@pytest.fixture
def no_model(settings, tmp_path) -> None:
    settings.MODEL_DIR = tmp_path


def checked(check: Check) -> AnnotatedAnswer:
    assert checking.run_check(check.pk)
    return AnnotatedAnswer.objects.get(pk=check.pk)


def state(answer: AnnotatedAnswer, signal: str) -> dict[str, Any]:
    return answer.measurement["states"][signal]


def signals(answer: AnnotatedAnswer) -> list[dict[str, Any]]:
    return [claim.signal for claim in answer.claims.all()]


@pytest.mark.usefixtures("no_model")
class TestGiven:
    def test_nothing_given_does_not_apply_and_is_not_held_against_the_answer(
        self, make_check
    ) -> None:
        answer = checked(make_check(ANSWER, sources=[ANSWER]))
        for signal in ("consistency", "uncertainty", "citations"):
            assert state(answer, signal)["status"] == "not_applicable"
        missing = [each["signal"] for each in answer.decision["not_checked"]]
        assert missing == ["judge"], "no model is prepared here, and the result says so"
        assert answer.check_record.action == "ALLOW"

    def test_log_probabilities_are_measured_and_stored(self, make_check) -> None:
        answer = checked(make_check(ANSWER, sources=[ANSWER], token_logprobs=LOGPROBS))
        assert state(answer, "uncertainty")["status"] == "ok"
        assert state(answer, "uncertainty")["ms"] > 0
        (signal,) = signals(answer)
        assert signal["uncertainty"] == {
            "mean_entropy": None,
            "nll": 0.5,
            "max_nll": 0.5,
            "tokens": 4,
        }

    def test_log_probabilities_of_another_text_are_an_error_and_warn(self, make_check) -> None:
        answer = checked(make_check("Refunds take 15 days.", token_logprobs=LOGPROBS))
        assert state(answer, "uncertainty")["status"] == "error"
        assert "do not add up to the answer" in state(answer, "uncertainty")["reason"]
        assert answer.check_record.action == "WARN"

    def test_samples_are_compared_by_rules_where_there_is_no_model(self, make_check) -> None:
        samples = [ANSWER, "Refunds take 30 days."]
        answer = checked(make_check(ANSWER, sources=[ANSWER], samples=samples))
        (signal,) = signals(answer)
        assert signal["consistency"]["samples"] == 2
        assert 0.3 < signal["consistency"]["disagreement"] < 0.7
        assert signal["consistency"]["distance"] is None
        assert state(answer, "consistency")["status"] == "unavailable"
        assert "distance" in state(answer, "consistency")["reason"]
        assert answer.measurement["samples_drawn"] == []
        assert answer.check_record.action == "ALLOW"

    def test_citations_are_held_against_the_sources(self, make_check) -> None:
        answer = checked(make_check("Refunds take 14 days [1][4].", sources=[ANSWER]))
        (signal,) = signals(answer)
        assert (signal["cited"], signal["cited_missing"]) == ([1, 4], [4])
        assert signal["citation_span_match"] == 1.0


@pytest.mark.usefixtures("no_model")
class TestRefused:
    @pytest.mark.parametrize(
        ("fields", "field"),
        [
            ({"token_logprobs": "text"}, "token_logprobs"),
            ({"token_logprobs": [{"token": "a"}]}, "token_logprobs[0].logprob"),
            ({"token_logprobs": [*LOGPROBS, {"logprob": -1}]}, "token_logprobs[5].token"),
            ({"token_logprobs": {"content": [3]}}, "token_logprobs.content[0]"),
            (
                {"token_logprobs": [{**LOGPROBS[0], "top_logprobs": [{"token": 1}]}]},
                "token_logprobs[0].top_logprobs[0].token",
            ),
            ({"samples": "one"}, "samples"),
            ({"samples": ["one", 2]}, "samples[1]"),
            ({"samples": ["one", "   "]}, "samples[1]"),
            ({"samples": ["one"] * 21}, "samples"),
            ({"samples": ["x" * 150_000] * 14}, "samples"),
        ],
    )
    def test_another_shape_is_a_problem_that_names_the_field(self, api, fields, field) -> None:
        response = api.post("/api/v1/checks", {"answer": ANSWER, **fields}, format="json")
        assert response.status_code == 400
        assert [error["field"] for error in response.json()["errors"]] == [field]
        assert not Check.objects.exists()

    def test_a_number_that_is_no_number_is_refused(self, api) -> None:
        body = b'{"answer": "Yes.", "token_logprobs": [{"token": "a", "logprob": NaN}]}'
        response = api.post("/api/v1/checks", body, content_type="application/json")
        assert response.status_code == 400

    @pytest.mark.parametrize(
        "token_logprobs", [LOGPROBS, {"content": LOGPROBS, "refusal": None}, None]
    )
    def test_both_forms_are_kept_as_they_were_sent(self, api, token_logprobs) -> None:
        body = {"answer": ANSWER, "token_logprobs": token_logprobs}
        response = api.post("/api/v1/checks", body, format="json", headers={"prefer": "wait=0"})
        assert response.status_code == 202
        assert Check.objects.get().token_logprobs == token_logprobs


@contextmanager
def generator(settings: Settings, replies: list[Reply]) -> Iterator[Fake]:
    with serving(replies) as fake:
        settings.LLM_URL, settings.LLM_MODEL = fake.url, "fake"
        settings.LLM_DEADLINE_SECONDS = 20
        yield fake


@pytest.mark.usefixtures("no_model")
class TestDrawn:
    @pytest.fixture(autouse=True)
    def asks(self, application) -> None:
        """Make a policy that asks for three samples."""
        rules = PolicyRules(draw_samples=3).to_json()
        create_policy(application_id=application.id, rules=rules, by="test", activate=True)

    def test_samples_are_drawn_compared_and_kept(self, make_check, settings) -> None:
        with generator(settings, [text("Refunds take 30 days.")]) as fake:
            check = make_check(ANSWER, query="How long do refunds take?", sources=[ANSWER])
            answer = checked(check)
        assert len(fake.requests) == 3
        prompt = fake.requests[0]["messages"][-1]["content"]
        assert "How long do refunds take?" in prompt
        assert f"[1] {ANSWER}" in prompt
        assert answer.measurement["samples_drawn"] == ["Refunds take 30 days."] * 3
        (signal,) = signals(answer)
        assert signal["consistency"]["samples"] == 3
        assert signal["consistency"]["contradiction"] > 0.5
        check.refresh_from_db()
        assert check.samples == []

    def test_what_was_not_drawn_is_told(self, make_check, settings) -> None:
        with generator(settings, [text(ANSWER), status(503)]):
            answer = checked(make_check(ANSWER, query="How long?", sources=[ANSWER]))
        consistency = state(answer, "consistency")
        assert consistency["status"] in ("truncated", "unavailable")
        assert "2 of 3 samples were not drawn: InternalServerError" in consistency["reason"]
        assert signals(answer)[0]["consistency"]["samples"] == 1

    def test_a_generator_that_hangs_is_unavailable_by_the_deadline(
        self, make_check, settings
    ) -> None:
        with generator(settings, [silence()]):
            settings.LLM_DEADLINE_SECONDS = 0.5
            answer = checked(make_check(ANSWER, query="How long?", sources=[ANSWER]))
        consistency = state(answer, "consistency")
        assert consistency["status"] == "unavailable"
        assert "not answered within 0.5 s" in consistency["reason"]
        assert consistency["ms"] >= 500
        assert signals(answer)[0]["consistency"] is None
        assert answer.check_record.action == "ALLOW"

    def test_without_a_generator_that_is_stated(self, make_check) -> None:
        answer = checked(make_check(ANSWER, query="How long?", sources=[ANSWER]))
        assert state(answer, "consistency")["status"] == "unavailable"
        assert "LLM_URL" in state(answer, "consistency")["reason"]

    def test_without_a_question_nothing_can_be_asked_again(self, make_check) -> None:
        answer = checked(make_check(ANSWER, sources=[ANSWER]))
        assert state(answer, "consistency")["status"] == "not_applicable"
        assert "no question" in state(answer, "consistency")["reason"]

    def test_the_clients_own_samples_come_first(self, make_check, settings) -> None:
        with generator(settings, [text("never asked")]) as fake:
            answer = checked(make_check(ANSWER, query="How long?", samples=[ANSWER]))
        assert fake.requests == []
        assert answer.measurement["samples_drawn"] == []


@pytest.mark.usefixtures("no_model")
class TestDrawnOnlyByPolicy:
    def test_a_policy_may_require_agreement(self, application, make_check) -> None:
        required = (*PolicyRules().required_signals, "consistency")
        rules = PolicyRules(draw_samples=2, required_signals=required).to_json()
        create_policy(application_id=application.id, rules=rules, by="test", activate=True)
        answer = checked(make_check(ANSWER, query="How long?", sources=[ANSWER]))
        assert answer.check_record.action == "WARN"
        decided = [reason["code"] for reason in answer.decision["reasons"] if reason["decided"]]
        assert decided == ["not_checked_consistency"]

    def test_by_default_no_generator_is_asked(self, make_check, settings) -> None:
        with generator(settings, [text("never asked")]) as fake:
            answer = checked(make_check(ANSWER, query="How long?", sources=[ANSWER]))
        assert fake.requests == []
        assert state(answer, "consistency")["status"] == "not_applicable"


@pytest.mark.timeout(600)
class TestEmbeddings:
    @pytest.mark.usefixtures("embedding_model")
    def test_question_and_answer_are_stored_with_the_result(self, make_check) -> None:
        first = make_check(ANSWER, query="How long do refunds take?")
        second = make_check("A refund takes two weeks.", query="")
        checked(first)
        checked(second)
        check_embedding = CheckEmbedding.objects.get(pk=first.pk)
        assert check_embedding.model.startswith("all-MiniLM-L6-v2@")
        assert (check_embedding.truncated, check_embedding.reason) == (False, "")
        vector = np.array(check_embedding.answer)
        assert vector.shape == (384,)
        assert abs(float(vector @ vector) - 1) < 0.01
        other = CheckEmbedding.objects.get(pk=second.pk)
        assert other.query is None
        assert float(vector @ np.array(other.answer)) > 0.6
        assert float(vector @ np.array(check_embedding.query)) > 0.6

    @pytest.mark.usefixtures("embedding_model")
    def test_a_text_that_is_read_in_part_is_marked(self, make_check) -> None:
        check = make_check(ANSWER * 100)
        checked(check)
        assert CheckEmbedding.objects.get(pk=check.pk).truncated

    @pytest.mark.usefixtures("embedding_model")
    def test_samples_have_a_distance(self, make_check) -> None:
        samples = [ANSWER, "Refunds take 14 days, says the shop."]
        answer = checked(make_check(ANSWER, samples=samples))
        (signal,) = signals(answer)
        assert 0 <= signal["consistency"]["distance"] < 0.3
        assert state(answer, "consistency")["status"] == "ok"
        assert " + all-MiniLM-L6-v2@" in state(answer, "consistency")["model"]

    @pytest.mark.usefixtures("no_model")
    def test_a_model_that_is_missing_is_stated(self, make_check) -> None:
        check = make_check(ANSWER)
        checked(check)
        check_embedding = CheckEmbedding.objects.get(pk=check.pk)
        assert (check_embedding.model, check_embedding.query, check_embedding.answer) == (
            "",
            None,
            None,
        )
        assert "No model is prepared" in check_embedding.reason

    @pytest.mark.parametrize(
        "wrong",
        [
            {"model": "m"},
            {"reason": "why", "answer": [0.0] * 384},
            {"reason": "why", "truncated": True},
            {},
        ],
    )
    def test_the_database_refuses_half_a_row(self, make_check, wrong) -> None:
        check = make_check(ANSWER)
        with pytest.raises(IntegrityError), transaction.atomic():
            CheckEmbedding.objects.create(check_record=check, **wrong)
