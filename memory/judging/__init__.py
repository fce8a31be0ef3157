"""Stage 1: decides whether a fact is worth storing and whose it is, by rules or a model."""
