"""Applications page by page, and API keys, for whose use somebody answers."""

import re
from datetime import UTC, datetime, timedelta

from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiKey, Application, Scope
from accounts.services import create_api_key
from audit.models import Event, TrailEntry


def test_an_application_is_made_by_name_and_opened(desk) -> None:
    add = reverse("admin:accounts_application_add")
    assert b"desk_days" not in desk.get(add).content
    desk.post(add, {"name": "Claims", "slug": "claims"})
    claims = Application.objects.get(slug="claims")
    assert TrailEntry.objects.filter(
        event=Event.APPLICATION_CREATED, application_id=claims.pk
    ).exists()


def test_each_page_of_an_application_changes_its_own_fields(desk, application) -> None:
    page = reverse("admin:accounts_application_change", args=[application.pk])
    hours = {
        "desk_time_zone": "Europe/Oslo", "desk_days": ["3", "1"],
        "desk_opens_at": "08:00", "desk_closes_at": "16:30",
    }  # fmt: skip
    answer = desk.post(f"{page}?tab=hours", hours)
    assert answer.headers["Location"] == f"{page}?tab=hours", "one stays on the page"
    desk.post(f"{page}?tab=review", {"quality_sample_rate": "2.5", "second_review_share": "10"})
    application.refresh_from_db()
    assert (application.desk_time_zone, application.desk_days) == ("Europe/Oslo", "13")
    assert (application.quality_sample_rate, application.second_review_share) == (0.025, 0.1)
    assert application.name == "Demo", "fields of other pages stay"
    shares = desk.get(f"{page}?tab=review").content.decode()
    assert 'name="quality_sample_rate" value="2.5"' in shares
    assert "from 0 to 1" not in shares
    refused = desk.post(f"{page}?tab=review", {"quality_sample_rate": "101"})
    assert "less than or equal to 100" in refused.content.decode()
    assert b'name="slug"' in desk.get(f"{page}?tab=unheard-of").content


def test_a_page_saved_as_it_is_leaves_nothing_in_the_trail(desk, application) -> None:
    page = reverse("admin:accounts_application_change", args=[application.pk])
    form = desk.get(f"{page}?tab=review").context["adminform"].form
    desk.post(
        f"{page}?tab=review",
        {name: form[name].value() for name in form.fields if form[name].value()},
    )
    assert not TrailEntry.objects.filter(event=Event.APPLICATION_CHANGED).exists()


def test_retention_is_told_in_words(desk, application, monkeypatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 27, 12, tzinfo=UTC))
    page = reverse("admin:accounts_application_change", args=[application.pk]) + "?tab=retention"
    words = desk.get(page).content.decode()
    assert (words.count("to keep them for ever."), words.count("Now: kept")) == (5, 0)
    Application.objects.update(keep_inputs_days=30, keep_files_days=1)
    words = desk.get(page).content.decode()
    assert "Now: kept for 30 days; the coming night erases what is older than 28 Oct 2026." in words
    assert "Now: kept for 1 day; the coming night erases what is older than 26 Nov 2026." in words


def test_a_key_says_whether_it_works(desk, application) -> None:
    hour = timedelta(hours=1)
    for name, expires_at in (("young", None), ("old", timezone.now() - hour), ("gone", None)):
        key, _token = create_api_key(application=application, name=name, by="t")
        ApiKey.objects.filter(pk=key.pk).update(
            created_at=timezone.now() - 2 * hour,
            expires_at=expires_at,
            revoked_at=timezone.now() if name == "gone" else None,
        )
    page = desk.get(reverse("admin:accounts_apikey_changelist")).content.decode()
    states = re.findall(r'field-state">(\w+)', page)
    assert states == ["revoked", "expired", "valid"]
    assert page.count('field-last_used">never') == 3
    assert page.count('field-expires">never') == 2


def test_a_new_key_is_copied_with_a_button(desk, application) -> None:
    data = {"application": application.pk, "name": "server", "scopes": [Scope.CHECKS_READ]}
    add = reverse("admin:accounts_apikey_add")
    page = desk.post(add, data, follow=True).content.decode()
    token = re.search(r'data-copy="(wd_\w+)"', page)
    assert token
    assert f"shown once: {token[1]} <button" in page
    assert "Read checks (checks:read)" in desk.get(add).content.decode()
