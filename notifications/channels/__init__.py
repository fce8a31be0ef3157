"""The ways out. Each sends, or raises Undelivered with the reason in words."""


class Undelivered(Exception):
    """It did not arrive; the text says why, without secrets. `status`: what was answered, if so."""

    def __init__(self, why: str, status: int | None = None) -> None:
        super().__init__(why)
        self.status = status
