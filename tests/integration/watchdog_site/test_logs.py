"""The log of a database's refusal."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Application
from watchdog_site.logs import exception_without_message


def test_a_refusal_is_logged_with_its_constraint_and_without_the_row(application) -> None:
    again = Application(name="The patient's secret", slug=application.slug)
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        again.save()
    event = exception_without_message(None, "error", {"exc_info": refused.value})
    assert event["constraint"] == "accounts_application_slug_key"
    assert "secret" not in str(event)
    assert application.slug not in str(event)
