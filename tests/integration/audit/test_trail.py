"""The trail in the admin: auditors read that of their application, nobody changes it."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Role
from audit.models import Event, TrailEntry
from desk.reviews.services.exports import note_table

LIST = "/admin/audit/trailentry/"
pytestmark = pytest.mark.usefixtures("empty_redis", "trail_entries")


@pytest.fixture
def trail_entries(application, other_application) -> None:
    """Write an export of each of two applications, and a log-in that belongs to none."""
    for item in (application, other_application):
        note_table(
            applications=[item.pk], table="checks/risk", query="days=7", rows=3, file=b"",
            by=f"somebody of {item.slug}",
        )  # fmt: skip
    TrailEntry.objects.create(
        event=Event.LOGIN_FAILED, subject_type="user", subject_id="eve", actor="eve"
    )


def entries(client: Client, query: str = "") -> list[TrailEntry]:
    """Return the entries that the list shows."""
    response = client.get(LIST + query)
    assert response.status_code == 200
    return list(response.context["cl"].result_list)


def test_auditors_read_their_own_applications(
    member, as_user, application, other_application
) -> None:
    client = as_user(member("ann", Role.AUDITOR, application))
    seen = entries(client)
    assert {item.application_id for item in seen} == {application.pk}
    assert [item.actor for item in seen if item.event == Event.DASHBOARD_EXPORTED] == [
        "somebody of demo"
    ]
    page = client.get(f"{LIST}{seen[0].pk}/change/").content.decode()
    assert seen[0].actor in page
    foreign = TrailEntry.objects.filter(application_id=other_application.pk).latest("pk")
    assert client.get(f"{LIST}{foreign.pk}/change/").status_code == 302
    assert entries(client, f"?application={other_application.pk}") == []
    assert "Trail entries" in client.get("/admin/").content.decode()


@pytest.mark.parametrize("role", [Role.LEAD, Role.REVIEWER, None])
def test_nobody_else_reads_it_since_it_tells_the_first_decision(
    role, member, as_user, application
) -> None:
    client = as_user(member("bob", role, application))
    entry = TrailEntry.objects.filter(application_id=application.pk).latest("pk")
    assert client.get(LIST).status_code == 403
    assert client.get(f"{LIST}{entry.pk}/change/").status_code in (302, 403)
    assert "trailentry" not in client.get("/admin/").content.decode()


def test_a_superuser_reads_also_what_belongs_to_no_application(desk) -> None:
    failures = entries(desk, "?event__exact=user.login_failed")
    assert [(item.subject_id, item.application_id) for item in failures] == [("eve", None)]
    assert desk.get(f"{LIST}{failures[0].pk}/change/").status_code == 200
    assert desk.post(f"{LIST}{failures[0].pk}/change/", {"actor": "me"}).status_code == 403
    assert desk.post(f"{LIST}{failures[0].pk}/delete/", {"post": "yes"}).status_code == 403
    assert desk.get(f"{LIST}add/").status_code == 403


def test_it_is_found_by_event_and_by_the_id_it_is_about(desk, checked) -> None:
    check = checked()
    exported = entries(desk, "?event__exact=export.dashboard")
    assert {item.actor for item in exported} == {"somebody of demo", "somebody of other"}
    check_entries = entries(desk, f"?q={check.pk}")
    assert {item.event for item in check_entries} == {"check.submitted", "check.decided"}
    page = desk.get(f"{LIST}?q={check.pk}").content.decode()
    assert reverse("admin:analysis_check_change", args=[check.pk]) in page
    assert entries(desk, f"?q={str(check.pk)[:8]}") == []
    assert desk.get(f"{LIST}?data__contains=x").status_code in (302, 400)


def test_a_list_costs_the_same_for_few_and_many(
    desk, application, django_assert_max_num_queries
) -> None:
    for _ in range(60):
        note_table(
            applications=[application.pk], table="t", query="", rows=0, file=b"", by="somebody"
        )
    with django_assert_max_num_queries(6):
        assert len(entries(desk)) == 50
