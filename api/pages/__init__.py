"""Pages of the API for people."""
