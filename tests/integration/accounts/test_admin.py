"""Keys and memberships in the admin, and the navigation of each page."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from accounts.models import ApiKey, Application, Membership, Scope
from accounts.navigation import destinations
from audit.models import Event, TrailEntry


@pytest.mark.parametrize("named", [False, True])
def test_a_key_has_an_owner(
    named: bool, application: Application, superuser: User, client: Client
) -> None:
    other = User.objects.create_user("ann")
    client.force_login(superuser)
    data = {"application": application.pk, "name": "server", "scopes": [Scope.CHECKS_READ]}
    response = client.post(
        reverse("admin:accounts_apikey_add"), data | ({"owner": other.pk} if named else {})
    )
    assert response.status_code == 302, response.content.decode()[:2000]
    assert ApiKey.objects.get().owner == (other if named else superuser)


LIST = "/admin/accounts/membership/"


def test_a_role_is_given_changed_and_withdrawn(
    client: Client, superuser: User, application: Application, other_application: Application
) -> None:
    client.force_login(superuser)
    anna = User.objects.create_user("anna")
    form = {"user": anna.pk, "application": application.pk}
    client.post(f"{LIST}add/", form | {"role": "lead"})
    row = Membership.objects.get()
    moved = form | {"application": other_application.pk, "role": "auditor"}
    client.post(f"{LIST}{row.pk}/change/", moved)
    row.refresh_from_db()
    assert (row.role, row.application) == ("auditor", application)  # it never moves
    client.post(LIST, {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"})
    assert not Membership.objects.exists()
    about = TrailEntry.objects.filter(subject_type="membership").order_by("id")
    assert [(entry.event, entry.data["role"], entry.data["user"]) for entry in about] == [
        (Event.ROLE_GRANTED, "lead", "anna"),
        (Event.ROLE_GRANTED, "auditor", "anna"),
        (Event.ROLE_WITHDRAWN, "auditor", "anna"),
    ]


def test_a_manager_is_offered_no_desk(db: None) -> None:
    kim = User.objects.create_user("kim")
    assert [str(d.label) for d in destinations(kim, "/assistant/")] == ["Assistant", "Memory"]
