"""The bare address: where somebody goes who knows nothing but the host."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Managers to the chat; everybody else to the review desk, or its log-in."""
    asks = request.user.is_authenticated and not request.user.is_staff
    return redirect("assistant_page" if asks else "admin:index")
