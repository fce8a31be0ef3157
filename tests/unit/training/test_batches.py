import itertools

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from training.batches import UNMARKED, encode, pad, stream
from training.examples import Example, Label, read, write

WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "the", "mill", "stands", "in", "lyon", "oslo", "old"]


@pytest.fixture
def tokenizer() -> Tokenizer:
    made = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, "[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return made


def example(window: str, claim: str, spans=None, label=Label.ENTAIL) -> Example:
    return Example(window, claim, label, spans, "test")


def test_marks_stand_on_the_changed_words_alone(tokenizer):
    [found] = encode(tokenizer, [example("the mill", "mill in oslo", ((8, 12),))], 64)
    assert found.ids == (1, 4, 5, 2, 5, 7, 9, 2)
    assert found.border == 4
    assert found.marks == (UNMARKED,) * 4 + (0.0, 0.0, 1.0) + (UNMARKED,)


def test_nobody_marked_is_not_the_same_as_nothing_to_mark(tokenizer):
    pairs = [example("the", "mill", None), example("the", "mill", ())]
    unmarked, clean = encode(tokenizer, pairs, 64)
    assert set(unmarked.marks) == {UNMARKED}
    assert 0.0 in clean.marks


def test_a_long_window_is_cut_and_the_claim_kept(tokenizer):
    [found] = encode(tokenizer, [example("old " * 500, "mill in oslo", ())], 40)
    assert len(found.ids) == 40
    assert found.ids[-4:] == (5, 7, 9, 2)


def test_padding_is_neither_read_nor_marked(tokenizer):
    pairs = encode(tokenizer, [example("the", "mill", ()), example("the old", "mill in", ())], 64)
    batch = pad(pairs)
    assert batch.mask.sum(dim=1).tolist() == [5, 7]
    assert batch.marks[0, 5:].tolist() == [UNMARKED, UNMARKED]
    assert batch.types[0].tolist() == [0, 0, 0, 1, 1, 0, 0]


def test_the_stream_gives_each_set_its_share_and_is_seeded(tokenizer):
    one = encode(tokenizer, [example("the", "mill", ())], 64)
    other = encode(tokenizer, [example("old", "lyon", None, Label.NEUTRAL)], 64)

    def drawn(seed: int) -> list[int]:
        batches = itertools.islice(stream([one, other], [3.0, 1.0], 64, seed), 100)
        return [target for batch in batches for target in batch.targets.tolist()]

    assert drawn(5) == drawn(5)
    share = drawn(5).count(0) / len(drawn(5))
    assert 0.68 < share < 0.82


def test_examples_survive_their_file(tmp_path):
    kept = [example("a", "b", ((0, 1),)), example("ü", "…", None, Label.NOT_ENTAILED)]
    assert write(tmp_path / "x" / "set.jsonl.gz", kept) == 2
    assert list(read(tmp_path / "x" / "set.jsonl.gz")) == kept
