"""Devices of the second factor; secrets are encrypted, recovery codes are digests.

The tables are django-otp's, whose own models would read the secrets as plain text.
"""

from typing import Any

import structlog
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from accounts import encryption

_SECRET_BYTES = 20
_TOTP, _RECOVERY = "authenticator secret", "recovery code"
_TOKEN_LENGTH = StaticToken._meta.get_field("token").max_length or 0
log = structlog.get_logger(__name__)


class Authenticator(TOTPDevice):  # type: ignore[misc]  # it ships no types
    """An authenticator app. `key` is encrypted for its user."""

    class Meta:
        proxy = True
        default_permissions = ()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the device; a new one gets a secret."""
        if self._state.adding:
            self.key = encrypted_key(random_hex(_SECRET_BYTES), self.user_id)
        super().save(*args, **kwargs)

    @property
    def bin_key(self) -> bytes:
        """The decrypted secret."""
        return encryption.decrypt(self.key, purpose=_TOTP, row=str(self.user_id))

    def verify_token(self, token: str) -> bool:
        """Return whether the code is valid now and was not used before."""
        try:
            return bool(super().verify_token(token))
        except encryption.UndecryptableError as error:
            log.error("second_factor_unreadable", device=self.pk, reason=str(error))
            return False


class RecoveryCodes(StaticDevice):  # type: ignore[misc]  # it ships no types
    """Recovery codes, stored only as digests."""

    class Meta:
        proxy = True
        default_permissions = ()

    def add(self, count: int) -> list[str]:
        """Create and return new codes, which cannot be read again."""
        codes = [StaticToken.random_token() for _ in range(count)]
        tokens = [token_digests(code, self.user_id)[0] for code in codes]
        StaticToken.objects.bulk_create(StaticToken(device=self, token=token) for token in tokens)
        return codes

    def verify_token(self, token: str) -> bool:
        """Use a recovery code; return whether it was valid and unused."""
        tokens = set(self.token_set.values_list("token", flat=True))
        digests = token_digests(token, self.user_id)
        return bool(super().verify_token(next((d for d in digests if d in tokens), digests[0])))


def encrypted_key(hex_key: str, user_id: int) -> str:
    """Return an authenticator's secret, encrypted for storage."""
    return encryption.encrypt(bytes.fromhex(hex_key), purpose=_TOTP, row=str(user_id))


def token_digests(code: str, user_id: int) -> list[str]:
    """Return a recovery code's digests by the present key and by former ones."""
    return encryption.digests(code, purpose=_RECOVERY, row=str(user_id), length=_TOKEN_LENGTH)
