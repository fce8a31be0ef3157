"""Checks that name collections of a class and subject: a question of another one is refused."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import Application
from analysis.models import AnnotatedAnswer, Check
from analysis.services.checking import run_check
from desk.verdict_page.links import Link, sign
from documents.models import Collection, Document
from documents.services.collections import create_collection
from tests.commands import run
from tests.shapes import MakeCheck
from tests.unit.documents.parsing.parsing_files import pdf

pytestmark = pytest.mark.usefixtures("empty_redis")
Put = Callable[..., Document]
ANSWER = "Crane operation stops when the wind reaches 38 km/h."
QUESTION = "When does crane operation stop because of the wind?"


@pytest.fixture
def scoped(collection: Collection, put: Put) -> Collection:
    """Return the handbook as the material of class 10 Physics."""
    Collection.objects.filter(pk=collection.pk).update(class_number=10, subject="Physics")
    put()
    return collection


def decision_of(check: Check) -> dict[str, Any]:
    assert run_check(check.pk)
    return AnnotatedAnswer.objects.get(pk=check.pk).decision


@pytest.mark.parametrize(
    ("query", "scope"),
    [
        (f"{QUESTION} This is for class 12.", {}),
        (f"In history, {QUESTION}", {}),
        (QUESTION, {"class_number": 9}),
        (QUESTION, {"subject": "Chemistry"}),
    ],
)
@pytest.mark.usefixtures("scoped")
def test_a_question_of_another_class_or_subject_is_refused(
    make_check: MakeCheck, query: str, scope: dict[str, Any]
) -> None:
    check = make_check(ANSWER, query=query, scope=scope, collections=["handbook"])
    decision = decision_of(check)
    assert decision["action"] == "BLOCK"
    assert decision["safety"]["rejection_reason"] == "off_topic"
    assert "topic_relevance" in decision["safety"]["failed_checks"]
    assert "outside the class 10 Physics material" in decision["safety"]["explanation"]
    refusal = "I don't know based on the class 10 Physics material."
    assert decision["final_response"] == refusal
    assert "1 decisions match their policy" in run("verify_decisions")


@pytest.mark.usefixtures("scoped")
def test_evidence_has_the_scores_of_the_search_and_a_citation_to_nothing_is_invalid(
    api: APIClient, make_check: MakeCheck
) -> None:
    check = make_check(f"{ANSWER} [99]", query=QUESTION, collections=["handbook"])
    decision = decision_of(check)
    assert decision["safety"]["rejection_reason"] == "invalid_citations"
    assert "[99]" not in decision["final_response"]
    document = api.get(f"/api/v1/checks/{check.pk}").json()
    evidence = document["claims"][0]["evidence"]
    assert evidence
    assert all(0 < passage["score_dense"] <= 1 for passage in evidence)
    assert all(0 < passage["score_hybrid"] <= 1 for passage in evidence)


@pytest.mark.parametrize("scope", [{}, {"class_number": 10, "subject": "physics"}])
@pytest.mark.usefixtures("scoped")
def test_a_question_within_is_answered(make_check: MakeCheck, scope: dict[str, Any]) -> None:
    decision = decision_of(
        make_check(ANSWER, query=QUESTION, scope=scope, collections=["handbook"])
    )
    assert "topic_relevance" in decision["safety"]["passed_checks"]
    assert decision["action"] != "BLOCK"


@pytest.mark.usefixtures("scoped")
def test_only_collections_of_the_scope_that_was_asked_for_are_searched(
    application: Application, make_check: MakeCheck
) -> None:
    create_collection(application=application, name="empty", by="test", class_number=12)
    check = make_check(
        ANSWER, query=QUESTION, scope={"class_number": 12}, collections=["handbook", "empty"]
    )
    decision = decision_of(check)
    assert decision["safety"]["rejection_reason"] == "insufficient_context"


@pytest.mark.parametrize(
    "scope",
    [{"class_number": "ten"}, {"class_number": 101}, {"class_number": True}, {"subject": 3}],
)
def test_a_scope_of_wrong_types_is_refused(api: APIClient, scope: dict[str, Any]) -> None:
    response = api.post("/api/v1/checks", {"answer": ANSWER, "scope": scope}, format="json")
    assert response.status_code == 400
    (error,) = response.json()["errors"]
    assert error["field"].startswith("scope")


CRANES = "Crane operation stops when the wind reaches 38 km/h."


def test_the_view_names_file_and_page_of_the_passage(
    put: Callable[..., Document], collection: Collection, checked: MakeCheck
) -> None:
    put(pdf("", CRANES), "site.pdf")
    check = checked(
        "Crane operation stops when the wind reaches 60 km/h.", collections=[collection.name]
    )
    end = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=60)
    path = f"/view/{sign(Link(check.application_id, check.pk, end))}"
    page = Client().get(path).content.decode()
    assert "site.pdf, page 2, passage" in page
    assert '<mark class="wd-against">38' in page
