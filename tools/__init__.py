"""For development and installation: what `make` runs, evaluation, training of the judges."""
