"""The metrics of trends: each defined once, over the facts of one check. Pure Python."""
