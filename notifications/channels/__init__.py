"""The channels. Each sends, or raises Undelivered with the reason in words."""


class Undelivered(Exception):
    """Raised if a message did not arrive; says why, without secrets. `status`: the response's."""

    def __init__(self, why: str, status: int | None = None) -> None:
        super().__init__(why)
        self.status = status
