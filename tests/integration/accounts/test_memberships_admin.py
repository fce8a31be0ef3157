"""Roles given and taken in the admin stand in the trail."""

from django.contrib.auth.models import User
from django.test import Client

from accounts.models import Application, Membership
from audit.models import Event, TrailEntry

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
