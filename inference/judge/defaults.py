"""Names of the judges, their folders, and how much they read at once."""

BASE, SMALL = "base", "small"
"""The values of NLI_MODEL that name a judge."""
LEXICAL = "lexical"
"""The value of NLI_MODEL without a judge: the scores by rules stand."""
FOLDERS = {BASE: "judge", SMALL: "judge-small"}
"""Where the prepared judges lie below the folder of models."""
EVIDENCE_TOKENS = 600
"""Tokens of evidence that sixteen claims choose and read together."""
CACHE_BYTES = 128 * 2**20
"""Of keys and values of windows that were read before; a window of 200 tokens has 7.5 MB."""
