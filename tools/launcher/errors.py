"""The one exception of the launcher: what went wrong, and what the reader can do about it."""


class LauncherError(Exception):
    """Stops a command. `advice` says what to do next, in plain words."""

    def __init__(self, problem: str, advice: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.problem}\n{self.advice}" if self.advice else self.problem
