"""What is wrong with a model and what to do about it, and the end of the time for a check."""


class OutOfTime(BaseException):
    """The time for a check is over; the message says so in words.

    It interrupts any code, as KeyboardInterrupt does: no `except Exception` may take it for a
    failure of a model.
    """


class ModelError(Exception):
    """A model could not be found, prepared, loaded or run. `remedy` says what to do next."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.problem}\n{self.remedy}"
