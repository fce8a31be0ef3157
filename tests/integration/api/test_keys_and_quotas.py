"""Keys with an owner, replaced with an overlap; quotas and the report of what was used."""

from datetime import UTC, date, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import ApiKey, Application, QuotaUse, Scope
from accounts.quotas import QuotaExceeded, Quotas, note_use, require_quota, used_since
from accounts.services import create_api_key, revoke_api_key, rotate_api_key
from analysis.models import Check
from analysis.services.checking import run_check
from audit.models import Event, TrailEntry
from documents.models import Document
from documents.services.collections import create_collection
from tests.commands import run

pytestmark = [pytest.mark.usefixtures("empty_redis"), pytest.mark.django_db]
DAY = datetime(2026, 1, 31, 23, 30, tzinfo=UTC)


def with_token(token: str) -> APIClient:
    client = APIClient(raise_request_exception=False)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def test_both_keys_work_until_the_old_one_expires(application, superuser) -> None:
    old, old_token = create_api_key(
        application=application, name="server", by="t", owner=superuser,
        scopes=[Scope.CHECKS_READ, Scope.KEYS_ROTATE],
        expires_at=timezone.now() + timedelta(days=90),
    )  # fmt: skip
    response = with_token(old_token).post(
        reverse("rotate_key"), {"overlap_hours": 2}, format="json"
    )
    assert response.status_code == 201
    new_token = response.json()["key"]
    assert (response.json()["owner"], response.json()["scopes"]) == ("root", old.scopes)
    for token in (old_token, new_token):
        assert with_token(token).get(reverse("checks")).status_code == 200
    old.refresh_from_db()
    assert timedelta(hours=1) < old.expires_at - timezone.now() <= timedelta(hours=2)
    assert old.replaced_by.expires_at > timezone.now() + timedelta(days=89)
    again = with_token(old_token).post(reverse("rotate_key"), {}, format="json")
    assert again.json()["type"] == "urn:watchdog:problem:key_replaced"
    past = timezone.now() - timedelta(seconds=1)
    expired = {"expires_at": past, "created_at": past - timedelta(days=1)}
    ApiKey.objects.filter(pk=old.pk).update(**expired)
    assert with_token(old_token).get(reverse("checks")).status_code == 401
    assert with_token(new_token).get(reverse("checks")).status_code == 200
    trail_entry = TrailEntry.objects.get(event=Event.API_KEY_ROTATED)
    assert (trail_entry.data["prefix"], trail_entry.data["replaced_by"]) == (
        old.prefix,
        response.json()["prefix"],
    )


def test_a_key_that_expires_earlier_is_not_prolonged(application) -> None:
    soon = timezone.now() + timedelta(hours=1)
    old, _ = create_api_key(application=application, name="k", by="t", expires_at=soon)
    rotate_api_key(old, overlap=timedelta(days=1), by="t")
    assert ApiKey.objects.get(pk=old.pk).expires_at == soon


def test_the_current_key_tells_of_itself(api) -> None:
    body = api.get(reverse("current_key")).json()
    assert body["last_used_at"] is not None
    assert (body["owner"], body["expires_at"], body["name"]) == (None, None, "t")
    assert "secret" not in str(body)


def test_the_commands_list_and_rotate(application, superuser) -> None:
    token = run("create_api_key", "demo", "--name", "server", "--owner", "root").split()[0]
    key = ApiKey.objects.get(name="server")
    assert f"{key.prefix}  demo  server  active  owner root  used never" in run("api_keys")
    output = run("rotate_api_key", key.prefix, "--overlap-hours", "1", "--owner", "root")
    assert with_token(output.split()[0]).get(reverse("checks")).status_code == 200
    assert with_token(token).get(reverse("checks")).status_code == 200
    assert f"The key {key.prefix}… is valid until" in output
    for wrong in (["nokey"], [key.prefix], [key.prefix, "--overlap-hours", "0"]):
        with pytest.raises(CommandError):
            run("rotate_api_key", *wrong)
    assert TrailEntry.objects.filter(event=Event.API_KEY_CHANGED).count() == 1
    revoke_api_key(key, by="t")
    assert key.prefix not in run("api_keys", "--application", "demo")
    assert f"{key.prefix}  demo  server  revoked" in run("api_keys", "--all")


def test_a_superuser_replaces_one_key_in_the_admin(application, desk) -> None:
    key, _ = create_api_key(application=application, name="server", by="t")
    url = reverse("admin:accounts_apikey_changelist")
    form = {"action": "rotate", "_selected_action": [key.pk]}
    page = desk.post(url, form, follow=True).content.decode()
    new = ApiKey.objects.get(pk=key.pk).replaced_by
    assert f"The new key {new.prefix}…, shown once: wd_{new.prefix}_" in page
    assert "was already replaced" in desk.post(url, form, follow=True).content.decode()


def test_a_day_and_a_month_in_utc(application) -> None:
    quotas = Quotas(per_day=3, per_month=4)
    note_use(application.pk, quotas, 3, DAY)
    with pytest.raises(QuotaExceeded) as day:
        require_quota(application.pk, quotas, 1, DAY)
    assert (day.value.name, day.value.resets_at.isoformat()) == (
        "checks_per_day", "2026-02-01T00:00:00+00:00",
    )  # fmt: skip
    earlier = DAY - timedelta(days=1)
    require_quota(application.pk, quotas, 1, DAY + timedelta(hours=1))  # another day and month
    note_use(application.pk, quotas, 1, earlier)
    with pytest.raises(QuotaExceeded) as month:
        require_quota(application.pk, Quotas(None, 4), 1, DAY)
    assert month.value.name == "checks_per_month"
    assert month.value.resets_at.isoformat() == "2026-02-01T00:00:00+00:00"


def submit(api: APIClient, **headers: str):
    body = {"answer": "It is."}
    return api.post(reverse("checks"), body, format="json", HTTP_PREFER="wait=0", **headers)


def test_submissions_above_the_quota_are_refused(api) -> None:
    Application.objects.update(checks_per_day=2)
    first = submit(api, HTTP_IDEMPOTENCY_KEY="k")
    assert first.status_code == 202
    assert submit(api, HTTP_IDEMPOTENCY_KEY="k").json()["id"] == first.json()["id"]
    assert submit(api).status_code == 202
    refused = submit(api)
    problem = refused.json()
    assert (refused.status_code, problem["type"]) == (429, "urn:watchdog:problem:quota_exceeded")
    assert (problem["quota"], problem["limit"]) == ("checks_per_day", 2)
    assert problem["resets_at"].endswith("T00:00:00Z")
    assert 0 < int(refused["Retry-After"]) <= 86_400
    assert submit(api, HTTP_IDEMPOTENCY_KEY="k").status_code == 202
    batch = {"items": [{"answer": "It is."}]}
    assert api.post(reverse("batches"), batch, format="json").status_code == 429
    assert Check.objects.count() == 2


def test_a_batch_counts_its_checks_once(api) -> None:
    Application.objects.update(checks_per_month=3)
    batch = {"items": [{"answer": "One."}, {"answer": "Two."}, {"nothing": 1}]}
    for _ in range(2):
        response = api.post(reverse("batches"), batch, format="json", HTTP_IDEMPOTENCY_KEY="b")
        assert response.status_code == 202
    assert sum(QuotaUse.objects.values_list("checks", flat=True)) == 2
    assert api.post(reverse("batches"), batch, format="json").status_code == 429
    assert submit(api).status_code == 202


def test_claims_are_counted_when_a_check_is_done(application, api) -> None:
    Application.objects.update(claims_per_month=3)
    for answer in ("It is red. It is big.", "It is blue."):
        assert submit(api).status_code == 202  # as long as some are left
        response = api.post(
            reverse("checks"), {"answer": answer}, format="json", HTTP_PREFER="wait=0"
        )
        assert run_check(response.json()["id"])
    assert used_since(application.pk, timezone.now().date().replace(day=1), "claims") == 3
    refused = submit(api)
    problem = refused.json()
    assert (refused.status_code, problem["quota"], problem["limit"]) == (429, "claims_per_month", 3)
    assert problem["resets_at"].endswith("-01T00:00:00Z")


def test_without_a_quota_nothing_is_counted(api) -> None:
    assert submit(api).status_code == 202
    assert not QuotaUse.objects.exists()


def test_files_above_the_quota_are_refused(application, api, superuser, client) -> None:
    create_collection(application=application, name="books", by="t")
    Application.objects.update(file_megabytes=1)

    def send(size: int):
        file = StringIO("a" * size)
        file.name = f"{size}.txt"
        return api.post(reverse("documents"), {"collection": "books", "file": file})

    assert send(900_000).status_code == 202
    response = send(200_000)
    assert (response.status_code, response.json()["quota"]) == (429, "file_megabytes")
    assert "0.9 are used" in response.json()["detail"]
    assert Document.objects.count() == 1


def test_what_was_used_as_json_and_csv(other_application, api, make_check, client_with) -> None:
    check = make_check("One is here. Two are there.", sources=["One is here."])
    run_check(check.pk)
    make_check("Waiting.")
    today = timezone.now().date().isoformat()
    row = {"day": today, "checks": 2, "done": 1, "failed": 0, "claims": 2}
    assert api.get(reverse("usage")).json() == {"results": [row]}
    csv = api.get(reverse("usage"), {"format": "csv"})
    assert csv["Content-Type"].startswith("text/csv")
    lines = f"day,checks,done,failed,claims\r\n{today},2,1,0,2\r\n"
    assert csv.content.decode() == lines
    assert client_with(other_application).get(reverse("usage")).json() == {"results": []}
    early = {"first": "2020-01-01", "last": "2020-02-01"}
    assert api.get(reverse("usage"), early).json() == {"results": []}
    assert api.get(reverse("usage"), {"first": "2020-01-01"}).status_code == 400
    output = run("usage", "--first", date.today().isoformat())
    assert output == f"application,day,checks,done,failed,claims\ndemo,{today},2,1,0,2\n"
