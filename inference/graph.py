"""Exports a sentence-transformers model as one ONNX graph with pooling and normalisation.

Only the child of inference.prepare imports this: it needs torch.
"""

import inspect
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inference.onnx_embedder import INPUTS

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

OPSET = 17
OUTPUT = "embedding"
# Encoders whose tokens all see each other, with the inputs ids and mask.
_ARCHITECTURES = frozenset(
    ("albert", "bert", "camembert", "distilbert", "electra", "mpnet", "roberta", "xlm-roberta")
)
_POOLINGS = ("mean", "cls")
_DEFAULT_WINDOW = 512
_SMALLEST = 1e-9


class NotExportableError(Exception):
    """Raised if a model must be served by sentence-transformers itself; the message says why."""


def window(model: "SentenceTransformer") -> int:
    """Return how many tokens of a text the model reads."""
    return model.max_seq_length or _DEFAULT_WINDOW


def pad_id(model: "SentenceTransformer") -> int:
    """Return the token that pads short rows."""
    return getattr(model.tokenizer, "pad_token_id", 0) or 0


def export(model: "SentenceTransformer", target: Path, tokenizer: Path) -> None:
    """Write the graph (ids, mask: int64 (texts, tokens) -> float32 (texts, dimensions)).

    Raises NotExportableError if the model has another structure, or torch cannot trace it.
    """
    _check(model)
    try:
        _trace(model, target)
    except OSError:
        raise
    except Exception as error:  # the tracer raises what it likes
        raise NotExportableError(f"torch.onnx.export failed: {error}") from error
    tokenizer.write_text(model.tokenizer.backend_tokenizer.to_str(), encoding="utf-8")


def _check(model: "SentenceTransformer") -> None:
    kinds = [type(module).__name__ for module in model]
    if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
        raise NotExportableError(f"it is made of {', '.join(kinds)}")
    architecture = _body(model).config.model_type
    if architecture not in _ARCHITECTURES:
        raise NotExportableError(f"the architecture {architecture} is not known to export")
    if model[1].pooling_mode not in _POOLINGS:
        raise NotExportableError(f"its pooling is {model[1].pooling_mode}")
    if not hasattr(model.tokenizer, "backend_tokenizer"):
        raise NotExportableError("its tokenizer has no tokenizer.json")


def _body(model: "SentenceTransformer") -> Any:
    """Return the transformer itself; torch types each part of a module as Tensor | Module."""
    return model[0].auto_model


def _trace(model: "SentenceTransformer", target: Path) -> None:
    import torch

    ids = torch.full((2, 8), 5, dtype=torch.int64)
    axes = {name: {0: "texts", 1: "tokens"} for name in INPUTS} | {OUTPUT: {0: "texts"}}
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about constants in the trace; the comparison judges it
        torch.onnx.export(
            _encoder(model),
            (ids, torch.ones_like(ids)),
            str(target),
            dynamo=False,
            opset_version=OPSET,
            input_names=list(INPUTS),
            output_names=[OUTPUT],
            dynamic_axes=axes,
        )


def _encoder(model: "SentenceTransformer") -> "torch.nn.Module":
    import torch

    body, mean = _body(model), model[1].pooling_mode == "mean"
    typed = "token_type_ids" in inspect.signature(body.forward).parameters

    class Encoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = body

        def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            more = {"token_type_ids": torch.zeros_like(ids)} if typed else {}
            tokens = self.body(input_ids=ids, attention_mask=mask, **more).last_hidden_state
            pooled = _mean(tokens, mask) if mean else tokens[:, 0]
            return torch.nn.functional.normalize(pooled, p=2.0, dim=1)

    return Encoder().eval()


def _mean(tokens: "torch.Tensor", mask: "torch.Tensor") -> "torch.Tensor":
    """Return the mean over non-padding tokens: (texts, tokens, n) -> (texts, n)."""
    weight = mask.unsqueeze(-1).to(tokens.dtype)
    total: torch.Tensor = (tokens * weight).sum(dim=1)
    return total / weight.sum(dim=1).clamp(min=_SMALLEST)
