"""The only code that loads or calls a model (shared/design.md, section 2).

`inference.embedding` is the door to embeddings; `python -m inference.export` prepares a model.
"""
