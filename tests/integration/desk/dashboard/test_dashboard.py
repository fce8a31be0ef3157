"""The dashboard: every figure leads to the list that it counts, for everybody in their role."""

import csv
import hashlib
import io
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from html import unescape

import numpy as np
import pytest
import uuid_utils.compat as uuid
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import Application, Role, Scope
from accounts.services import create_application, grant_role
from analysis.models import (
    Check,
    CheckEmbedding,
    CountedCheck,
    DecidedDay,
    DecidedReach,
    Review,
    ReviewDecision,
    Topic,
    TrendCell,
)
from analysis.services.checking import run_check
from analysis.services.trends import count_waiting
from analysis.trends.metrics import LANGUAGES, LENGTH, PLACES, Dimension, Grain
from audit.models import Event, TrailEntry
from desk.dashboard.checks import what_changed
from desk.dashboard.pages import home
from desk.dashboard.selectors.breakdown import BreakdownRow, Counts
from desk.dashboard.selectors.drift import DriftPeriod, drift
from desk.dashboard.services.alerts import notify_drift
from desk.dashboard.services.topics import make_topics
from desk.reviews.figures.dashboard_filter import DashboardFilter
from desk.reviews.selectors.decision_counts import decision_counts, labels
from desk.reviews.services.decision_days import close_days
from desk.reviews.services.reviews import decide_review
from tests.database import sql
from tests.integration.people import unguarded

pytestmark = pytest.mark.usefixtures("empty_redis")
PAGES = (
    "/admin/dashboard/", "/admin/dashboard/reviews/", "/admin/dashboard/topics/",
    "/admin/dashboard/operation/",
)  # fmt: skip
DAY = date(2026, 11, 2)
MILL = {"answer": "The mill stands in Lyon.", "sources": ["The mill stands in Lyon."]}
WRONG = {"answer": "The mill definitely stands in Oslo.", "sources": ["The mill stands in Lyon."]}
LOST = {
    "query": "How do I reset my password?", "answer": "You reset it in the settings.",
    "sources": ["Bread is made of flour."],
}  # fmt: skip
_LINK = re.compile(r'<a href="([^"]+)">([\d,]+)(?:</a>|<span)')


@pytest.fixture
def counted_answers(make_check, superuser) -> None:
    """Make answers of all kinds, some of them failed or reviewed, and count all of them."""
    Application.objects.update(quality_sample_rate=1.0)
    checks = [
        make_check(**new, source_model=model, collections=names)
        for new in (MILL, WRONG, LOST)
        for model, names in (("gpt", ["law"]), ("=claude", ["law", "nist"]), ("", []))
    ]
    for check in checks:
        assert run_check(check.pk)
    for review in Review.objects.order_by("pk")[:4]:
        decision = ReviewDecision.OVERTURNED if review.pk % 2 else ReviewDecision.CONFIRMED
        decide_review(review=review, decision=decision, by=superuser, note="seen")
    count_waiting()


def links(page: str) -> Iterator[tuple[str, int]]:
    """Yield the addresses behind counts, and the counts."""
    for address, number in _LINK.findall(page):
        yield unescape(address), int(number.replace(",", ""))


def listed(client: Client, address: str) -> int:
    """Return the number of rows of a list, by counting the rows."""
    response = client.get(address)
    assert response.status_code == 200, address
    return len(response.context["cl"].queryset)


def test_what_changed_names_the_segments_with_their_part_of_the_change() -> None:
    now, before = Counts(100, 0, 40, 0, 0, 0), Counts(100, 0, 20, 0, 0, 0)
    models = [
        BreakdownRow("new", Counts(30, 0, 25, 0, 0, 0), Counts(0, 0, 0, 0, 0, 0)),
        BreakdownRow("old", Counts(60, 0, 15, 0, 0, 0), Counts(95, 0, 20, 0, 0, 0)),
        BreakdownRow("rare", Counts(10, 0, 0, 0, 0, 0), Counts(5, 0, 0, 0, 0, 0)),
    ]
    table = what_changed(DashboardFilter(DAY, DAY), {Dimension.SOURCE_MODEL: models})
    rows = [(row.head.text, row.cells[0].text, row.small) for row in table.rows]
    assert rows == [("Source model: new", "+25.0", False), ("Source model: old", "−5.0", False)]
    change = now.rejected / now.done - before.rejected / before.done
    assert sum(row.cells[0].value or 0 for row in table.rows) == pytest.approx(100 * change)
    nothing = what_changed(DashboardFilter(DAY, DAY), {Dimension.SOURCE_MODEL: models[:1]})
    assert nothing.rows == ()


def test_a_leads_home_says_how_rejections_moved_and_what_most_of_it_is(
    application, make_check, member, as_user, monkeypatch
) -> None:
    lead, reviewer = (as_user(member(str(r), r, application)) for r in (Role.LEAD, Role.REVIEWER))
    for new, model in ((MILL, "old"), (MILL, "old"), (LOST, "other")):
        assert run_check(make_check(**new, source_model=model).pk)
    count_waiting()
    TrendCell.objects.update(bucket=F("bucket") - timedelta(days=7))
    for new, model in ((MILL, "old"), (LOST, "new"), (LOST, "new")):
        assert run_check(make_check(**new, source_model=model).pk)
    count_waiting()
    assert "What changed in the last 7 days" not in lead.get("/").content.decode()
    monkeypatch.setattr(home, "SMALL_SAMPLE", 3)
    html = lead.get("/").content.decode()
    sentence = (
        r'66.7%, <strong>\+33.3 points</strong>, mostly <a href="([^"]+)">Source model: new</a>'
    )
    address = re.search(sentence + r" \(\+66.7\)", html)
    assert listed(lead, unescape(address[1])) == 2
    assert "What changed" not in reviewer.get("/").content.decode()


def test_every_count_leads_to_the_list_it_counts(desk, counted_answers) -> None:
    make_topics()
    for page in PAGES:
        for query in ("", "?days=1", "?days=365", "?days=7&only=source_model:gpt"):
            counted_links = dict.fromkeys(links(desk.get(page + query).content.decode()))
            assert counted_links, page + query
            for address, number in counted_links:
                assert listed(desk, address) == number, (page + query, address)


def test_shares_lead_to_the_checks_they_are_of(desk, counted_answers) -> None:
    page = desk.get("/admin/dashboard/").content.decode()
    rejected = re.search(r'<a href="([^"]+)">([\d.]+)%<span[^>]*> \(Failed a safety check', page)
    number = listed(desk, unescape(rejected[1]))
    assert rejected[2] == f"{100 * number / Check.objects.count():.1f}"
    slow = re.search(r'<a href="([^"]+)">[\d.,]+ ms<span', page)
    assert 1 <= listed(desk, unescape(slow[1])) <= Check.objects.count()


@pytest.mark.parametrize("role", list(Role))
def test_everybody_sees_their_own_applications_only(
    role, member, as_user, application, other_application, counted_answers
) -> None:
    ours = as_user(member("ours", role, application))
    theirs = as_user(member("theirs", role, other_application))
    for page in PAGES:
        answer = ours.get(page)
        assert answer.status_code == 200
        assert dict(links(answer.content.decode())) != {}
        for address in (page, f"{page}?application={other_application.pk}"):
            html = theirs.get(address).content.decode()
            assert "Demo" not in html
            assert dict(links(html)) == {}
        assert theirs.get(f"{page}?application={application.pk}").status_code == 400
    counts = dict(links(ours.get(PAGES[0]).content.decode()))
    for address in list(counts)[:5]:
        assert listed(theirs, address) == 0


@pytest.mark.parametrize(("page", "most"), [(PAGES[0], 20), (PAGES[1], 16), (PAGES[2], 14)])
def test_a_page_costs_the_same_for_few_and_many(
    page, most, desk, counted_answers, checked, django_assert_max_num_queries
) -> None:
    make_topics()
    desk.get(page)
    for n in range(6):
        create_application(name=f"More {n}", slug=f"more-{n}", by="test")
        checked(**WRONG, source_model=f"model-{n}")
    count_waiting()
    with django_assert_max_num_queries(most):
        desk.get(page)


@pytest.mark.parametrize(
    "query",
    ["days=0", "days=400", "from=2026-01-02&to=2026-01-01", "from=2026-01-01", "only=colour:red",
     "from=2020-01-01&to=2026-01-01", "from=x&to=y", "application=x",
     "from=0001-01-01&to=0001-01-02"],
)  # fmt: skip
def test_what_cannot_be_shown_is_told(query, desk) -> None:
    response = desk.get(f"/admin/dashboard/?{query}")
    assert response.status_code == 400
    assert 'role="alert"' in response.content.decode()


def test_an_address_that_names_no_figure_lists_nothing(desk, counted_answers) -> None:
    period = "&since=2026-01-01&until=2026-01-02"
    for query in (
        "figure=rejections:any", "figure=&since=1&until=2", f"figure=colour:red{period}",
        f"figure=rejections:no{period}", f"topic=x{period}", f"topic=²{period}",
        f"figure=checks:done&only=x{period}",
    ):  # fmt: skip
        assert listed(desk, f"/admin/analysis/check/?{query}") == 0, query


def test_export_has_the_figures_of_the_page_and_no_formula(desk, counted_answers) -> None:
    response = desk.get("/admin/dashboard/checks/by-source-model.csv?days=1")
    assert response["Content-Disposition"].startswith('attachment; filename="by-source-model-')
    heading, *rows = csv.reader(io.StringIO(response.content.decode()))
    assert heading[:2] == ["Source model", "Checks"]
    assert {row[0]: row[1] for row in rows} == {"gpt": "3", "'=claude": "3", "(not named)": "3"}
    for address in ("checks/nothing.csv", "nowhere/risk.csv", "checks/risk.csv?days=0"):
        assert desk.get(f"/admin/dashboard/{address}").status_code == 404


def test_an_export_stands_in_the_trail_of_each_application_it_is_of(
    member, as_user, application, other_application, counted_answers
) -> None:
    trail_entries = TrailEntry.objects.filter(event=Event.DASHBOARD_EXPORTED).order_by("pk")
    auditor = member("auditor", Role.AUDITOR, application)
    response = as_user(auditor).get("/admin/dashboard/checks/by-source-model.csv?days=1")
    entry = trail_entries.get()
    assert (entry.application_id, entry.actor) == (application.pk, "auditor")
    assert entry.data.pop("asked").startswith("from=")
    assert entry.data == {
        "table": "checks/by-source-model",
        "rows": 3,
        "sha256": hashlib.sha256(response.content).hexdigest(),
    }
    grant_role(user=auditor, application=other_application, role=Role.AUDITOR, by="test")
    as_user(auditor).get("/admin/dashboard/checks/risk.csv?only=source_model:gpt")
    assert {item.application_id for item in trail_entries[1:]} == {
        application.pk,
        other_application.pk,
    }
    assert all("only=source_model" in item.data["asked"] for item in trail_entries[1:])
    before = trail_entries.count()
    stranger = as_user(member("stranger", None, application))
    assert stranger.get("/admin/dashboard/checks/risk.csv").status_code == 403
    as_user(auditor).get("/admin/dashboard/checks/nothing.csv")
    as_user(auditor).get("/admin/dashboard/")
    assert trail_entries.count() == before, "what was not handed out is not told"


def test_topics_are_made_of_questions_that_found_nothing(desk, counted_answers) -> None:
    counted_checks = list(CountedCheck.objects.filter(nothing_found=True))
    assert len(counted_checks) == 3
    vector = np.eye(384)[0].tolist()
    for row in counted_checks:
        CheckEmbedding.objects.filter(pk=row.pk).delete()
        CheckEmbedding.objects.create(
            check_record_id=row.pk, model="m", query=vector, answer=vector
        )
    before = desk.get("/admin/dashboard/topics/")
    assert [tile.name for tile in before.context["built"].tiles] == [
        "Questions without matching passages"
    ]
    assert before.content.decode().count("Topics have not been computed yet") == 1
    assert "No topics" not in before.content.decode()
    assert make_topics() == 1
    topic = Topic.objects.get()
    assert {"reset", "password"} <= set(topic.words)
    page = desk.get("/admin/dashboard/topics/").content.decode()
    assert "password" in page
    address = next(a for a, _ in links(page) if "topic=" in a)
    assert {check.pk for check in desk.get(address).context["cl"].queryset} == {
        r.pk for r in counted_checks
    }
    assert make_topics() == 1
    assert Topic.objects.get().pk == topic.pk


def test_closed_days_say_what_the_reviews_say(application, counted_answers) -> None:
    """Days that are over are counted once; the figures are the same before and after."""
    old = timezone.now() - timedelta(days=5)
    some = Review.objects.filter(decision__isnull=False).order_by("pk").values_list("pk", flat=True)
    with unguarded() as cursor:  # the trigger keeps decisions as they are
        cursor.execute(
            "UPDATE analysis_review SET decided_at = %s WHERE id = ANY(%s)", [old, list(some)[:2]]
        )
    start = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=9)
    end = start + timedelta(days=11)
    arguments = ([application.pk],)
    before = decision_counts(*arguments, start=start, end=end)
    assert sum(row.count for row in before) == 4
    assert close_days(timezone.now()) > 0
    assert DecidedDay.objects.count() > 0
    after = decision_counts(*arguments, start=start, end=end)
    assert sorted(map(repr, after)) == sorted(map(repr, before))
    assert labels(after) == labels(before)
    assert close_days(timezone.now()) == 0
    assert DecidedReach.objects.get().day == (timezone.now() - timedelta(days=2)).date()


def test_the_page_of_drift(
    desk,
    application,
    other_application,
    member,
    as_user,
    client_with,
    django_assert_max_num_queries,
) -> None:
    today = timezone.now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    for ago in range(1, 36):
        is_new = ago <= 7
        counts = [0] * LENGTH
        counts[PLACES["checks"].start] = 100
        counts[PLACES["language"].start + LANGUAGES.index("English")] = 70 if is_new else 100
        counts[PLACES["language"].start + LANGUAGES.index("German")] = 30 * is_new
        counts[PLACES["risk"].start + 4] = 100
        for dimension, value in ((Dimension.ALL, ""), (Dimension.SOURCE_MODEL, "<gpt>")):
            TrendCell.objects.create(
                application=application, dimension=dimension, grain=Grain.DAY, value=value,
                bucket=today - timedelta(days=ago), counts=counts,
            )  # fmt: skip
    with django_assert_max_num_queries(11):  # one more for the topics of each application
        page = desk.get("/admin/dashboard/drift/").content.decode()
    assert "English 100.0% → 70.0%, German 0.0% → 30.0%" in page
    assert "There were none." in page
    # Only the last day counts, so it alone is asked for.
    assert 'name="days"' not in page
    assert 'name="from"' not in page
    until = desk.get("/admin/dashboard/drift/", {"to": str(today.date())}).content.decode()
    assert "German 0.0% → 30.0%" in until
    notify_drift()
    page = desk.get("/admin/dashboard/drift/").content.decode()
    assert "There were none." not in page
    assert desk.get("/admin/dashboard/drift/drift.csv").status_code == 200
    nobody = as_user(member("nobody", None, application))
    assert nobody.get("/admin/dashboard/drift/").status_code == 403
    theirs = as_user(member("theirs", Role.LEAD, other_application))
    assert "German" not in theirs.get("/admin/dashboard/drift/").content.decode()

    client = client_with(application, Scope.CHECKS_READ)
    with django_assert_max_num_queries(5):  # two for the key
        document = client.get("/api/v1/trends/drift").json()
    (drift,) = document["drifts"]
    assert (drift["what"], drift["test"], drift["distance"]) == ("language", "chi-square", 0.3)
    assert document["recent"] == (today - timedelta(days=7)).date().isoformat()
    foreign = client_with(other_application, Scope.CHECKS_READ).get("/api/v1/trends/drift")
    assert (foreign.json()["drifts"], foreign.json()["others"]) == ([], [])
    earlier = client.get("/api/v1/trends/drift", {"until": "2020-01-01"}).json()
    assert (earlier["end"], earlier["drifts"]) == ("2020-01-01", [])


QUESTIONS = (
    "How do I reset my password?", "When does the canteen open?", "Where is the parking garage?",
)  # fmt: skip


def test_topics_of_questions_drift(application, make_check) -> None:
    """In the last week three in ten ask of something that nobody asked of before."""
    period = DriftPeriod.until(timezone.now().astimezone(UTC).date())
    cell = {"application": application, "dimension": Dimension.ALL, "grain": Grain.DAY, "value": ""}
    rows = []
    for ago in range(1, 36):
        day = datetime.combine(period.end, time.min, UTC) - timedelta(days=ago)
        counts = [0] * LENGTH
        counts[PLACES["checks"].start] = counts[PLACES["language"].start] = 20
        TrendCell.objects.create(bucket=day, counts=counts, **cell)
        topics = [0] * 7 + [1] * 7 + [2] * 6 if ago <= 7 else [0, 1] * 10
        rows += [(uuid.uuid7(), day, topic) for topic in topics]
    copied = make_check(query="?")
    for pk, day, topic in rows:
        sql(
            "INSERT INTO analysis_check SELECT (jsonb_populate_record(c, jsonb_build_object("
            "'id', %s::text, 'query', %s::text))).* FROM analysis_check AS c WHERE id = %s",
            str(pk),
            QUESTIONS[topic],
            copied.pk,
        )
        CountedCheck.objects.create(
            check_record_id=pk, application=application, created_at=day, collections=[], places=[]
        )
        vector = np.eye(384)[topic].tolist()
        CheckEmbedding.objects.create(check_record_id=pk, model="m", query=vector, answer=vector)
    tests = {test.what: test for test in drift([application.pk], period)[application.pk]}
    topic_test = tests["topic"]
    assert topic_test.is_drift
    assert (topic_test.recent, topic_test.before, topic_test.distance) == (140, 560, 0.3)
    garage = next(c for c in topic_test.changes if {"parking", "garage"} <= set(c.key.split(", ")))
    assert (garage.before, garage.recent) == (0.0, 0.3)
