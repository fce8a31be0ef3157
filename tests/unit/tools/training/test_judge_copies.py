"""Copied, misstated and foreign sentences that the judge learns from beside written claims."""

import random

from tools.training.judge.data import CONTRADICT, ENTAIL, Block, LabelledClaim
from tools.training.judge.mix import with_copies

BLOCK = Block(
    ("Refunds take 14 days and go to the card. Returns are free if unworn and unopened. Ask us.",),
    "How long?",
    (LabelledClaim("You get your money in two weeks.", (), ENTAIL),),
)


def test_copies_are_supported_and_changed_figures_are_not():
    random.seed(3)
    for _ in range(30):
        claims = with_copies(BLOCK, [BLOCK]).claims
        assert claims[0] == BLOCK.claims[0]
        for claim in claims[1:]:
            if claim.target == ENTAIL:
                assert claim.text.rstrip(".") in BLOCK.texts[0]
            elif claim.target == CONTRADICT:
                ((start, end),) = claim.spans
                assert claim.text[start:end] != "14"
                assert claim.text[:start] == "Refunds take "


def test_a_condition_is_never_cut_off():
    random.seed(3)
    texts = [c.text for _ in range(40) for c in with_copies(BLOCK, [BLOCK]).claims]
    assert not any(text == "Returns are free if unworn." for text in texts)
