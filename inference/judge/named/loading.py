"""Loads a named model with transformers, never running its own code."""

from typing import Any

from inference.errors import ModelError

_REMEDY = "Check the folder that JUDGE_MODEL names; models that need code of their own do not run."


def load_pretrained(kind: Any, source: str) -> Any:
    """Load `kind.from_pretrained(source)` in safetensors, for evaluation. Raises ModelError."""
    try:
        return kind.from_pretrained(source, use_safetensors=True, trust_remote_code=False).eval()
    except Exception as error:  # the libraries below raise what they like
        raise ModelError(f"transformers cannot load {source}: {error}", _REMEDY) from error


def tokenizer_of(source: str) -> Any:
    """Return the model's tokenizer. Raises ModelError."""
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(source, trust_remote_code=False)
    except Exception as error:  # the libraries below raise what they like
        raise ModelError(f"transformers cannot load {source}: {error}", _REMEDY) from error
