"""Managers of two applications, and the model that their facts are compared by."""

import pytest

from memory.models import Manager
from memory.services.managers import create_manager


@pytest.fixture(autouse=True)
def _compare_by_it(embedding_model) -> None:
    """Have the model prepared."""


@pytest.fixture
def ann(application) -> Manager:
    return create_manager(application=application, name="Ann", by="test")


@pytest.fixture
def ben(application) -> Manager:
    return create_manager(application=application, name="Ben", by="test")


@pytest.fixture
def stranger(other_application) -> Manager:
    """Make a manager of another application, of the same name."""
    return create_manager(application=other_application, name="Ann", by="test")
