"""Two reviewers and a lead of the application."""

import pytest
from django.contrib.auth.models import User

from accounts.models import Application, Role
from tests.integration.people import person


@pytest.fixture
def anna(application: Application) -> User:
    return person("anna", Role.REVIEWER, application)


@pytest.fixture
def ben(application: Application) -> User:
    return person("ben", Role.REVIEWER, application)


@pytest.fixture
def lead(application: Application) -> User:
    return person("lea", Role.LEAD, application)
