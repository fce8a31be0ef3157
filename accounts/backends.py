"""Who may log in: with a password here, or at the provider."""

from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.auth.backends import BaseBackend, ModelBackend
from django.contrib.auth.models import User
from django.http import HttpRequest

PROVIDER = "accounts.backends.ProviderAccounts"


class LocalAccounts(ModelBackend):
    """Names and passwords kept here.

    With `LOCAL_LOGIN=false` they open nothing, sessions that stand included, but for the superuser
    that `BREAK_GLASS_USER` names.
    """

    def user_can_authenticate(self, user: Any) -> bool:
        """Whether this person may log in with a password."""
        return super().user_can_authenticate(user) and (settings.LOCAL_LOGIN or _breaks_glass(user))


class ProviderAccounts(BaseBackend):
    """People who signed in at the provider; the page of its answer logs them in."""

    def get_user(self, user_id: Any) -> User | None:
        """Whose session it is, unless the account was closed or there is no provider any more."""
        if not settings.OIDC_ISSUER:
            return None
        return User.objects.filter(pk=user_id, is_active=True).first()


def came_from_provider(request: HttpRequest) -> bool:
    """Whether this session began at the provider."""
    return bool(request.session.get(BACKEND_SESSION_KEY) == PROVIDER)


def _breaks_glass(user: User) -> bool:
    name = settings.BREAK_GLASS_USER
    return bool(name) and user.get_username() == name and user.is_superuser
