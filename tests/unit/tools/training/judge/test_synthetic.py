"""Tests of tools.training.judge.synthetic."""

from collections import Counter
from random import Random

from tools.training.judge.data import ENTAIL
from tools.training.judge.synthetic import block

BLOCKS = [block(Random(seed)) for seed in range(2_000)]


def test_no_claim_is_both_right_and_wrong():
    for each in BLOCKS:
        right = {claim.text for claim in each.claims if claim.target == ENTAIL}
        wrong = {claim.text for claim in each.claims if claim.target != ENTAIL}
        assert right
        assert wrong
        assert not right & wrong, each


def test_no_word_tells_right_claims_from_wrong_ones():
    shares = Counter[str]()
    seen = Counter[str]()
    for each in BLOCKS:
        for claim in each.claims:
            for word in set(claim.text.rstrip(".").split()):
                seen[word] += 1
                shares[word] += claim.target == ENTAIL
    common = {word: shares[word] / count for word, count in seen.items() if count > 400}
    assert len(common) > 20
    assert all(0.25 < share < 0.75 for share in common.values()), common


def test_a_bare_answer_comes_with_its_question():
    bare = [each for each in BLOCKS if len(each.claims) == 2 and each.claims[1].target == 2]
    assert len(bare) > 200
    assert all(each.question.endswith("?") for each in bare)


def test_a_seed_gives_the_same_block_again():
    assert block(Random(7)) == block(Random(7)) != block(Random(8))
