from hypothesis import given
from hypothesis import strategies as st

from inference.runtime import batches, padded

LENGTHS = st.lists(st.integers(1, 600), max_size=80)


@given(lengths=LENGTHS, budget=st.integers(1, 1000))
def test_each_text_once_and_no_batch_over_budget(lengths, budget):
    groups = batches(lengths, budget=budget)
    assert sorted(at for batch in groups for at in batch) == list(range(len(lengths)))
    for batch in groups:
        assert batch
        assert len(batch) == 1 or len(batch) * max(lengths[at] for at in batch) <= budget


def test_texts_of_like_length_stand_together():
    assert batches([100, 2, 90, 3], budget=200) == [[1, 3], [2, 0]]


def test_nothing_makes_no_batch():
    assert batches([], budget=10) == []


def test_shorter_rows_are_padded():
    assert padded([[4, 5], [6, 7, 8]], 1).tolist() == [[4, 5, 1], [6, 7, 8]]
