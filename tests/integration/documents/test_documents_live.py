"""Files over HTTP with the real web process, worker, clock and Redis."""

from typing import Any

import httpx
import pytest

from accounts.services import create_api_key, create_application
from tests.sockets import wait_until
from tests.stack import Stack

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(400)]

FIRST = "Crane operation stops when the wind reaches 38 km/h. " * 3
SECOND = "Crane operation stops when the wind reaches 50 km/h, no sooner. " * 3
QUERY = {"query": "When does crane operation stop?", "collections": ["handbook"]}


@pytest.fixture
def client(stack: Stack) -> httpx.Client:
    application = create_application(name="Demo", slug="demo", by="test")
    _, token = create_api_key(application=application, name="test", by="test")
    client = stack.client(token)
    client.post("/api/v1/collections", json={"name": "handbook"}).raise_for_status()
    return client


def send(client: httpx.Client, name: str, data: bytes) -> httpx.Response:
    return client.post(
        "/api/v1/documents", data={"collection": "handbook"}, files={"file": (name, data)}
    )


def settled(client: httpx.Client, upload_response: httpx.Response) -> dict[str, Any]:
    """Return the document once a worker is done with it."""

    def ended() -> dict[str, Any] | None:
        document: dict[str, Any] = client.get(upload_response.headers["Location"]).json()
        return document if document["state"] in ("indexed", "failed") else None

    return wait_until(ended, seconds=240)


def best(client: httpx.Client) -> str:
    results = client.post("/api/v1/search", json=QUERY).json()["results"]
    return results[0]["text"] if results else ""


def test_uploaded_indexed_replaced_and_deleted(client: httpx.Client) -> None:
    response = send(client, "handbook.txt", FIRST.encode())
    assert response.status_code == 202
    first = settled(client, response)
    assert (first["state"], first["error"], first["file_type"]) == ("indexed", "", "txt")
    assert "38 km/h" in best(client)

    damaged = settled(client, send(client, "handbook.txt", b"%PDF-1.7 cut off here"))
    assert (damaged["state"], damaged["error_code"]) == ("failed", "damaged")
    assert damaged["error"].startswith("This PDF is damaged or incomplete. ")
    assert "38 km/h" in best(client), "the older one stays until a newer one is indexed"

    replaced = settled(client, send(client, "handbook.txt", SECOND.encode()))
    assert replaced["state"] == "indexed"
    assert "50 km/h" in best(client)
    assert client.get(response.headers["Location"]).status_code == 404
    documents = client.get("/api/v1/documents", params={"collection": "handbook"}).json()["results"]
    assert [document["id"] for document in documents] == [replaced["id"]]
    collection = client.get("/api/v1/collections/handbook").json()
    assert collection["chunk_count"] == replaced["chunk_count"]

    assert client.delete(f"/api/v1/documents/{replaced['id']}").status_code == 204
    assert best(client) == ""
    assert client.get("/api/v1/documents").json()["results"] == []
