from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.errors import ModelError
from inference.judge.onnx_judge import ContextCache
from inference.judge.segments import CLAIM, MASKED, QUESTION, WINDOW, Reader, Segment, pack
from tests.unit.inference.handmade import tokenizer_file


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


@pytest.fixture(scope="module")
def reader(tmp_path_factory) -> Reader:
    return Reader(tokenizer_file(tmp_path_factory.mktemp("reading")))


def test_words_carry_code_points_of_the_claim(reader) -> None:
    claim = "🙂 unbad会."
    words = reader.claim(claim).words
    assert [claim[word.start : word.end] for word in words] == ["🙂", "unbad会", "."]


def test_words_of_several_tokens_span_them(reader) -> None:
    (word,) = reader.claim("unbada").words
    assert (word.start, word.end, word.last - word.first) == (0, 6, 3)


def test_offsets_count_in_the_claim_as_given_also_with_halves_of_characters(reader) -> None:
    claim = "\ud83d\ude42 no \ud800 yes"
    words = reader.claim(claim).words
    parts = [claim[word.start : word.end] for word in words]
    assert parts == ["\ud83d\ude42", "no", "\ud800", "yes"]


@given(st.text(max_size=40))
def test_words_lie_in_the_claim_one_after_another(reader, claim) -> None:
    words = reader.claim(claim).words
    assert all(0 <= word.start < word.end <= len(claim) for word in words)
    assert all(a.end <= b.start and a.last <= b.first for a, b in pairwise(words))


def test_a_broken_tokenizer_is_told(tmp_path) -> None:
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(ModelError, match="cannot be read"):
        Reader(tmp_path / "tokenizer.json")
