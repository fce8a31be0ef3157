"""Two reviewers and a lead of the application, and a browser for each role."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts.models import Application, Role
from tests.integration.people import person
from tests.shapes import AsUser, Browser, Member


@pytest.fixture
def anna(application: Application) -> User:
    return person("anna", Role.REVIEWER, application)


@pytest.fixture
def ben(application: Application) -> User:
    return person("ben", Role.REVIEWER, application)


@pytest.fixture
def lead(application: Application) -> User:
    return person("lea", Role.LEAD, application)


@pytest.fixture
def browser(
    application: Application,
    other_application: Application,
    superuser: User,
    member: Member,
    as_user: AsUser,
) -> Browser:
    """Return a function that makes a browser of somebody in this role."""

    def open_for(role: str) -> Client:
        if role == "nobody":
            return Client()
        if role == "superuser":
            return as_user(superuser)
        if role == "foreign lead":
            return as_user(member("foreign", Role.LEAD, other_application))
        user = member("someone", _role(role), application)
        user.is_staff, user.is_active = role != "not staff", role != "inactive lead"
        user.save()
        return as_user(user)

    return open_for


def _role(name: str) -> Role | None:
    special_roles = {"not staff": Role.LEAD, "inactive lead": Role.LEAD}
    return special_roles.get(name, Role(name) if name in Role.values else None)
