"""Tools for development and installation: `make`'s commands, evaluation, training."""
