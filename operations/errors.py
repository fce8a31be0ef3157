"""What an operator's command cannot do, and why."""


class OperationError(Exception):
    """The text says what is wrong and what to do."""
