"""The navigation's entries for a person whose roles are looked up."""

from django.contrib.auth.models import User

from accounts.navigation import destinations


def test_a_manager_is_offered_no_desk(db) -> None:
    kim = User.objects.create_user("kim")
    assert [str(d.label) for d in destinations(kim, "/assistant/")] == ["Assistant", "Memory"]
