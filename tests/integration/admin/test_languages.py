"""Pages in German: by the browser's header or by choice; the API stays English."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from accounts.models import Application
from analysis.models import Check
from analysis.services.policies import active_policy
from tests.unit.watchdog_site.catalogues import compiled

pytestmark = pytest.mark.usefixtures("empty_redis")
GERMAN = {"accept-language": "de-DE,de;q=0.9,en;q=0.5"}
LEAST_WORDS = 3


def sentences() -> list[str]:
    """English strings long enough that no word of another language is taken for one."""
    return [
        english
        for english, german in compiled("de").items()
        if english != german and "%" not in english and len(english.split()) >= LEAST_WORDS
    ]


def shown(html: str) -> str:
    """The words of a page, without what is shown as data."""
    words = re.sub(r"<[^>]+>", " ", re.sub(r"<pre.*?</pre>", "", html, flags=re.DOTALL))
    return " ".join(unescape(words).split())


def test_german_pages_hold_no_english_sentence_of_the_catalogue(
    superuser: User, application: Application, checked: Callable[..., Check]
) -> None:
    check = checked("The mill stands in Oslo.", sources=["The old mill stands in Lyon."])
    policy = active_policy(application.pk)
    client = Client(headers=GERMAN)
    client.force_login(superuser)
    found = []
    for address in (
        "/", "/playground/", f"/playground/{check.pk}/",
        reverse("admin:analysis_check_changelist"),
        reverse("admin:analysis_check_change", args=[check.pk]),
        reverse("admin:analysis_review_changelist"),
        reverse("admin:analysis_review_workbench") + "?queues=1",
        reverse("admin:analysis_policy_changelist"),
        reverse("admin:analysis_policy_change", args=[policy.pk]),
        reverse("admin:analysis_policy_new", args=[policy.pk]),
        reverse("admin:analysis_policy_replay", args=[policy.pk]) + "?sample=10",
        reverse("admin:analysis_policy_trial", args=[policy.pk]),
        reverse("dashboard_checks"), reverse("dashboard_reviews"), reverse("dashboard_topics"),
        reverse("admin:audit_trailentry_changelist"),
    ):  # fmt: skip
        answer = client.get(address)
        assert answer.status_code == 200, address
        page = answer.content.decode()
        assert '<html lang="de"' in page, address
        words = shown(page)
        found += [f"{address}: {text}" for text in sentences() if text in words]
    assert found == []


def test_the_readers_choice_counts_more_than_the_browser(superuser: User) -> None:
    client = Client(headers=GERMAN)
    client.force_login(superuser)
    assert "Ihre Warteschlange" in client.get("/").content.decode()
    answer = client.post(reverse("set_language"), {"language": "en", "next": "/"})
    assert answer["Location"] == "/"
    assert "Your review queue" in client.get("/").content.decode()


def test_numbers_and_dates_are_the_languages_own(
    superuser: User, application: Application, checked: Callable[..., Check]
) -> None:
    check = checked()
    client = Client(headers=GERMAN)
    client.force_login(superuser)
    page = client.get(reverse("admin:analysis_check_changelist")).content.decode()
    assert re.search(rf"\d{{1,2}}\. \w+\.? {check.created_at.year}, \d\d:\d\d", page)
    policy = active_policy(application.pk)
    effect = client.post(reverse("admin:analysis_policy_effect", args=[policy.pk]))
    assert "100,0 %" in effect.content.decode()


def test_the_api_answers_in_english_whatever_the_browser_asks(superuser: User) -> None:
    client = Client(headers=GERMAN)
    client.force_login(superuser)
    client.get("/")
    answer = client.get("/api/v1/checks")
    assert answer.status_code == 401
    assert answer.json()["title"] == "Unauthorized"
    assert "Content-Language" not in answer
    assert "Accept-Language" not in answer.get("Vary", "")
