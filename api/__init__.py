"""The REST API of checks, batches, policies, reviews and figures."""
