"""The form of API keys."""

import pytest

from accounts import keys


def test_a_made_key_verifies_and_nothing_else_does() -> None:
    new_key = keys.make_key()
    split = keys.split(new_key.token)
    prefix, secret = split
    assert prefix == new_key.prefix
    assert keys.matches(secret, new_key.secret_sha256)
    assert not keys.matches(secret[:-1] + "g", new_key.secret_sha256)
    assert secret not in new_key.secret_sha256


def test_keys_differ() -> None:
    assert len({keys.make_key().token for _ in range(100)}) == 100


@pytest.mark.parametrize("token", ["", "wd", "wd__", "wd_a_", "xx_a_b", "wd_a_b_c", "Bearer x"])
def test_other_texts_are_not_keys(token) -> None:
    assert keys.split(token) is None
