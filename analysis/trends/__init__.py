"""What trends count: each metric defined once, over the facts of one check. Pure Python."""
