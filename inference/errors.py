"""Errors of models with remedies, and the end of a check's time."""


class OutOfTime(BaseException):
    """Raised when the time for a check is over; the message says so.

    It interrupts any code, as KeyboardInterrupt does: no `except Exception` may mistake it for a
    model's failure.
    """


class ModelError(Exception):
    """Raised if a model cannot be found, prepared, loaded or run. `remedy` says what to do."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.problem}\n{self.remedy}"
