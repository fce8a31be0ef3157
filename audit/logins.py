"""Log-ins, noted in the trail.

An unknown name may be a password typed into the wrong field, and the trail is never shortened: only
a keyed digest of such a name is stored.
"""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from audit.models import Event
from audit.services import append, append_named

_DIGEST_CHARACTERS = 16


def login_name(typed: str) -> str:
    """Return `typed` if it names a user, else `unknown:` and a digest keyed by SECRET_KEY."""
    if "\x00" not in typed and User.objects.filter(username=typed).exists():
        return typed
    digest = salted_hmac("audit.logins", typed, algorithm="sha256").hexdigest()
    return f"unknown:{digest[:_DIGEST_CHARACTERS]}"


def append_login_event(event: Event, name: str) -> None:
    """Append an entry about the log-in `name`, made by `login_name` or a user's own."""
    append_named(event, subject_type="user", subject_id=name[:64], by=name[:200])


@receiver(user_logged_in)
def _logged_in(sender: type[User], user: AbstractBaseUser, **_: Any) -> None:
    append(Event.LOGGED_IN, subject=user, by=user.get_username())


@receiver(user_login_failed)
def _login_failed(
    sender: str, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any
) -> None:
    if getattr(request, "axes_locked_out", False):
        return  # the entry of the lock-out stands for what is tried during it
    append_login_event(Event.LOGIN_FAILED, login_name(str(credentials.get("username", ""))))
