"""The bare address: redirects to the home page of whoever is logged in."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from accounts import access
from desk.dashboard.pages.home import overview


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Redirect staff to the overview, managers to the assistant and others to the log-in."""
    if not request.user.is_authenticated:
        return redirect("login")
    if not request.user.is_staff:
        return redirect("assistant_page")
    if not access.sees_anything(request.user):
        return redirect("admin:index")
    return admin.site.admin_view(overview)(request)
