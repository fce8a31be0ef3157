"""Positions, buckets and masks: which token reads which."""

import numpy as np

from inference.judge.cache import ContextCache
from inference.judge.segments import CLAIM, QUESTION, WINDOW, Segment, pack
from inference.judge.signature import MASKED


def test_segments_stand_between_special_tokens_and_claims_count_from_256():
    packed = pack([Segment((7, 8), WINDOW), Segment((9,), CLAIM)])
    assert packed.ids.tolist() == [0, 7, 8, 2, 0, 9, 2]
    assert packed.positions.tolist() == [0, 1, 2, 3, 256, 257, 258]
    assert packed.kinds.tolist() == [WINDOW] * 4 + [CLAIM] * 3
    assert packed.firsts.tolist() == [0, 4]


def test_a_claim_reads_the_context_and_itself_alone():
    packed = pack([Segment((5,), CLAIM), Segment((6,), CLAIM)])
    context = Segment((1, 2, 3), QUESTION).positions()
    buckets = packed.buckets(context)
    assert buckets.shape == (6, 11)
    assert (buckets[:, :5] != MASKED).all()
    own = buckets[:, 5:] != MASKED
    assert own[:3, :3].all()
    assert own[3:, 3:].all()
    assert not own[:3, 3:].any()
    assert not own[3:, :3].any()


def test_buckets_are_those_of_mpnet():
    import torch
    from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

    packed = pack([Segment(tuple(range(118)), CLAIM)])
    context = Segment(tuple(range(200)), WINDOW).positions()
    keys = torch.from_numpy(np.concatenate([context, packed.positions]))
    distance = keys[None, :] - torch.from_numpy(packed.positions)[:, None]
    expected = MPNetEncoder.relative_position_bucket(distance, num_buckets=32).numpy()
    assert (packed.buckets(context) == expected).all()


def test_the_cache_drops_what_was_not_used_for_longest():
    first, second, third = (Segment((number,), WINDOW) for number in range(3))
    context = np.zeros((2, 1, 3, 4), np.float16)
    cache = ContextCache(2 * context.nbytes)
    cache.put(first, context)
    cache.put(second, context)
    assert cache.get(first) is context
    cache.put(third, context)
    assert cache.get(second) is None
    assert cache.get(first) is context
    assert cache.get(third) is context
    ContextCache(1).put(first, context)
