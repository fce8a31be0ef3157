"""Sessions that record the provider's sign-in they come from, so that it can end them.

`SESSION_ENGINE` names this module. For sessions that began with a password the three columns are
empty.
"""

from typing import Any, cast

from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import Q

FROM_PROVIDER = "oidc_session"
"""The member of a session that holds `issuer`, `subject` and `sid`."""
LONGEST_ID = 255


class Session(AbstractBaseSession):
    """A browser session. `sid` is the provider's name for its session, if it gives one."""

    issuer = models.CharField(max_length=300, blank=True)
    subject = models.CharField(max_length=LONGEST_ID, blank=True)
    sid = models.CharField(max_length=LONGEST_ID, blank=True)

    class Meta(AbstractBaseSession.Meta):
        indexes = [
            models.Index(fields=["subject"], name="session_subject", condition=~Q(subject="")),
            models.Index(fields=["sid"], name="session_sid", condition=~Q(sid="")),
        ]

    @classmethod
    def get_session_store_class(cls) -> type["SessionStore"]:
        return SessionStore


class LogoutToken(models.Model):
    """A logout token that was used; until it expires it is not accepted again."""

    jti = models.CharField(max_length=LONGEST_ID, unique=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.jti


class SessionStore(DatabaseSessionStore):
    """Django's database session store, with the provider's names in columns of their own.

    Each save writes them, so they follow the session through every change of its key.
    """

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast(Session, super().create_model_instance(data))
        for name, value in data.get(FROM_PROVIDER, {}).items():
            setattr(row, name, value)
        return row
