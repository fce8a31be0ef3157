"""The next item is loaded while one is read: without its lease, and never two get the same."""

import pytest
from django.http import HttpResponse
from django.test import Client

from analysis.models import Review
from desk.reviews.services import queue
from tests.integration.desk.reviews.test_workbench import BENCH, NEXT, work

AHEAD = f"{BENCH}ahead/"


def decide(client: Client, review: Review, loaded: str, query: str = "") -> HttpResponse:
    """Confirm the item that the client holds, having loaded `loaded` ahead."""
    review.refresh_from_db()
    form = {"do": "decide", "decision": "confirmed", "version": review.version}
    return client.post(f"{work(review)}{query}", form, headers={"X-Ahead": loaded})


@pytest.fixture
def items(checked) -> list[Review]:
    """Make four open items, the most urgent first."""
    return [checked().reviews.get() for _ in range(4)]


def test_what_comes_next_is_shown_without_taking_it(items, anna, as_user) -> None:
    client = as_user(anna)
    client.post(NEXT)
    page = client.get(f"{AHEAD}?reason=warn")
    assert page.context["review"] == items[1]
    assert f'data-stamp="{items[1].pk}.1"' in page.content.decode()
    assert f'data-here="{work(items[1])}?reason=warn"' in page.content.decode()
    assert 'name="decision" value="confirmed"' in page.content.decode()
    items[1].refresh_from_db()
    assert (items[1].claimed_by, items[1].lease_until, items[1].version) == (None, None, 1)


def test_the_lease_comes_with_the_decision(items, anna, as_user) -> None:
    client = as_user(anna)
    client.post(NEXT)
    answer = decide(client, items[0], f"{items[1].pk}.1")
    assert (answer.status_code, answer["X-Ahead"]) == (200, f"{items[1].pk}.1")
    changes = answer.content.decode()
    assert 'name="version" id="version" value="2"' in changes
    assert f"1 decided today, {len(items) - 2} more waiting" in changes
    assert f'action="{work(items[0])}"' in changes  # the undo
    assert "<html" not in changes
    items[1].refresh_from_db()
    assert (items[1].claimed_by, items[1].version) == (anna, 2)


def test_of_two_who_have_loaded_the_same_item_one_gets_it(items, anna, ben, as_user) -> None:
    hers, his = as_user(anna), as_user(ben)
    hers.post(NEXT)
    his.post(NEXT)
    same = f"{items[2].pk}.1"
    for client in (hers, his):
        assert f'data-stamp="{same}"' in client.get(AHEAD).content.decode()
    assert decide(hers, items[0], same)["X-Ahead"] == same
    second = decide(his, items[1], same)
    assert (second.status_code, second["X-Go"]) == (204, work(items[3]))
    assert [r.claimed_by for r in Review.objects.filter(decision=None).order_by("pk")] == [
        anna, ben,
    ]  # fmt: skip


def test_an_item_that_has_changed_since_is_loaded_again(items, anna, ben, as_user) -> None:
    client = as_user(anna)
    client.post(NEXT)
    taken = queue.claim_review(review=items[1], by=ben)
    queue.release(review=taken, by=ben)
    answer = decide(client, items[0], f"{items[1].pk}.1")
    assert (answer.status_code, answer["X-Go"]) == (204, work(items[1]))
    items[1].refresh_from_db()
    assert items[1].claimed_by == anna


def test_a_saved_draft_says_what_is_next_now(items, anna, ben, as_user) -> None:
    client, draft = as_user(anna), {"do": "draft", "note": "Half"}
    client.post(NEXT)
    said = client.post(work(items[0]), draft).content.decode()
    assert f'data-ahead-now="{items[1].pk}.1"' in said
    queue.claim_review(review=items[1], by=ben)
    said = client.post(work(items[0]), draft).content.decode()
    assert f'data-ahead-now="{items[2].pk}.1"' in said


def test_the_end_of_the_queue(checked, anna, as_user) -> None:
    review, client = checked().reviews.get(), as_user(anna)
    client.post(NEXT)
    assert client.get(AHEAD).status_code == 204
    answer = decide(client, review, "none")
    assert (answer.status_code, answer["X-Go"]) == (204, BENCH)
    assert "This queue is empty." in client.get(answer["X-Go"]).content.decode()


@pytest.mark.parametrize(
    ("role", "status"), [("reviewer", 200), ("auditor", 403), ("foreign lead", 204)]
)
def test_who_may_load_ahead(role, status, items, browser) -> None:
    assert browser(role).get(AHEAD).status_code == status
