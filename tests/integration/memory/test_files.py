"""USER_MEMORY.md and COMPANY_MEMORY.md, out and in; managers that a command creates."""

import json

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from memory.models import Manager, MemoryEntry, Target
from memory.outcomes import Status
from memory.services import remember
from memory.services.files import NotReadable, export, import_file
from memory.services.managers import create_manager
from tests.commands import run

ROLE = "I'm the site safety manager."
LIMIT = "The scaffold wind limit is 25 km/h."


def test_what_is_exported_comes_back_with_its_dates(ann, stranger, tmp_path) -> None:
    remember(ann, ROLE)
    remember(ann, LIMIT)
    place = {"application": "demo", "manager": "Ann", "dir": tmp_path}
    run("memory", "export", **place)
    folder = tmp_path / "users" / str(ann.pk)
    assert (folder / "USER_MEMORY.md").read_text().splitlines()[0] == "# USER_MEMORY"
    company = (folder / "COMPANY_MEMORY.md").read_text()
    assert LIMIT in company
    assert ROLE not in company
    report = import_file(stranger, Target.COMPANY, company, by="test")
    assert report.count(Status.WRITTEN) == 1
    original, imported = MemoryEntry.objects.filter(text=LIMIT).order_by("id")
    assert imported.stated_at == original.stated_at.replace(microsecond=0)
    assert (imported.origin, imported.stated_by) == ("imported", stranger)
    assert run("memory", "import", **place).count("0 stored, 1 known already, 0 refused") == 2


def test_an_old_file_does_not_undo_a_newer_value(ann) -> None:
    remember(ann, LIMIT)
    old = "# COMPANY_MEMORY\n\n- [2020-01-01 08:00 UTC] The scaffold wind limit is 20 km/h.\n"
    (fact,) = import_file(ann, Target.COMPANY, old, by="test").facts
    assert (fact.status, fact.code) == (Status.REFUSED, "older")
    assert export(ann, Target.COMPANY, by="test").count("\n- ") == 1


def test_what_is_never_stored_is_not_imported_either(ann) -> None:
    file = f"- {ROLE}\n- My mobile is 07700 900123.\n- The wind is 23 km/h now.\n"
    report = import_file(ann, Target.USER, file, by="test")
    assert [fact.code for fact in report.facts] == ["", "personal_data", "single_reading"]
    assert MemoryEntry.objects.count() == 1


@pytest.mark.parametrize("row", ["just words", "- [yesterday] I'm Ann.", "- [2999-01-01] I'm Ann."])
def test_a_file_of_something_else_is_refused_as_a_whole(ann, row) -> None:
    with pytest.raises(NotReadable):
        import_file(ann, Target.USER, f"- {ROLE}\n{row}\n", by="test")
    assert not MemoryEntry.objects.exists()


def test_an_unknown_manager_and_a_missing_file_are_told(ann, tmp_path) -> None:
    for manager, words in (("Nobody", "no manager"), ("Ann", "No such file")):
        with pytest.raises(CommandError, match=words):
            call_command("memory", "import", application="demo", manager=manager, dir=tmp_path)


def create(*words: str, **options: str) -> dict[str, str]:
    return json.loads(run("create_manager", *words, **options))


def test_who_is_made_logs_in_and_asks(application) -> None:
    details = create("Kim", application=application.slug, user="kim")
    client = Client()
    right = {"username": "kim", "password": details["password"]}
    page = client.post("/login", right, follow=True).content.decode()
    assert "Ask a question" in page
    assert not User.objects.get(username="kim").is_staff


def test_a_manager_whom_a_client_made_gets_a_log_in(application) -> None:
    manager = create_manager(application=application, name="Ann", by="a client")
    User.objects.create_user("ann")
    details = create("Ann", application=application.slug, user="ann")
    assert (details["id"], "password" in details) == (str(manager.pk), False)
    assert Manager.objects.get().user == User.objects.get(username="ann")


@pytest.mark.parametrize("options", [{}, {"user": "kim"}, {"user": "lee"}])
def test_nothing_is_made_twice(application, options) -> None:
    create("Kim", application=application.slug, user="kim")
    with pytest.raises(CommandError, match="has a log-in already"):
        create("Kim", application=application.slug, **options)
    assert not User.objects.filter(username="lee").exists()


@pytest.mark.parametrize(
    ("slug", "user", "message"),
    [
        ("none", "kim", "There is no application"),
        ("", "a b/c", "no valid name"),
        ("", "ann", "another"),
    ],
)
def test_what_is_wrong_is_told(application, slug, user, message) -> None:
    create("Ann", application=application.slug, user="ann")
    with pytest.raises(CommandError, match=message):
        create("Kim", application=slug or application.slug, user=user)
    assert Manager.objects.count() == User.objects.count() == 1
