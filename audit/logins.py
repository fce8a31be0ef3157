"""Log-ins to the admin, written into the trail."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.auth.signals import user_logged_in, user_login_failed

from audit.models import Event, TrailEntry
from audit.services import append


def connect() -> None:
    """Register both receivers."""
    user_logged_in.connect(_logged_in, dispatch_uid="audit.logged_in")
    user_login_failed.connect(_login_failed, dispatch_uid="audit.login_failed")


def _logged_in(sender: type[User], user: AbstractBaseUser, **_: Any) -> None:
    append(Event.LOGGED_IN, subject=user, by=user.get_username())


def _login_failed(sender: str, credentials: dict[str, Any], **_: Any) -> None:
    tried = str(credentials.get("username", ""))[:64]
    TrailEntry.objects.create(
        event=Event.LOGIN_FAILED, subject_type="user", subject_id=tried, actor=tried or "unknown"
    )
