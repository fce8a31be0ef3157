"""The one exception of this package: what is wrong with a model, and what to do about it."""


class ModelError(Exception):
    """A model could not be found, prepared, loaded or run. `remedy` says what to do next."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.problem}\n{self.remedy}"
