"""Errors of operators' commands."""


class OperationError(Exception):
    """Raised if a command cannot do its work; the message says why and what to do."""
