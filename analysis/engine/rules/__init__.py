"""Rules that compare a claim with a passage by words, figures, names and records."""
