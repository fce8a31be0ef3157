"""Inputs and outputs of the judge's graph; `inference.judge.graph.write` says their shapes."""

import numpy as np
from numpy.typing import NDArray

VECTORS, PLACES, KINDS, BUCKETS = "word_vectors", "places", "kinds", "buckets"
CONTEXT, KEPT, FIRSTS = "context", "kept", "firsts"
"""Keys and values of what was read before; tokens that are followed through the last layer; the
first token of each claim."""
LOGITS, WORD_LOGITS, KEYS_VALUES, ATTENTION = "logits", "word_logits", "keys_values", "attention"
MASKED = 32
"""The bucket behind MPNet's 32 relative positions: this token does not read that one."""

Floats = NDArray[np.float32]
