"""`python -m tools.launcher.seed`: makes tables, demo application, admin login and keys.

A run needs five Django commands before it can show itself; started one by one they would take
most of its time. Prints one line of JSON: what was made, with its secrets, for `make run` to show.
"""

import io
import json
import os
import secrets
import sys
from collections.abc import Mapping
from typing import Any

import django
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import transaction

ADMIN = "admin"
SLUG = "demo"
# The demonstration's key expires after a quarter of an hour.
DEMONSTRATION_DAYS = 0.01


def seed() -> dict[str, str]:
    """Do it all; what exists already stays as it is."""
    call_command("migrate", interactive=False, verbosity=0)
    call_command("create_application", "Demo", slug=SLUG, if_missing=True, stdout=io.StringIO())
    credentials = {"demonstration_key": new_key("make run", expires_in_days=DEMONSTRATION_DAYS)}
    if get_user_model().objects.filter(username=ADMIN).exists():
        return credentials
    return {**credentials, "admin": ADMIN, **first_login()}


@transaction.atomic
def first_login() -> dict[str, str]:
    """Make the admin, who marks a first run, and a key of theirs.

    If it breaks off, it is repeated.
    """
    password = secrets.token_urlsafe(12)
    os.environ["DJANGO_SUPERUSER_PASSWORD"] = password
    options: Mapping[str, Any] = {"username": ADMIN, "email": "admin@localhost"}
    call_command("createsuperuser", interactive=False, verbosity=0, **options)
    call_command("create_manager", "Admin", application=SLUG, user=ADMIN, stdout=io.StringIO())
    return {"key": new_key("first key", owner=ADMIN), "password": password}


def new_key(name: str, **options: Any) -> str:
    output = io.StringIO()
    call_command("create_api_key", SLUG, name=name, json=True, stdout=output, **options)
    return str(json.loads(output.getvalue())["key"])


if __name__ == "__main__":
    django.setup()
    json.dump(seed(), sys.stdout)
