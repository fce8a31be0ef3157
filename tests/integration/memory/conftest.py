"""Managers of two applications, and the model that their facts are compared by."""

import pytest
from pytest_django.fixtures import Settings

from accounts.models import Application
from inference.prepare import ensure_model
from inference.sources import DEFAULT_MODEL
from memory.models import Manager
from memory.services.managers import create_manager


@pytest.fixture(autouse=True)
def embedding_model(settings: Settings) -> None:
    """Prepare the checkout's own embedding model, which takes half a minute the first time."""
    ensure_model(DEFAULT_MODEL, settings.MODEL_DIR)


@pytest.fixture
def ann(application: Application) -> Manager:
    """Make a manager of `application`."""
    return create_manager(application=application, name="Ann", by="test")


@pytest.fixture
def ben(application: Application) -> Manager:
    """Make another manager of `application`."""
    return create_manager(application=application, name="Ben", by="test")


@pytest.fixture
def stranger(other_application: Application) -> Manager:
    """Make a manager of another application, of the same name."""
    return create_manager(application=other_application, name="Ann", by="test")
