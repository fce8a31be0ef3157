"""A link opens one check until its last second, and nothing after any change to it."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.core.signing import Signer
from django.test import override_settings
from hypothesis import given, settings
from hypothesis import strategies as st

from desk.verdict_page.links import Link, LinkExpired, LinkForged, read_link, sign

APPLICATION, CHECK = UUID(int=1), UUID(int=2)


def link(seconds: int) -> Link:
    end = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=seconds)
    return Link(APPLICATION, CHECK, end)


def test_it_reads_back() -> None:
    new_link = link(60)
    assert read_link(sign(new_link)) == new_link


def test_it_needs_no_escaping_and_is_short() -> None:
    token = sign(Link(uuid4(), uuid4(), datetime.now(UTC)))
    assert all(c.isascii() and (c.isalnum() or c in "-_.") for c in token)
    assert len(token) < 110


@pytest.mark.parametrize("seconds", [0, -1, -86_400])
def test_it_expires(seconds) -> None:
    with pytest.raises(LinkExpired):
        read_link(sign(link(seconds)))


@settings(deadline=None)
@given(at=st.integers(0, 93), to=st.sampled_from("AZaz09-_."))
def test_any_change_of_any_character_is_noticed(at, to) -> None:
    token = sign(link(60))
    altered = token[:at] + to + token[at + 1 :]
    if altered == token:
        return
    with pytest.raises(LinkForged):
        read_link(altered)


@pytest.mark.parametrize("token", ["", ".", "x", "é.é", "a" * 5000, "\x00.\x00", "ab.cd.ef"])
def test_nonsense_is_forged(token) -> None:
    with pytest.raises(LinkForged):
        read_link(token)


def test_what_is_signed_for_something_else_opens_nothing() -> None:
    packed, _ = sign(link(60)).split(".")
    for salt in ("django.contrib.sessions.backends.signed_cookies", "other"):
        with pytest.raises(LinkForged):
            read_link(Signer(sep=".", salt=salt).sign(packed))
    with pytest.raises(LinkForged):
        read_link(Signer(sep=".", salt="analysis.confidence_view").sign("AAAA"))


def test_another_secret_opens_nothing_until_it_is_named_as_a_former_one() -> None:
    with override_settings(SECRET_KEY="former"):
        token = sign(link(60))
    with pytest.raises(LinkForged):
        read_link(token)
    with override_settings(SECRET_KEY_FALLBACKS=["former"]):
        assert read_link(token).check_id == CHECK
