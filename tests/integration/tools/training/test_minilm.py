"""MiniLM in the judge's form computes what BERT's own code does.

Other tests need not wait until torch and transformers are imported: that takes seconds.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inference.errors import ModelError
from inference.judge import bases
from inference.judge.segments import BEGIN, CLAIM, END, WINDOW
from inference.runtime import open_tokenizer
from inference.sources import DEFAULT_MODEL, find_source

if TYPE_CHECKING:
    import torch

TEXT = "The guarantee runs for two years; it isn't transferable (§ 4)."


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("minilm")
    bases.write_minilm(folder)
    return folder


def test_a_window_is_encoded_as_by_bert(base):
    import torch
    from transformers import AutoModel, AutoTokenizer

    package = find_source(DEFAULT_MODEL).folder
    tokenizer = AutoTokenizer.from_pretrained(package)
    with torch.inference_mode():
        expected = AutoModel.from_pretrained(package)(**tokenizer(TEXT, return_tensors="pt"))
        states = encoded(base, WINDOW)
    assert torch.allclose(states, expected.last_hidden_state, atol=1e-4)


def test_a_claim_is_told_from_a_window(base):
    import torch

    with torch.inference_mode():
        assert not torch.allclose(encoded(base, WINDOW), encoded(base, CLAIM), atol=1e-2)


def encoded(base: Path, kind: int) -> "torch.Tensor":
    """Return the last states of the text as one segment, through the judge's own layers."""
    from tools.training.judge.model import JudgeNetwork, Packer

    model, packer = JudgeNetwork(base).eval(), Packer()
    tokenizer = open_tokenizer(base / bases.TOKENIZER)
    packer.add(tokenizer.encode(TEXT, add_special_tokens=False).ids, kind)
    states: list[torch.Tensor] = []
    model.word.register_forward_pre_hook(lambda _module, inputs: states.append(inputs[0]))
    model(packer.packed())
    return states[0][None]


def test_words_keep_their_numbers_and_special_tokens_take_those_of_the_judge(base):
    from transformers import AutoTokenizer

    original = AutoTokenizer.from_pretrained(find_source(DEFAULT_MODEL).folder)
    converted = open_tokenizer(base / bases.TOKENIZER)
    expected = original(TEXT, add_special_tokens=False)["input_ids"]
    assert converted.encode(TEXT, add_special_tokens=False).ids == expected
    assert (converted.token_to_id("[CLS]"), converted.token_to_id("[SEP]")) == (BEGIN, END)
    numbers = converted.get_vocab().values()
    assert sorted(numbers) == list(range(len(numbers)))


def test_a_package_with_other_files_is_refused(tmp_path, monkeypatch):
    def refuse(_source):
        raise ModelError("model.safetensors is missing or not the file we know.", "Reinstall it.")

    monkeypatch.setattr(bases, "check_bundle", refuse)
    with pytest.raises(ModelError, match="not the file we know"):
        bases.write_minilm(tmp_path / "base")
    assert not (tmp_path / "base").exists()
