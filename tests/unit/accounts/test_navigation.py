"""The entry of the navigation that is marked as the current one."""

import pytest
from django.contrib.auth.models import AnonymousUser, User

from accounts.navigation import destinations


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("/admin/analysis/review/12/workbench/", "Reviews"),
        ("/admin/analysis/check/", "Checks"),
        ("/admin/dashboard/topics/", "Insights"),
        ("/playground/", "Settings"),
        ("/admin/audit/trailentry/verification/", "Settings"),
        ("/admin/audit/trailentry/", "Settings"),
    ],
)
def test_the_section_of_the_page_is_current(path, label) -> None:
    root = User(username="root", is_staff=True, is_superuser=True)
    assert [str(d.label) for d in destinations(root, path) if d.current] == [label]


def test_nobody_is_offered_nothing() -> None:
    assert destinations(AnonymousUser(), "/") == []
