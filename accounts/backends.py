"""Authentication backends: a password here, or the identity provider."""

from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.auth.backends import BaseBackend, ModelBackend
from django.contrib.auth.models import User
from django.http import HttpRequest

PROVIDER = "accounts.backends.ProviderAccounts"


class LocalAccounts(ModelBackend):
    """Users and passwords stored here.

    With `LOCAL_LOGIN=false` they open nothing, not even existing sessions, except for the superuser
    in `BREAK_GLASS_USER`.
    """

    def user_can_authenticate(self, user: Any) -> bool:
        """Return whether this person may log in with a password."""
        return super().user_can_authenticate(user) and (settings.LOCAL_LOGIN or _breaks_glass(user))


class ProviderAccounts(BaseBackend):
    """People who signed in at the provider; the callback page logs them in."""

    def get_user(self, user_id: Any) -> User | None:
        """Return the session's user, or None if the account was closed or there is no provider."""
        if not settings.OIDC_ISSUER:
            return None
        return User.objects.filter(pk=user_id, is_active=True).first()


def came_from_provider(request: HttpRequest) -> bool:
    """Return whether this session began at the provider."""
    return bool(request.session.get(BACKEND_SESSION_KEY) == PROVIDER)


def _breaks_glass(user: User) -> bool:
    name = settings.BREAK_GLASS_USER
    return bool(name) and user.get_username() == name and user.is_superuser
