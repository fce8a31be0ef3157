"""Pages in German: by the browser's header or by choice; the API stays English."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from analysis.services.policies import active_policy
from assistant.services import start_conversation
from assistant.services.lifecycle import accept
from memory.models import Manager
from memory.services.managers import create_manager
from tests.unit.watchdog_site.catalogues import compiled

pytestmark = pytest.mark.usefixtures("empty_redis")
GERMAN = {"accept-language": "de-DE,de;q=0.9,en;q=0.5"}
LEAST_WORDS = 3
CODE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
"""As programs name things; people read words."""


def sentences() -> list[str]:
    """Return English strings long enough that no word of another language is taken for one."""
    return [
        english
        for english, german in compiled("de").items()
        if english != german and "%" not in english and len(english.split()) >= LEAST_WORDS
    ]


def shown(html: str) -> str:
    """Return the words of a page, without what is shown as data."""
    data = r"<(pre|code|textarea|script)\b.*?</\1>"
    words = re.sub(r"<[^>]+>", " ", re.sub(data, "", html, flags=re.DOTALL))
    return " ".join(unescape(words).split())


def test_german_pages_hold_no_english_sentence_of_the_catalogue_and_no_code(
    superuser, application, checked
) -> None:
    check = checked("The mill stands in Oslo.", sources=["The old mill stands in Lyon."])
    policy = active_policy(application.pk)
    client = Client(headers=GERMAN)
    client.force_login(superuser)
    untranslated = []
    for address in (
        "/", "/playground/", f"/playground/{check.pk}/",
        reverse("admin:analysis_check_changelist"),
        reverse("admin:analysis_check_change", args=[check.pk]),
        reverse("admin:analysis_review_changelist"),
        reverse("admin:analysis_review_workbench"),
        reverse("admin:analysis_policy_changelist"),
        reverse("admin:analysis_policy_change", args=[policy.pk]),
        reverse("admin:analysis_policy_new", args=[policy.pk]),
        reverse("admin:analysis_policy_replay", args=[policy.pk]) + "?sample=10",
        reverse("admin:analysis_policy_trial", args=[policy.pk]),
        reverse("dashboard_checks"), reverse("dashboard_reviews"), reverse("dashboard_topics"),
        reverse("dashboard_operation"),
        reverse("admin:audit_trailentry_changelist"), "/admin/advice/",
    ):  # fmt: skip
        answer = client.get(address, follow=True)
        assert answer.status_code == 200, address
        page = answer.content.decode()
        assert '<html lang="de"' in page, address
        words = shown(page)
        untranslated += [f"{address}: {text}" for text in sentences() if text in words]
        untranslated += [f"{address}: {code}" for code in CODE.findall(words)]
    assert untranslated == []


def test_lists_and_the_trail_name_things_in_german(superuser, checked) -> None:
    checked("The mill stands in Oslo.", sources=["The old mill stands in Lyon."])
    client = Client(headers=GERMAN)
    client.force_login(superuser)
    trail = shown(client.get(reverse("admin:audit_trailentry_changelist")).content.decode())
    assert "Einträge im Protokoll" in trail
    assert "Prüfung eingereicht" in trail
    assert "Check submitted" not in trail
    search = reverse("admin:documents_document_changelist") + "?q=mill"
    documents = shown(client.get(search).content.decode())
    assert "Aufgenommen" in documents
    assert "document" not in documents.lower()


@pytest.fixture
def manager(application) -> Manager:
    """Make a manager with a log-in, who is no staff."""
    user = User.objects.create_user("kim", email="kim@example.com")
    return create_manager(application=application, name="Kim", user=user, by="test")


def test_a_managers_pages_hold_no_english_sentence_of_the_catalogue(manager) -> None:
    conversation = start_conversation(manager, title="Kran")
    accept(conversation, "Kran?", by="kim", enqueue=False)
    client = Client(headers=GERMAN)
    client.force_login(manager.user)
    own = [manager.pk]
    texts_by_address = {
        reverse("assistant_of", args=own): ("Eine Frage stellen", "Unterhaltungen", "1 Frage"),
        reverse("assistant_talk", args=[*own, conversation.pk]): (
            "Eine weitere Frage stellen", "Prüft die Antwort", "Alle Unterhaltungen",
        ),
        reverse("assistant_schedule", args=own): ("Briefing per E-Mail", "Montag", "Uhrzeit"),
        reverse("memory_of", args=own): ("Gedächtnis", "Über die Baustelle", "Merken"),
    }  # fmt: skip
    untranslated = []
    for address, texts in texts_by_address.items():
        page = client.get(address).content.decode()
        words = shown(page)
        assert [text for text in texts if text not in words] == [], address
        untranslated += [f"{address}: {text}" for text in sentences() if text in unescape(page)]
    assert untranslated == []


def test_what_a_manager_is_told_is_german(manager) -> None:
    client = Client(headers=GERMAN)
    client.force_login(manager.user)
    form = {"statement": "The gate code is 4711."}
    page = client.post(reverse("memory_say", args=[manager.pk]), form, follow=True)
    assert "Nicht gespeichert. Es enthält ein Passwort" in shown(page.content.decode())
    when = {"at": "06:15", "weekdays": ["6"], "zone": "UTC", "email": "kim@example.com"}
    page = client.post(reverse("assistant_schedule", args=[manager.pk]), when, follow=True)
    words = shown(page.content.decode())
    assert "Eingeplant." in words
    assert "Nächstes: Sonntag, " in words


def test_the_readers_choice_counts_more_than_the_browser(superuser) -> None:
    client = Client(headers=GERMAN)
    client.force_login(superuser)
    assert "Ihre Warteschlange" in client.get("/").content.decode()
    answer = client.post(reverse("set_language"), {"language": "en", "next": "/"})
    assert answer["Location"] == "/"
    assert "Your review queue" in client.get("/").content.decode()


def test_numbers_and_dates_are_the_languages_own(superuser, application, checked) -> None:
    check = checked()
    client = Client(headers=GERMAN)
    client.force_login(superuser)
    page = client.get(reverse("admin:analysis_check_changelist")).content.decode()
    assert re.search(rf"\d{{1,2}}\. \w+\.? {check.created_at.year}, \d\d:\d\d", page)
    policy = active_policy(application.pk)
    effect = client.post(reverse("admin:analysis_policy_effect", args=[policy.pk]))
    assert "100,0 %" in effect.content.decode()


def test_the_api_answers_in_english_whatever_the_browser_asks(superuser) -> None:
    client = Client(headers=GERMAN)
    client.force_login(superuser)
    client.get("/")
    answer = client.get("/api/v1/checks")
    assert answer.status_code == 401
    assert answer.json()["title"] == "Unauthorized"
    assert "Content-Language" not in answer
    assert "Accept-Language" not in answer.get("Vary", "")
