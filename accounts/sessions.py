"""Session limits: idle (`SESSION_IDLE_SECONDS`) and absolute (`SESSION_COOKIE_AGE`)."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

LAST_ACTIVE = "last_active"
_NOTE_EVERY_SECONDS = 60


class IdleSessionMiddleware:
    """Logs out a person who was idle for `SESSION_IDLE_SECONDS`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        has_session = settings.SESSION_COOKIE_NAME in request.COOKIES
        if not (has_session and request.user.is_authenticated):
            return self.get_response(request)
        idle = time.time() - request.session.get(LAST_ACTIVE, 0)
        if idle > settings.SESSION_IDLE_SECONDS:
            logout(request)
            return redirect(request.get_full_path() if request.method == "GET" else "login")
        if idle > _NOTE_EVERY_SECONDS and not _is_background(request):
            request.session[LAST_ACTIVE] = time.time()
        return self.get_response(request)


@receiver(user_logged_in)
def _start(sender: Any, request: HttpRequest, **_: Any) -> None:
    request.session[LAST_ACTIVE] = time.time()
    # A point in time, so that later saves of the session do not move it.
    request.session.set_expiry(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))


def _is_background(request: HttpRequest) -> bool:
    """Return whether the page itself sent the request, without anybody at the keyboard."""
    streams = "text/event-stream" in request.headers.get("Accept", "")
    return streams or "X-Background" in request.headers
