"""A transformers classifier as one ONNX graph; used only by inference.rerank.loading's child.

It needs torch. The tracer fixes whatever depends on a shape; the subsequent comparison on pairs of
many lengths shows whether a trace is good.
"""

import inspect
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inference.graph import OPSET, NotExportableError
from inference.rerank.pairs import IDS, MASK, TYPES

if TYPE_CHECKING:
    import torch

_LOGITS = "logits"


def export(model: Any, tokenizer: Any, target: Path, tokens: Path) -> None:
    """Write the graph (ids, mask and types as int64 (pairs, tokens) -> logits (pairs, labels)).

    Raises NotExportableError if torch cannot trace it or the tokenizer is not a fast one.
    """
    if not hasattr(tokenizer, "backend_tokenizer"):
        raise NotExportableError("its tokenizer has no tokenizer.json")
    try:
        _trace(_classifier(model), _names(model), target)
    except OSError:
        raise
    except Exception as error:  # the tracer raises what it likes
        raise NotExportableError(f"torch.onnx.export failed: {error}") from error
    tokens.write_text(tokenizer.backend_tokenizer.to_str(), encoding="utf-8")


def _names(model: Any) -> list[str]:
    """Return the input names; DistilBERT takes no token types, RoBERTa takes and ignores them."""
    takes = TYPES in inspect.signature(model.forward).parameters
    kinds: int = getattr(model.config, "type_vocab_size", 0)
    return [IDS, MASK, *([TYPES] if takes and kinds > 1 else [])]


def _trace(module: "torch.nn.Module", inputs: list[str], target: Path) -> None:
    """Export a module of (pairs, tokens) inputs."""
    import torch

    ids = torch.full((2, 8), 5, dtype=torch.int64)
    example = [ids, torch.ones_like(ids), torch.zeros_like(ids)]
    axes = {name: {0: "pairs", 1: "tokens"} for name in inputs}
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about constants in the trace; the comparison judges it
        torch.onnx.export(
            module,
            tuple(example[: len(inputs)]),
            str(target),
            dynamo=False,
            opset_version=OPSET,
            input_names=inputs,
            output_names=[_LOGITS],
            dynamic_axes=axes | {_LOGITS: {0: "pairs"}},
        )


def _classifier(model: Any) -> "torch.nn.Module":
    import torch

    class Classifier(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = model

        def forward(
            self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor | None = None
        ) -> torch.Tensor:
            more = {} if types is None else {TYPES: types}
            tensor: torch.Tensor = self.body(input_ids=ids, attention_mask=mask, **more).logits
            return tensor

    return Classifier().eval()
