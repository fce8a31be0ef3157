"""`/api/v1/managers` and what is remembered for them."""

import pytest
from pytest_django.asserts import assertNumQueries
from rest_framework.test import APIClient

from memory.models import Manager, MemoryEntry
from memory.services import remember

LIMIT = "The scaffold wind limit is 25 km/h."


def place(manager: Manager, rest: str = "") -> str:
    return f"/api/v1/managers/{manager.pk}/memory{rest}"


def say(api: APIClient, manager: Manager, statement: str):
    return api.post(place(manager), {"statement": statement, "source": "t1"}, format="json").json()


def test_from_a_manager_to_a_remembered_fact(api) -> None:
    response = api.post("/api/v1/managers", {"name": "Ann"}, format="json")
    assert response.status_code == 201
    assert api.post("/api/v1/managers", {"name": "Ann"}, format="json").status_code == 409
    assert [row["name"] for row in api.get("/api/v1/managers").json()["results"]] == ["Ann"]
    ann = Manager.objects.get(pk=response.json()["id"])
    first = say(api, ann, LIMIT)["facts"][0]
    second = say(api, ann, "The scaffold wind limit is now 30 km/h.")["facts"][0]
    assert (first["status"], second["status"]) == ("written", "superseded")
    (row,) = api.get(place(ann)).json()["results"]
    assert (row["id"], row["target"], row["source"]) == (second["entry_id"], "company", "t1")
    assert row["came_from"].startswith("stated by Ann on ")
    assert len(api.get(place(ann, "?history=true")).json()["results"]) == 2
    body = {"question": "When do scaffolds stop?"}
    best = api.post(place(ann, "/recall"), body, format="json").json()["results"][0]
    assert best["entry_id"] == second["entry_id"]
    entry = place(ann, f"/{second['entry_id']}")
    older = place(ann, f"/{first['entry_id']}")
    assert api.post(f"{older}/undo").status_code == 409
    assert api.post(f"{entry}/undo").status_code == 204
    assert api.get(older).json()["superseded_at"] is None
    response = api.patch(older, {"text": "The scaffold wind limit is 28 km/h."}, format="json")
    assert response.json()["status"] == "superseded"
    assert api.delete(place(ann, f"/{response.json()['entry_id']}")).status_code == 204
    assert not MemoryEntry.objects.exists()


def test_files(api, ann) -> None:
    remember(ann, LIMIT)
    file = api.get(place(ann, "/file?target=company")).json()
    assert file["file_name"] == "COMPANY_MEMORY.md"
    response = api.post(
        place(ann, "/file"), {"target": "user", "content": file["content"]}, format="json"
    )
    assert response.json()["facts"][0]["status"] == "written"
    for body in ({"target": "user", "content": "words"}, {"target": "all", "content": ""}):
        assert api.post(place(ann, "/file"), body, format="json").status_code == 400
    assert api.get(place(ann, "/file")).status_code == 400


def test_wrong_requests_are_problems(api, ann) -> None:
    for response, status in (
        (api.post(place(ann), {}, format="json"), 400),
        (api.post(place(ann), {"statement": 5}, format="json"), 400),
        (api.post(place(ann), {"statement": "a\x00b"}, format="json"), 400),
        (api.get(place(ann, "?target=all")), 400),
        (api.get(place(ann, "/00000000-0000-0000-0000-000000000000")), 404),
        (api.patch(place(ann, "/00000000-0000-0000-0000-000000000000"), {"text": "x"}), 415),
    ):
        assert response.status_code == status
        assert response["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("rows", [1, 8])
def test_a_page_costs_three_queries(api, ann, rows) -> None:
    for n in range(rows):
        remember(ann, f"The crane limit of block {n} is {20 + n} km/h.")
    api.get("/api/v1/managers")  # the first use of a key is noted
    with assertNumQueries(3):  # key, manager, page
        assert len(api.get(place(ann)).json()["results"]) == rows
