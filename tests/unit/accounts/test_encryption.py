"""Secrets are encrypted for their purpose and row, by a key that is derived from SECRET_KEY."""

import pytest

from accounts import encryption

SECRET = bytes(range(20))
HERE = {"purpose": "test", "row": "7"}


def test_it_is_read_again_and_never_written_alike():
    stored = [encryption.encrypt(SECRET, **HERE) for _ in range(2)]
    assert [encryption.decrypt(text, **HERE) for text in stored] == [SECRET, SECRET]
    assert stored[0] != stored[1]


@pytest.mark.parametrize("elsewhere", [{"row": "8"}, {"purpose": "other"}])
def test_it_is_read_in_no_other_place(elsewhere):
    stored = encryption.encrypt(SECRET, **HERE)
    with pytest.raises(encryption.UndecryptableError):
        encryption.decrypt(stored, **{**HERE, **elsewhere})


def test_what_was_changed_is_not_read():
    stored = encryption.encrypt(SECRET, **HERE)
    with pytest.raises(encryption.UndecryptableError):
        encryption.decrypt(stored[:30] + ("A" if stored[30] != "A" else "B") + stored[31:], **HERE)


def test_former_keys_read_and_the_present_one_writes(settings):
    stored = encryption.encrypt(SECRET, **HERE)
    digest = encryption.digests("code", **HERE, length=16)
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another " * 8
    with pytest.raises(encryption.UndecryptableError):
        encryption.decrypt(stored, **HERE)
    settings.SECRET_KEY_FALLBACKS = [former]
    assert encryption.decrypt(stored, **HERE) == SECRET
    assert encryption.digests("code", **HERE, length=16)[1:] == digest
    assert encryption.digests("code", **HERE, length=16)[0] != digest[0]
