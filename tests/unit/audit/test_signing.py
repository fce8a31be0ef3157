"""Signatures of the trail."""

import base64

import pytest
from pytest_django.fixtures import Settings

from audit import signing

KEY = base64.b64encode(bytes(range(32))).decode()


def test_only_the_signed_message_verifies() -> None:
    signature = signing.sign(b"one")
    keys = signing.trusted_keys()
    assert signing.is_signed(b"one", signature, keys)
    assert not signing.is_signed(b"two", signature, keys)
    assert not signing.is_signed(b"one", bytes(64), keys)
    assert not signing.is_signed(b"one", b"short", keys)


def test_an_earlier_key_is_trusted_when_it_is_named(settings: Settings) -> None:
    before, signature = signing.public_key(), signing.sign(b"one")
    settings.TRAIL_SIGNING_KEY = KEY
    assert signing.public_key() != before
    assert not signing.is_signed(b"one", signature, signing.trusted_keys())
    settings.TRAIL_PUBLIC_KEYS = [before]
    assert signing.is_signed(b"one", signature, signing.trusted_keys())


def test_another_secret_makes_another_key(settings: Settings) -> None:
    before = signing.public_key()
    settings.SECRET_KEY = "another"
    assert signing.public_key() != before


@pytest.mark.parametrize("key", ["", "no base64!", base64.b64encode(b"short").decode()])
def test_what_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(signing.SigningKeyError):
        signing.is_signed(b"one", bytes(64), [key])
