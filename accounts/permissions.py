"""Scopes: the permissions of a key."""

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.authentication import Client
from accounts.models import Scope

if TYPE_CHECKING:  # it reads the settings that name this module
    from rest_framework.views import APIView


class HasScope(BasePermission):
    """Requires `read_scope` to read, `delete_scope` to delete, else `write_scope`.

    A view without a `delete_scope` deletes by its `write_scope`.
    """

    message = "This API key lacks the required scope."

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Return True if the key has the scope of this method."""
        required_scope = scope_for(str(request.method), view)
        self.message = f"This API key lacks the scope `{required_scope}`."
        return isinstance(request.user, Client) and required_scope in request.user.scopes


def scope_for(method: str, view: "APIView | type[APIView]") -> Scope:
    """Return the scope that a call of this method needs."""
    kind = "read" if method in SAFE_METHODS else "write"
    if method == "DELETE" and hasattr(view, "delete_scope"):
        kind = "delete"
    scope: Scope = getattr(view, f"{kind}_scope")
    return scope
