"""The only code that loads or calls a model.

`inference.embedding` gives embeddings; `python -m inference.export` prepares a model.
"""
