"""The only code that loads or calls a model.

`inference.embedding` is the door to embeddings; `python -m inference.export` prepares a model.
"""
