"""Teams and holidays: work given to several people, and days on which no hour passes."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import Application, Holiday, Role, Team
from analysis.models import Review
from analysis.services.due import due_at
from audit.models import Event, TrailEntry
from desk.reviews.services import queue
from desk.reviews.services.conflicts import NotYours
from tests.integration.people import ROLES, SEEING, person, put

TEAMS, HOLIDAYS = "/admin/accounts/team/", "/admin/accounts/holiday/"


@pytest.fixture
def claims(application, anna) -> Team:
    """Make a team of anna alone."""
    team = Team.objects.create(application=application, name="Claims")
    team.members.add(anna)
    return team


class TestTeams:
    def test_own_work_first_then_the_teams_then_what_is_free(
        self, application, anna, ben, claims
    ) -> None:
        free, teams, mine = (Review.objects.get(pk=pk) for pk in put(application, 3))
        queue.assign(review=teams, by=ben, to=claims)
        queue.assign(review=mine, by=ben, to=anna)
        assert [queue.claim_next(by=anna) for _ in range(4)] == [mine, teams, free, None]
        entry = TrailEntry.objects.filter(event=Event.REVIEW_CHANGED).order_by("id").first()
        assert (entry.data["change"], entry.data["team"]) == ("assigned", "Claims")

    def test_who_is_not_in_the_team_is_not_offered_it(self, application, ben, claims) -> None:
        (pk,) = put(application, 1)
        review = Review.objects.get(pk=pk)
        queue.assign(review=review, by=ben, to=claims)
        assert queue.claim_next(by=ben) is None
        with pytest.raises(NotYours, match="assigned to Claims"):
            queue.claim_review(review=review, by=ben)
        lead = person("lea", Role.LEAD, application)
        assert queue.claim_review(review=review, by=lead).claimed_by == lead
        queue.release(review=review, by=lead)
        claims.delete()
        assert queue.claim_next(by=ben) == review

    def test_only_to_teams_in_which_somebody_may_decide_it(
        self, application, other_application, anna, claims
    ) -> None:
        review = Review.objects.get(pk=put(application, 1)[0])
        empty = Team.objects.create(application=application, name="Nobody")
        foreign = Team.objects.create(application=other_application, name="Foreign")
        foreign.members.add(anna)
        for team in (empty, foreign):
            with pytest.raises(NotYours):
                queue.assign(review=review, by=anna, to=team)
        queue.assign(review=review, by=anna, to=claims)
        queue.assign(review=review, by=anna, to=anna)  # to a person instead
        review.refresh_from_db()
        assert (review.assigned_to, review.assigned_team) == (anna, None)
        with pytest.raises(IntegrityError), transaction.atomic():
            Review.objects.filter(pk=review.pk).update(assigned_team=claims)

    def test_on_the_workbench_the_list_and_over_the_api(
        self, checked, ben, claims, as_user, api
    ) -> None:
        checked()
        review = queue.claim_next(by=ben)
        client = as_user(ben)
        address = reverse("admin:analysis_review_work", args=[review.pk])
        option = f'<option value="team:{claims.pk}">Claims</option>'
        assert option in client.get(address).content.decode()
        response = client.post(address, {"do": "assign", "assignee": "team:0"})
        assert "There is no reviewer or team" in response.content.decode()
        client.post(address, {"do": "assign", "assignee": f"team:{claims.pk}"})
        review.refresh_from_db()
        assert review.assigned_team == claims
        assert "Claims" in client.get("/admin/analysis/review/").content.decode()
        (row,) = api.get("/api/v1/reviews", {"assigned_team": "Claims"}).json()["results"]
        assert (row["id"], row["assigned_team"]) == (review.pk, "Claims")
        assert api.get("/api/v1/reviews", {"assigned_team": "Other"}).json()["results"] == []


class TestHolidays:
    def test_a_checks_due_time_skips_them(self, checked, application) -> None:
        today = timezone.now().date()
        Application.objects.filter(pk=application.pk).update(
            desk_days="1234567", desk_opens_at="00:00", desk_closes_at="23:59:59", due_hours_warn=1
        )
        for ahead in range(3):
            Holiday.objects.create(application=application, day=today + timedelta(days=ahead))
        review = checked().reviews.get()
        midnight = datetime.combine(today, datetime.min.time(), UTC)
        assert review.due_at == midnight + timedelta(days=3, hours=1)
        application.refresh_from_db()
        assert due_at(application, "warn") == review.due_at


@pytest.mark.parametrize("role", ROLES)
def test_each_role(role, application, anna, claims, browser) -> None:
    client, leads = browser(role), role in ("superuser", "lead")
    day = Holiday.objects.create(application=application, day="2026-12-25", name="Christmas")
    assert ("Claims" in client.get(TEAMS).content.decode()) == (role in SEEING)
    assert ("Christmas" in client.get(HOLIDAYS).content.decode()) == (role in SEEING)
    client.post(f"{HOLIDAYS}add/", {"application": application.pk, "day": "2026-12-26"})
    assert (Holiday.objects.count() == 2) == leads
    new = {"application": application.pk, "name": "Night", "members": [anna.pk]}
    client.post(f"{TEAMS}add/", new)
    assert Team.objects.filter(name="Night", members=anna).exists() == leads
    client.post(f"{HOLIDAYS}{day.pk}/delete/", {"post": "yes"})
    client.post(f"{TEAMS}{claims.pk}/delete/", {"post": "yes"})
    assert Holiday.objects.filter(pk=day.pk).exists() == (not leads)
    assert Team.objects.filter(pk=claims.pk).exists() == (not leads)
    assert TrailEntry.objects.filter(event=Event.TEAM_CHANGED).count() == (2 if leads else 0)


def test_a_team_takes_only_who_decides(application, desk, anna, other_application) -> None:
    auditor = person("auditor", Role.AUDITOR, application)
    stranger = person("stranger", Role.REVIEWER, other_application)
    new = {"application": application.pk, "name": "Mixed"}
    answer = desk.post(f"{TEAMS}add/", new | {"members": [anna.pk, auditor.pk, stranger.pk]})
    assert "No reviewer of Demo: auditor, stranger." in answer.content.decode()
    assert not Team.objects.exists()
