"""Lists pay a fixed number of queries and filter by indexes; a figure finds its newest checks."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertNumQueries

from accounts.member_admin import MemberList
from accounts.models import Application
from analysis.admin.base import BoundedPaginator
from analysis.models import Batch, Check, CountedCheck
from analysis.services.checking import run_check
from analysis.services.trends import count_waiting
from analysis.trends.metrics import Dimension
from desk.reviews.admin.checks import CheckAdmin
from desk.reviews.figures import check_list
from desk.reviews.figures.check_list import CheckList, newest, places
from tests.integration.people import unguarded

LIST = "/admin/analysis/check/"


def ids(page: object) -> set[str]:
    return {str(check.pk) for check in page.context["cl"].result_list}


def test_the_check_list_costs_the_same_for_one_row_and_for_fifty(desk, checked) -> None:
    def measure() -> int:
        # session, user, second factor, applications of the filter, count up to the limit, rows
        with assertNumQueries(6):
            return len(ids(desk.get(LIST)))

    checked(query="One?")
    assert measure() == 1
    for _ in range(49):
        checked(query="More?", sources=["SSN College closed in 2026."])
    assert measure() == 50


def test_the_review_list_costs_the_same_for_one_row_and_for_twenty(desk, checked) -> None:
    checked()
    # session, user, second factor, applications of the filter, count up to the limit, rows
    with assertNumQueries(6):
        assert len(ids(desk.get("/admin/analysis/review/"))) == 1
    for _ in range(19):
        checked()
    with assertNumQueries(6):
        assert len(ids(desk.get("/admin/analysis/review/"))) == 20


def test_the_list_reads_only_the_beginnings_of_question_and_answer(desk, checked) -> None:
    checked(query="why " * 100)
    with CaptureQueriesContext(connection) as queries:
        page = desk.get(LIST)
    rows = queries.captured_queries[-1]["sql"]
    for column in ("query", "answer"):
        column_name = f'"analysis_check"."{column}"'
        assert rows.count(column_name) == rows.count(f"LEFT({column_name}") == 1
    assert "why why why" in page.content.decode()
    assert "…" in page.content.decode()


def test_filters(desk, checked, make_check, other_application) -> None:
    warned, queued = checked(), make_check()
    assert warned.action == "WARN"
    today = timezone.localdate()
    tomorrow = today + timedelta(days=1)
    expected = {
        "action__exact=WARN": {warned}, "action__exact=BLOCK": set(),
        "risk_level__exact=MEDIUM": {warned}, "state__exact=queued": {queued},
        f"application={warned.application_id}": {warned, queued},
        f"application={other_application.pk}": set(), "application=nonsense": set(),
        f"from={today}": {warned, queued}, f"from={tomorrow}": set(),
        f"from={today}&to={today}": {warned, queued}, f"to={today - timedelta(days=1)}": set(),
        "from=nonsense": {warned, queued},
        f"q={queued.pk}": {queued}, "q=nonsense": set(),
    }  # fmt: skip
    for parameters, checks in expected.items():
        page = desk.get(f"{LIST}?{parameters}")
        assert page.status_code == 200, parameters
        assert ids(page) == {str(c.pk) for c in checks}, parameters


def test_a_batch_leads_to_its_checks(desk, application, checked) -> None:
    checked()
    errors = [{"index": 0, "errors": [{"field": "answer", "detail": "Too long.", "code": "max"}]}]
    batch = Batch.objects.create(application=application, items_total=1, errors=errors)
    page = desk.get(reverse("admin:analysis_batch_change", args=[batch.pk])).content.decode()
    assert "Too long." in page
    assert f"?batch={batch.pk}" in page
    assert ids(desk.get(f"{LIST}?batch={batch.pk}")) == set()


@pytest.mark.parametrize("lookup", ["query__contains=a", "application__slug=x", "answer__regex=(a"])
def test_nothing_else_can_be_asked_of_the_table(desk, lookup) -> None:
    assert desk.get(f"{LIST}?{lookup}").status_code == 400


def test_a_long_list_is_counted_up_to_the_limit_only(desk, make_check, monkeypatch) -> None:
    for _ in range(6):
        make_check()
    monkeypatch.setattr(BoundedPaginator, "LIMIT", 5)
    page = desk.get(LIST)
    assert "5 or more checks" in page.content.decode()


def test_the_pages_of_a_list_follow_each_other(desk, make_check, monkeypatch) -> None:
    ids = [str(make_check(f"Answer {number}.").pk) for number in range(7)]
    monkeypatch.setattr(CheckAdmin, "list_per_page", 3)
    monkeypatch.setattr(CheckAdmin, "list_max_show_all", 3)
    pages = [
        [str(c.pk) for c in desk.get(LIST, {"p": str(n)}).context["cl"].result_list]
        for n in (1, 2, 3)
    ]
    assert [len(page) for page in pages] == [3, 3, 1]
    assert [item for page in pages for item in page] == sorted(ids, reverse=True)


def test_a_column_sorts_the_first_rows_of_the_list_and_no_more(desk, checked, monkeypatch) -> None:
    ids = [checked(query=f"{n}?").pk for n in range(4)]
    heads = re.findall(r'href="[?]o=(\d+)">(\w+)</a>', desk.get(LIST).content.decode())
    column = next(number for number, name in heads if name == "Created")
    assert {name for _number, name in heads} == {"Created", "Action", "Risk"}

    def order(address: str) -> list[UUID]:
        return [check.pk for check in desk.get(address).context["cl"].result_list]

    assert order(LIST) == order(f"{LIST}?o=-{column}") == ids[::-1]
    assert order(f"{LIST}?o={column}") == ids
    monkeypatch.setattr(MemberList, "SORTED", 2)
    assert order(f"{LIST}?o={column}") == ids[2:]  # of the newest two


def test_who_has_one_application_sees_no_column_and_no_filter_of_it(
    as_user, lead, checked, desk, other_application
) -> None:
    checked()
    for client, several in ((as_user(lead), False), (desk, True)):
        for address in (LIST, "/admin/analysis/review/"):
            page = client.get(address).content.decode()
            assert ("column-of_application" in page) is several
            assert ('data-filter-title="application"' in page) is several


def test_the_list_behind_a_figure_has_its_title_in_words_and_the_way_back(desk) -> None:
    page = desk.get(
        f"{LIST}?figure=rejections:any&only=source_model:gpt-5-mini&since=2026-11-01&until=2026-11-02"
    ).content.decode()
    assert "<h1>Failed a safety check, Source model: gpt-5-mini</h1>" in page
    assert f'href="{reverse("dashboard_checks")}">‹ Back to Insights</a>' in page
    assert "figure:" not in page


def test_policies_show_their_rules_as_a_table(desk, checked) -> None:
    policy = checked().annotated_answer.policy
    assert desk.get("/admin/analysis/policy/").status_code == 200
    page = desk.get(reverse("admin:analysis_policy_change", args=[policy.pk])).content.decode()
    assert "in force" in page
    assert "<script>" not in page
    assert "Points for overconfidence" in page


START = datetime(2026, 3, 1, tzinfo=UTC)
DONE = places("checks", ["done"])
BLOCKED = places("actions", ["BLOCK"])
RIGHT = {"answer": "The mill stands in Lyon.", "sources": ["The mill stands in Lyon."]}
WRONG = {"answer": "The mill does not stand in Lyon.", "sources": ["The mill stands in Lyon."]}
pytestmark = pytest.mark.usefixtures("empty_redis")


@pytest.fixture
def at(make_check) -> Callable[..., UUID]:
    """Return a function that makes a check submitted so many hours after START, and counts it."""

    def make(hours: float, *, application: Application | None = None, **new: object) -> UUID:
        check = make_check(**{**WRONG, **new})
        moment = START + timedelta(hours=hours)
        owner = application.pk if application else check.application_id
        with unguarded():
            Check.objects.filter(pk=check.pk).update(created_at=moment, application=owner)
        assert run_check(check.pk)
        count_waiting()
        return check.pk

    return make


def listed(days: int = 10, at: tuple[int, ...] = DONE, **more: object) -> CheckList:
    return CheckList(start=START, end=START + timedelta(days=days), places=at, **more)


def test_the_newest_of_several_days_hours_and_applications(
    at, application, other_application, monkeypatch
) -> None:
    mine = [application.pk, other_application.pk]
    # Two applications within one hour, of which now one and now the other is newer.
    ids = [
        at(hours, application=other_application if number % 2 else application)
        for number, hours in enumerate((1, 30, 55.2, 55.3, 55.5, 55.6, 57, 100))
    ]
    for most in range(1, 10):
        monkeypatch.setattr(check_list, "MOST", most)
        assert newest(listed(), mine) == ids[::-1][:most], most
    monkeypatch.setattr(check_list, "MOST", 500)
    assert newest(listed(), [application.pk]) == ids[6::-2]


def test_a_period_that_begins_and_ends_within_a_day(at, application, monkeypatch) -> None:
    ids = [at(hours) for hours in (1, 5, 6.5, 8, 9, 20, 30)]
    monkeypatch.setattr(check_list, "MOST", 3)
    within = CheckList(
        start=START + timedelta(hours=5), end=START + timedelta(hours=9), places=DONE
    )
    assert newest(within, [application.pk]) == [ids[3], ids[2], ids[1]]


def test_rare_and_old_ones_are_found_and_nothing_is_found_at_once(at, application) -> None:
    blocked = at(2)
    for hours in (50, 51, 80):
        at(hours, **RIGHT)
    assert CountedCheck.objects.count() == 4
    assert newest(listed(at=BLOCKED), [application.pk]) == [blocked]
    assert newest(listed(at=places("actions", ["BLOCK", "WARN"])), [application.pk]) == [blocked]
    with assertNumQueries(1):
        assert newest(listed(at=places("risk", ["100"])), [application.pk]) == []


def test_one_part_of_the_checks(at, application) -> None:
    first, second = at(2, source_model="gpt"), at(3, source_model="", collections=["law"])
    mine = [application.pk]
    by_model = {"dimension": Dimension.SOURCE_MODEL}
    assert newest(listed(**by_model, value="gpt"), mine) == [first]
    assert newest(listed(**by_model, value=""), mine) == [second]
    assert newest(listed(dimension=Dimension.COLLECTION, value="law"), mine) == [second]
    assert newest(listed(dimension=Dimension.COLLECTION, value="nist"), mine) == []


def test_of_a_figure_only_those_that_found_nothing(at, application, monkeypatch) -> None:
    lost = at(
        2, query="How do I reset my password?", answer="You reset it in the settings.",
        sources=["Bread is made of flour."],
    )  # fmt: skip
    newer = [at(hours) for hours in (50, 51)]
    assert newest(listed(at=()), [application.pk]) == [*reversed(newer), lost]
    monkeypatch.setattr(check_list, "MOST", 1)
    assert newest(listed(nothing_found=True), [application.pk]) == [lost]
    assert newest(listed(topic=1), [application.pk]) == []
