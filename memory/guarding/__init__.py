"""Guards: what is never stored, whatever a judge says."""
