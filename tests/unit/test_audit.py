"""The trail: leaves and links, signatures, and the statements that write it."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import signing
from audit.sealing import LEAF_BYTES, Leaf, canonical, genesis, linked, pack, unpack
from tools.launcher.environment import CHECKOUT
from tools.launcher.packages import NOT_PACKAGES

CHAIN, OTHER = UUID(int=1), UUID(int=2)
LEAVES = [Leaf(n, bytes([n]) * 32, bytes([n + 100]) * 32) for n in (1, 2, 3)]


def test_canonical_json_is_one_sequence_of_bytes() -> None:
    assert canonical({"b": [1, 2.5, None], "a": "é"}) == '{"a":"é","b":[1,2.5,null]}'.encode()
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical(float("nan"))


def test_a_chain_of_two_batches_is_the_chain_of_one() -> None:
    end = linked(genesis(CHAIN), LEAVES)
    assert linked(linked(genesis(CHAIN), LEAVES[:1]), LEAVES[1:]) == end


def test_every_change_changes_the_end() -> None:
    first, second, third = LEAVES
    other = Leaf(2, second.entry, bytes(32))
    chains = [
        [first, second, third], [first, third], [first, second], [second, first, third],
        [first, other, third], [first, second, second, third],
    ]  # fmt: skip
    ends = {linked(genesis(CHAIN), chain) for chain in chains} | {linked(genesis(OTHER), LEAVES)}
    assert len(ends) == len(chains) + 1


digests = st.binary(min_size=32, max_size=32)


@given(st.lists(st.builds(Leaf, st.integers(0, 2**63 - 1), digests, digests)))
def test_packed_leaves_are_read_back(leaves) -> None:
    assert list(unpack(pack(leaves))) == leaves


def test_cut_leaves_are_refused() -> None:
    with pytest.raises(ValueError, match="cut"):
        list(unpack(pack(LEAVES)[: LEAF_BYTES + 5]))


KEY = base64.b64encode(bytes(range(32))).decode()


def test_only_the_signed_message_verifies() -> None:
    signature = signing.sign(b"one")
    keys = signing.trusted_keys()
    assert signing.is_signed(b"one", signature, keys)
    assert not signing.is_signed(b"two", signature, keys)
    assert not signing.is_signed(b"one", bytes(64), keys)
    assert not signing.is_signed(b"one", b"short", keys)


def test_an_earlier_key_is_trusted_when_it_is_named(settings) -> None:
    before, signature = signing.public_key(), signing.sign(b"one")
    settings.TRAIL_SIGNING_KEY = KEY
    assert signing.public_key() != before
    assert not signing.is_signed(b"one", signature, signing.trusted_keys())
    settings.TRAIL_PUBLIC_KEYS = [before]
    assert signing.is_signed(b"one", signature, signing.trusted_keys())


def test_another_secret_makes_another_key(settings) -> None:
    before = signing.public_key()
    settings.SECRET_KEY = "another"
    assert signing.public_key() != before


@pytest.mark.parametrize("key", ["", "no base64!", base64.b64encode(b"short").decode()])
def test_what_is_no_key_is_refused(key) -> None:
    with pytest.raises(signing.SigningKeyError):
        signing.is_signed(b"one", bytes(64), [key])


_INSERT = re.compile(r"INSERT\s+INTO\s+audit_trailentry|COPY\s+audit_trailentry", re.IGNORECASE)
_ORM = re.compile(r"(?<!class )TrailEntry(?:\.objects\.(?:\w*create|get_or_create)|\()")
_PACKAGES = [
    path.parent
    for path in CHECKOUT.glob("*/__init__.py")
    if path.parent.name not in {*NOT_PACKAGES, "tools"}
]


def _files(*suffixes: str) -> Iterator[Path]:
    for package in _PACKAGES:
        yield from (path for path in package.rglob("*") if path.suffix in suffixes)


def _matching(pattern: re.Pattern[str], *suffixes: str) -> set[str]:
    return {
        str(path.relative_to(CHECKOUT))
        for path in _files(*suffixes)
        if pattern.search(path.read_text("utf-8"))
    }


def test_two_statements_write_the_trail() -> None:
    assert _matching(_INSERT, ".py", ".sql") == {
        "analysis/sql/finish_check.sql",
        "analysis/sql/submit_check.sql",
    }


def test_the_orm_writes_the_trail_in_one_place() -> None:
    assert _matching(_ORM, ".py") == {"audit/services.py"}
