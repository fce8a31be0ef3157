"""An answer as atomic claims with their places in the text."""
