"""Stage 1: is it worth storing, and whose is it? By rules or by a language model."""
