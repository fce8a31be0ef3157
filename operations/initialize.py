"""The first application, key and log-in, from variables: for a start without a shell (GitOps).

Each is created where it is missing and then left as it is, so that every start may ask for it.
"""

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.text import slugify

from accounts import keys
from accounts.models import ApiKey, Application
from accounts.services import create_api_key, create_application
from audit.models import Event
from audit.services import append
from operations.backup import OperationError

BY = "initialize"
_KEY_NAME = "first key"


@transaction.atomic
def initialize(*, application: str, key: str, email: str, password: str) -> list[str]:
    """Create what the variables name; return a line for each. Raises OperationError."""
    if key and not application:
        raise OperationError("WATCHDOG_INIT_KEY needs WATCHDOG_INIT_APPLICATION, whose key it is.")
    if bool(email) != bool(password):
        raise OperationError(
            "Set WATCHDOG_INIT_ADMIN_EMAIL and WATCHDOG_INIT_ADMIN_PASSWORD, or neither."
        )
    return list(_created(application, key, email, password))


def _created(application: str, key: str, email: str, password: str) -> Iterator[str]:
    admin = None
    if email:
        admin = User.objects.filter(username=email).first()
        if admin is None:
            admin = User(username=email, email=email, is_staff=True, is_superuser=True)
            try:
                validate_email(email)
                validate_password(password, admin)
            except ValidationError as error:
                raise OperationError(
                    f"WATCHDOG_INIT_ADMIN_…: {' '.join(error.messages)}"
                ) from error
            admin.set_password(password)
            admin.save()
            append(Event.USER_CREATED, subject=admin, by=BY)
            yield f"administrator {email}"
    if application:
        slug = slugify(application)[:60]
        if not slug:
            raise OperationError("WATCHDOG_INIT_APPLICATION has no letter or digit.")
        owned = Application.objects.filter(slug=slug).first()
        if owned is None:
            owned = create_application(name=application, slug=slug, by=BY)
            yield f"application {slug}"
        if key and _create_key(owned, key, admin):
            yield f"key of {slug}"


def _create_key(application: Application, token: str, owner: User | None) -> bool:
    """Create the key; return False if it exists, even if it was revoked since."""
    try:
        material = keys.read_key(token)
    except ValueError as error:
        raise OperationError(f"WATCHDOG_INIT_KEY: {error}") from error
    existing = ApiKey.objects.filter(prefix=material.prefix).first()
    if existing is None:
        create_api_key(
            application=application, name=_KEY_NAME, by=BY, owner=owner, material=material
        )
        return True
    if (
        existing.secret_sha256 != material.secret_sha256
        or existing.application_id != application.pk
    ):
        raise OperationError("WATCHDOG_INIT_KEY begins like another key: make a new one.")
    return False
