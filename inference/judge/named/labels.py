"""Maps a classifier's outputs to labels by its own config."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from inference.errors import ModelError

Label = Literal["entail", "neutral", "contradict"]

_MEANINGS: dict[str, Label] = {
    "entailment": "entail",
    "entail": "entail",
    "entails": "entail",
    "entailed": "entail",
    "supported": "entail",
    "supports": "entail",
    "support": "entail",
    "consistent": "entail",
    "neutral": "neutral",
    "notentailment": "neutral",
    "notentailed": "neutral",
    "notsupported": "neutral",
    "notenoughinfo": "neutral",
    "nei": "neutral",
    "unknown": "neutral",
    "contradiction": "contradict",
    "contradict": "contradict",
    "contradicts": "contradict",
    "contradictory": "contradict",
    "refuted": "contradict",
    "refutes": "contradict",
    "refute": "contradict",
}
_REMEDY = (
    "Write the meaning of each output into id2label of its config.json, for example "
    '{"0": "contradiction", "1": "entailment", "2": "neutral"}.'
)


def label_order(config: Mapping[str, Any]) -> tuple[Label, ...]:
    """Return the meaning of each output of the model, in order.

    `config` is the model's config.json. Raises ModelError if `id2label` is missing, has unknown
    names (LABEL_0 …), or lacks entailment: a guess could invert verdicts.
    """
    id_to_label = config.get("id2label")
    if not isinstance(id_to_label, Mapping) or not id_to_label:
        raise ModelError("The model's config.json has no id2label.", _REMEDY)
    names = {int(number): str(name) for number, name in id_to_label.items()}
    if sorted(names) != list(range(len(names))):
        raise ModelError(f"id2label has gaps: {sorted(names)}.", _REMEDY)
    return read_labels([names[number] for number in range(len(names))])


def read_labels(names: Sequence[str]) -> tuple[Label, ...]:
    """Return the meanings of named outputs, in order. Raises ModelError as `label_order` does."""
    order = tuple(label for name in names if (label := _MEANINGS.get(_plain(name))) is not None)
    text = ", ".join(names)
    if len(order) < len(names):
        raise ModelError(f"The order of the labels cannot be told from {text}.", _REMEDY)
    if len(set(order)) < len(order) or "entail" not in order or len(order) < 2:
        raise ModelError(f"Not a model of entailment: its labels are {text}.", _REMEDY)
    return order


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalpha())
