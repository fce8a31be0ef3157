"""API errors with a status and type of their own."""

from typing import Any

from rest_framework.exceptions import APIException


class ProblemError(APIException):
    """An error with its status, its type for programs and a sentence for people.

    `wait`: seconds for `Retry-After`. `members` are added to the problem document.
    """

    def __init__(
        self, status: int, code: str, detail: str, *, wait: int | None = None, **members: Any
    ) -> None:
        super().__init__(detail, code)
        self.status_code, self.code, self.wait, self.members = status, code, wait, members
