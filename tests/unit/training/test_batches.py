import itertools

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from training.batches import UNMARKED, encode, pad, stream
from training.examples import Example, Label, read, write

WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "the", "mill", "stands", "in", "lyon", "oslo", "old"]


@pytest.fixture
def tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return tokenizer


def example(window: str, claim: str, spans=None, label=Label.ENTAIL) -> Example:
    return Example(window, claim, label, spans, "test")


def test_marks_stand_on_the_changed_words_alone(tokenizer):
    [encoded] = encode(tokenizer, [example("the mill", "mill in oslo", ((8, 12),))], 64)
    assert encoded.ids == (1, 4, 5, 2, 5, 7, 9, 2)
    assert encoded.border == 4
    assert encoded.marks == (UNMARKED,) * 4 + (0.0, 0.0, 1.0) + (UNMARKED,)


def test_nobody_marked_is_not_the_same_as_nothing_to_mark(tokenizer):
    pairs = [example("the", "mill", None), example("the", "mill", ())]
    unmarked, clean = encode(tokenizer, pairs, 64)
    assert set(unmarked.marks) == {UNMARKED}
    assert 0.0 in clean.marks


def test_a_long_window_is_cut_and_the_claim_kept(tokenizer):
    [encoded] = encode(tokenizer, [example("old " * 500, "mill in oslo", ())], 40)
    assert len(encoded.ids) == 40
    assert encoded.ids[-4:] == (5, 7, 9, 2)


def test_padding_is_neither_read_nor_marked(tokenizer):
    pairs = encode(tokenizer, [example("the", "mill", ()), example("the old", "mill in", ())], 64)
    batch = pad(pairs)
    assert batch.mask.sum(dim=1).tolist() == [5, 7]
    assert batch.marks[0, 5:].tolist() == [UNMARKED, UNMARKED]
    assert batch.types[0].tolist() == [0, 0, 0, 1, 1, 0, 0]


def test_the_stream_gives_each_set_its_share_and_is_seeded(tokenizer):
    entailed = encode(tokenizer, [example("the", "mill", ())], 64)
    neutral = encode(tokenizer, [example("old", "lyon", None, Label.NEUTRAL)], 64)

    def targets(seed: int) -> list[int]:
        batches = itertools.islice(stream([entailed, neutral], [3.0, 1.0], 64, seed), 100)
        return [target for batch in batches for target in batch.targets.tolist()]

    assert targets(5) == targets(5)
    share = targets(5).count(0) / len(targets(5))
    assert 0.68 < share < 0.82


def test_examples_survive_their_file(tmp_path):
    examples = [example("a", "b", ((0, 1),)), example("ü", "…", None, Label.NOT_ENTAILED)]
    assert write(tmp_path / "x" / "set.jsonl.gz", examples) == 2
    assert list(read(tmp_path / "x" / "set.jsonl.gz")) == examples
