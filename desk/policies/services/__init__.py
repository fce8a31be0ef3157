"""Jobs that concern policies."""
