"""Managers of two applications."""

import pytest

from accounts.models import Application
from memory.models import Manager
from memory.services.managers import create_manager


@pytest.fixture
def ann(application: Application) -> Manager:
    """A manager of `application`."""
    return create_manager(application=application, name="Ann", by="test")


@pytest.fixture
def ben(application: Application) -> Manager:
    """Another manager of `application`."""
    return create_manager(application=application, name="Ben", by="test")


@pytest.fixture
def stranger(other_application: Application) -> Manager:
    """A manager of another application."""
    return create_manager(application=other_application, name="Ann", by="test")
