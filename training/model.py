"""The embedded cross-encoder: MiniLM with a head for the pair and one for each word.

The second head is what the tiny budget of training rests on: a generated falsehood says which
words were changed, so every pair teaches with all its words instead of with one label.
"""

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

LABELS = ("entail", "neutral", "contradict")
MAX_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Outputs:
    """Logits of a batch: pair (batch, 3) in the order of LABELS, words (batch, tokens)."""

    pair: Tensor
    words: Tensor


class PairModel(nn.Module):
    """[CLS] window [SEP] claim [SEP], token types 0 and 1; at most 512 tokens."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.encoder = BertModel(config, add_pooling_layer=False)
        self.head = nn.Linear(config.hidden_size, len(LABELS))
        self.token_head = nn.Linear(config.hidden_size, 1)
        self.dropout = nn.Dropout(0.1)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Outputs:
        """Token ids, mask and types, each (batch, tokens), to logits."""
        states = self.encoder(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        states = self.dropout(states)
        return Outputs(self.head(states[:, 0]), self.token_head(states).squeeze(-1))


def from_package(folder: Path) -> PairModel:
    """The model with MiniLM's weights from the installed package and new heads."""
    config = BertConfig.from_pretrained(folder)
    config.attention_probs_dropout_prob = 0.0
    config.hidden_dropout_prob = 0.0  # a tenth of the time; each pair is seen about once
    model = PairModel(config)
    base = BertModel.from_pretrained(folder, config=config, add_pooling_layer=False)
    model.encoder.load_state_dict(base.state_dict())
    freeze_words(model)
    return model


def freeze_words(model: PairModel) -> None:
    """Keep the word embeddings as they are: the repository does not carry them."""
    model.encoder.embeddings.word_embeddings.weight.requires_grad = False


def load(path: Path, folder: Path) -> PairModel:
    """The model of a checkpoint that `training.train` wrote."""
    model = PairModel(BertConfig.from_pretrained(folder))
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True)["model"])
    return model
