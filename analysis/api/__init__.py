"""The REST interface of checks."""
