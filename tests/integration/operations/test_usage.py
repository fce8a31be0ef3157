"""The page of usage: its readers, its figures, and its number of queries."""

import csv
from datetime import UTC, date, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.asserts import assertNumQueries

from accounts.models import Role
from accounts.services import create_application
from analysis.models import Check
from analysis.services.checking import run_check
from assistant.models import TokenUse
from documents.services.collections import create_collection
from documents.services.uploads import upload
from operations.pages.usage import first_month
from tests.integration.people import unlocked

PAGE = "/admin/usage/"
pytestmark = pytest.mark.usefixtures("empty_redis")


def rows(client: Client, query: str = "") -> list[dict[str, str]]:
    answer = client.get(f"/admin/usage.csv{query}")
    assert answer["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(StringIO(answer.content.decode())))


def move(check: Check, day: date) -> None:
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    unlocked("UPDATE analysis_check SET created_at = %s WHERE id = %s", noon, check.pk)


def test_a_month_an_application_a_row(
    application, other_application, make_check, superuser, as_user
) -> None:
    today = datetime.now(UTC).date()
    before = first_month(today, 2)
    for answer in ("It is red. It is big.", "It is blue."):
        assert run_check(make_check(answer).pk)
    old = make_check("It was.")
    move(old, before)
    TokenUse.objects.create(application=application, day=today, tokens=7)
    TokenUse.objects.create(application=other_application, day=before, tokens=5)
    books = create_collection(application=application, name="books", by="t")
    upload(collection=books, name="a.txt", data=b"x" * 1_500_000, by="t")
    notes = create_collection(application=other_application, name="notes", by="t")
    upload(collection=notes, name="a.txt", data=b"few words", by="t")
    client = as_user(superuser)
    month, earlier = f"{today:%Y-%m}-01", f"{before:%Y-%m}-01"
    assert [tuple(row.values()) for row in rows(client)] == [
        (month, "demo", "2", "2", "0", "3", "7"),
        (earlier, "demo", "1", "0", "0", "0", "0"),
        (earlier, "other", "0", "0", "0", "0", "5"),
    ]
    assert len(rows(client, "?months=1")) == 1
    page = client.get(PAGE)
    stored = page.context["stored"]
    assert "Demo</th>" in page.content.decode()  # its name, as elsewhere on pages
    assert "&lt; 0.1" in page.content.decode()
    assert [(item.application.slug, item.megabytes, item.quota) for item in stored] == [
        ("demo", 1.5, None), ("other", 0.0, None),
    ]  # fmt: skip
    assert client.get(f"{PAGE}?months=13").status_code == 400
    assert client.get("/admin/usage.csv?months=x").status_code == 404


@pytest.mark.parametrize(
    ("role", "status"), [(Role.LEAD, 200), (Role.AUDITOR, 200), (Role.REVIEWER, 403), (None, 403)]
)
def test_leads_and_auditors_see_their_own(
    role, status, application, other_application, member, as_user
) -> None:
    for tenant in (application, other_application):
        TokenUse.objects.create(application=tenant, day=datetime.now(UTC).date(), tokens=5)
    client = as_user(member("kim", role, application))
    assert client.get(PAGE).status_code == status
    assert client.get("/admin/usage.csv").status_code == status
    if status == 200:
        assert {row["application"] for row in rows(client)} == {"demo"}


@pytest.mark.parametrize("applications", [1, 6])
def test_queries_do_not_grow_with_applications(applications, superuser, as_user) -> None:
    for number in range(applications):
        application = create_application(name=f"A{number}", slug=f"a{number}", by="t")
        TokenUse.objects.create(application=application, day=datetime.now(UTC).date(), tokens=5)
    client = as_user(superuser)
    client.get(PAGE)
    # Session, user, second factor, applications, checks, tokens, files.
    with assertNumQueries(7):
        assert len(client.get(PAGE).context["rows"]) == applications


@pytest.mark.parametrize(
    ("months", "first"),
    [(1, date(2026, 2, 1)), (2, date(2026, 1, 1)), (3, date(2025, 12, 1)), (12, date(2025, 3, 1))],
)
def test_months_are_counted_back(months, first) -> None:
    assert first_month(date(2026, 2, 28), months) == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--application", "helpdesk"), "There is no application 'helpdesk'"),
        (("--first", "2026-13-01"), "'2026-13-01' is no day; write 2026-11-30"),
    ],
)
def test_what_the_command_cannot_answer_is_told(application, arguments, message) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("usage", *arguments)
