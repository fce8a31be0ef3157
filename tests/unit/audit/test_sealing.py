"""Leaves, links and canonical JSON."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.sealing import LEAF_BYTES, Leaf, canonical, genesis, linked, pack, unpack

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
def test_packed_leaves_are_read_back(leaves: list[Leaf]) -> None:
    assert list(unpack(pack(leaves))) == leaves


def test_cut_leaves_are_refused() -> None:
    with pytest.raises(ValueError, match="cut"):
        list(unpack(pack(LEAVES)[: LEAF_BYTES + 5]))
