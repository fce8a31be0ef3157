"""Processes for the tests of clients."""

from collections.abc import Iterator

import pytest

from tests.stack import PATIENT, Stack


@pytest.fixture
def open_stack(transactional_db: None, empty_redis: None) -> Iterator[Stack]:
    """Processes that may send webhooks to this machine."""
    running = Stack.start(**PATIENT, WEBHOOK_ALLOWED_HOSTS="127.0.0.1", NLI_MODEL="embedded")
    yield running
    running.stop()
