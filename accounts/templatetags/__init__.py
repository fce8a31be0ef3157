"""Template tags for the page frame."""
