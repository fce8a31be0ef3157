"""The navigation's entries for a person whose roles are looked up."""

from django.contrib.auth.models import User
from django.urls import reverse

from accounts.navigation import destinations


def test_a_manager_is_offered_no_desk(db) -> None:
    kim = User.objects.create_user("kim")
    assert [str(d.label) for d in destinations(kim, "/assistant/")] == ["Assistant", "Memory"]


def test_leads_find_managers_and_what_they_stated_in_the_settings(lead, as_user) -> None:
    """The page of a manager without a link says that a lead links it in the admin."""
    page = as_user(lead).get("/settings/").content.decode()
    for view in ("admin:memory_manager_changelist", "admin:memory_memoryentry_changelist"):
        assert f'href="{reverse(view)}"' in page
