"""What the judge's training draws."""

from tools.training.judge.data import CONTRADICT, ENTAIL, Block, LabelledClaim
from tools.training.judge.mix import pooled


def pair(n: int) -> Block:
    """A premise with one claim."""
    return Block((f"Premise {n}.",), "", (LabelledClaim(f"Claim {n}.", None, n % 2 * CONTRADICT),))


def test_pairs_are_pooled_and_none_is_lost() -> None:
    pairs = [pair(n) for n in range(20)]
    groups = pooled(pairs)
    assert [len(group.claims) for group in groups] == [6, 6, 6, 2]
    claims = {claim.text: claim.target for group in groups for claim in group.claims}
    assert claims == {f"Claim {n}.": CONTRADICT if n % 2 else ENTAIL for n in range(20)}
    for group in groups:
        own = [claim.text.replace("Claim", "Premise") for claim in group.claims]
        assert list(group.texts) == own
    assert pooled(pairs) == groups, "the same groups every time"
