"""A small set of our own claims, by kind, that keeps the verifier's abilities from declining."""
