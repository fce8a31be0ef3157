"""`/api/v1/checks` without a worker: what is accepted, refused, kept and shown."""

import pytest
from pytest_django.asserts import assertNumQueries
from rest_framework.test import APIClient

from analysis.models import Check
from analysis.services.checking import run_check
from audit.models import Event, TrailEntry
from documents.services.collections import create_collection
from tests.conftest import SSN_ANSWER, SSN_QUESTION
from tests.shapes import problem

pytestmark = pytest.mark.usefixtures("empty_redis")
CHECKS = "/api/v1/checks"
NOW = {"HTTP_PREFER": "respond-async"}


def submit(api: APIClient, body: object, **headers: str):
    return api.post(CHECKS, body, format="json", **(NOW | headers))


def test_an_answer_is_accepted_with_202_and_where_to_look(api) -> None:
    response = submit(api, {"query": SSN_QUESTION, "answer": SSN_ANSWER})
    assert response.status_code == 202
    assert response["Location"] == f"{CHECKS}/{response.json()['id']}"
    assert response.json()["state"] == "queued"
    assert response.json()["action"] is None
    assert TrailEntry.objects.filter(event=Event.CHECK_SUBMITTED).count() == 1


def test_everything_submitted_is_kept_as_it_was_sent(api, application) -> None:
    create_collection(application=application, name="handbook", by="test")
    body = {
        "query": " why? ",
        "answer": "  Ünïcode 😀 answer, not trimmed. \n",
        "sources": [
            "plain",
            {"id": "s", "text": "t", "title": "T", "uri": "https://x"},
            {"id": "r", "title": "R", "record": {"long key": [1, None, {"b": 2.5}], "a": "é"}},
            {"record": [{"city": "Lyon"}, ["x"]]},
        ],
        "collections": ["handbook"],
        "scope": {"class": 10, "subject": "Mathematics"},
        "source_model": "gpt-x",
        "metadata": {"ticket": [1, None, True]},
        "samples": ["another answer"],
        "token_logprobs": [{"token": "a", "logprob": -0.5}],
    }
    check = Check.objects.get(pk=submit(api, body).json()["id"])
    assert {name: getattr(check, name) for name in body} == body


def test_the_verdict_explains_itself(api) -> None:
    body = submit(api, {"query": SSN_QUESTION, "answer": SSN_ANSWER}).json()
    assert run_check(Check.objects.get().pk)
    document = api.get(f"{CHECKS}/{body['id']}").json()
    assert (document["state"], document["action"]) == ("done", "WARN")
    assert (document["risk_score"], document["risk_level"]) == (35, "MEDIUM")
    assert [c["text"] for c in document["claims"]] == [
        "SSN College definitely closed in 2026",
        "merged with SNU",
    ]
    assert sum(reason["decided"] for reason in document["reasons"]) == 1
    for claim in document["claims"]:
        start, end = claim["answer_char_span"]
        assert SSN_ANSWER[start:end] == claim["text"]


INN = {
    "name": "The Blue Inn",
    "attributes": {"OutdoorSeating": False, "WiFi": "free"},
    "menu": [{"dish": "Lentil soup", "price": 7}, {"dish": "Grilled trout", "price": 19}],
}


def test_a_record_is_read_by_its_key_paths_and_evidence_points_back(api) -> None:
    answer = "The Blue Inn has outdoor seating. The price of the grilled trout is 19."
    record = {"id": "yelp_1", "title": "The Blue Inn", "record": INN}
    body = submit(api, {"answer": answer, "sources": [record]}).json()
    assert run_check(Check.objects.get().pk)
    document = api.get(f"{CHECKS}/{body['id']}").json()
    status_and_path = {
        claim["text"]: (claim["status"], claim["primary_evidence"]["path"])
        for claim in document["claims"]
    }
    assert status_and_path == {
        "The Blue Inn has outdoor seating": ("Contradictory", "attributes"),
        "The price of the grilled trout is 19": ("Supported", "menu.1"),
    }
    evidence = document["claims"][1]["primary_evidence"]
    assert (evidence["doc_id"], evidence["source"]) == ("yelp_1", "The Blue Inn")
    assert evidence["text"] == "menu: dish: Grilled trout, price: 19."


def test_utf16_offsets_count_as_browsers_do(api) -> None:
    answer = "😀😀 The tower was built in 1889."
    body = submit(api, {"answer": answer}).json()
    run_check(Check.objects.get().pk)
    claim = api.get(f"{CHECKS}/{body['id']}").json()["claims"][0]
    start, end = claim["answer_utf16_span"]
    assert answer.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le") == claim["text"]
    assert claim["answer_char_span"] != claim["answer_utf16_span"]


DEEP: object = 1
for _ in range(40):
    DEEP = {"in": DEEP}
BAD = {
    "empty answer": ({"answer": ""}, "answer"),
    "blank answer": ({"answer": " \n\t "}, "answer"),
    "missing answer": ({"query": "q"}, "answer"),
    "null answer": ({"answer": None}, "answer"),
    "number": ({"answer": 12}, "answer"),
    "list": ({"answer": ["a"]}, "answer"),
    "too long": ({"answer": "a" * 200_001}, "answer"),
    "NUL": ({"answer": "a\x00b"}, "answer"),
    "NUL deep in metadata": ({"answer": "a", "metadata": {"k": [{"x": "\x00"}]}}, "metadata"),
    "sources a string": ({"answer": "a", "sources": "text"}, "sources"),
    "source a number": ({"answer": "a", "sources": ["ok", 5]}, "sources[1]"),
    "source without text": ({"answer": "a", "sources": [{"id": "x"}]}, "sources[0].text"),
    "source with unknown member": ({"answer": "a", "sources": [{"txt": "x"}]}, "sources[0]"),
    "record a string": ({"answer": "a", "sources": [{"record": "{}"}]}, "sources[0].record"),
    "record of plain values": ({"answer": "a", "sources": [{"record": [1]}]}, "sources[0].record"),
    "empty record": ({"answer": "a", "sources": [{"record": {}}]}, "sources[0].record"),
    "text and record": (
        {"answer": "a", "sources": [{"text": "t", "record": {"a": 1}}]},
        "sources[0].record",
    ),
    "record too deep": ({"answer": "a", "sources": ["x", {"record": DEEP}]}, "sources[1].record"),
    "record of too many values": (
        {"answer": "a", "sources": [{"record": {"a": [1] * 20_000}}]},
        "sources[0].record",
    ),
    "record too large": (
        {"answer": "a", "sources": [{"record": {"a": "x" * 2_000_000}}]},
        "sources",
    ),
    "NUL in a record": ({"answer": "a", "sources": [{"record": {"a\x00": 1}}]}, "sources"),
    "sources too large": ({"answer": "a", "sources": ["x" * 1_000_001] * 2}, "sources"),
    "unknown field": ({"answer": "a", "source": ["x"]}, "source"),
    "metadata a list": ({"answer": "a", "metadata": []}, "metadata"),
    "too much metadata": ({"answer": "a", "metadata": {"k": "v" * 20_000}}, "metadata"),
    "not an object": (["answer"], ""),
}


@pytest.mark.parametrize(("body", "field"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_a_problem_naming_the_field(api, body, field) -> None:
    response = submit(api, body)
    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == 400
    assert problem["detail"]
    assert field in [error["field"] for error in problem["errors"]]
    assert not Check.objects.exists()


RAW = {
    "half a surrogate pair": (rb'{"answer": "a\ud800"}', "invalid"),
    "not JSON": (b"{answer}", "parse_error"),
    "truncated": (b'{"answer": "a', "parse_error"),
    "not UTF-8": (b'{"answer": "\xff\xfe"}', "parse_error"),
    "NaN": (b'{"answer": "a", "metadata": {"x": NaN}}', "parse_error"),
    "infinity": (b'{"answer": "a", "metadata": {"x": 1e999}}', "invalid"),
    "infinity in a record": (b'{"answer": "a", "sources": [{"record": {"x": -1e999}}]}', "invalid"),
    "nested too deeply": (b'{"answer": "a", "metadata": ' + b"[" * 100_000, "parse_error"),
    "huge integer": (b'{"answer": "a", "metadata": {"x": ' + b"9" * 10_000 + b"}}", "parse_error"),
    "empty body": (b"", "invalid"),
    "larger than any check": (b" " * 16_000_001, "body_too_large"),
}


@pytest.mark.parametrize(("body", "code"), RAW.values(), ids=RAW.keys())
def test_a_body_that_cannot_be_read_is_a_problem(api, body, code) -> None:
    response = api.post(CHECKS, body, content_type="application/json", **NOW)
    assert problem(response) == (413 if code == "body_too_large" else 400, code)
    assert response["Content-Type"] == "application/problem+json"
    assert not Check.objects.exists()


def test_another_content_type_is_refused(api) -> None:
    response = api.post(CHECKS, b"answer=a", content_type="application/x-www-form-urlencoded")
    assert response.status_code == 415
    assert response["Content-Type"] == "application/problem+json"


def test_the_longest_answer_allowed_is_accepted(api) -> None:
    assert submit(api, {"answer": "a" * 200_000}).status_code == 202


class TestIdempotency:
    KEY = {"HTTP_IDEMPOTENCY_KEY": "k-1"}

    def test_the_same_key_and_body_give_the_same_check(self, api) -> None:
        first = submit(api, {"answer": "An answer."}, **self.KEY)
        second = submit(api, {"answer": "An answer."}, **self.KEY)
        assert second.json()["id"] == first.json()["id"]
        assert second["Idempotent-Replayed"] == "true"
        assert "Idempotent-Replayed" not in first
        assert Check.objects.count() == 1

    def test_the_same_key_with_another_body_is_a_conflict(self, api) -> None:
        submit(api, {"answer": "An answer."}, **self.KEY)
        response = submit(api, {"answer": "Another answer."}, **self.KEY)
        assert response.status_code == 409
        assert "Idempotency-Key" in response.json()["detail"]
        assert Check.objects.count() == 1

    def test_a_refused_request_does_not_use_the_key_up(self, api) -> None:
        assert submit(api, {"answer": ""}, **self.KEY).status_code == 400
        assert submit(api, {"answer": "An answer."}, **self.KEY).status_code == 202

    def test_keys_of_two_applications_are_apart(self, api, other_application, client_with) -> None:
        first = submit(api, {"answer": "An answer."}, **self.KEY)
        second = submit(client_with(other_application), {"answer": "An answer."}, **self.KEY)
        assert first.json()["id"] != second.json()["id"]

    @pytest.mark.parametrize("key", ["", "x" * 256])
    def test_a_malformed_key_is_refused(self, api, key) -> None:
        response = submit(api, {"answer": "An answer."}, HTTP_IDEMPOTENCY_KEY=key)
        assert response.status_code == 400
        assert response.json()["errors"][0]["field"] == "Idempotency-Key"


class TestList:
    def test_pages_by_cursor_newest_first_and_loses_none(self, api) -> None:
        ids = [submit(api, {"answer": f"Answer {n}."}).json()["id"] for n in range(7)]
        page = api.get(CHECKS, {"page_size": 3}).json()
        listed_ids = [c["id"] for c in page["results"]]
        while page["next"]:
            submit(api, {"answer": "One more, in between."})
            page = api.get(page["next"]).json()
            listed_ids += [c["id"] for c in page["results"]]
        assert listed_ids == ids[::-1]

    def test_filters(self, api, other_application) -> None:
        for answer in ("Hello!", SSN_ANSWER):
            submit(api, {"answer": answer})
        for check in Check.objects.all():
            run_check(check.pk)
        submit(api, {"answer": "Still waiting."})
        assert len(api.get(CHECKS).json()["results"]) == 3
        for query in ({"action": "WARN"}, {"risk_level": "MEDIUM"}, {"state": "queued"}):
            assert len(api.get(CHECKS, query).json()["results"]) == 1, query
        assert not api.get(CHECKS, {"created_before": "2020-01-01T00:00:00Z"}).json()["results"]

    @pytest.mark.parametrize("query", [{"action": "MAYBE"}, {"created_after": "yesterday"}])
    def test_a_wrong_filter_is_a_problem(self, api, query) -> None:
        response = api.get(CHECKS, query)
        assert response.status_code == 400
        assert response.json()["errors"][0]["field"] == next(iter(query))

    @pytest.mark.parametrize("rows", [1, 20])
    def test_a_page_costs_two_queries(self, api, rows) -> None:
        for n in range(rows):
            submit(api, {"answer": f"Answer {n}."})
        api.get(CHECKS)  # the key's last use is noted once a minute, by a third query
        with assertNumQueries(2):  # the key with its application; the page
            api.get(CHECKS)


def test_one_check_costs_two_queries(api) -> None:
    check_id = submit(api, {"answer": SSN_ANSWER}).json()["id"]
    run_check(Check.objects.get().pk)
    with assertNumQueries(2):  # the key with its application; the check with its result
        api.get(f"{CHECKS}/{check_id}")
