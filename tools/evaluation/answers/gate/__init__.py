"""A small set of claims of our own, by kind, that keeps what the verifier can do from slipping."""
