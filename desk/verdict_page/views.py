"""The verdict page behind a signed link: no log-in, no cookie, not indexed.

The link shows one check of one application and opens nothing else.
"""

from typing import Any

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.models import Check
from analysis.selectors.erasures import CheckErased
from desk.verdict_page import page, words
from desk.verdict_page.links import Link, LinkExpired, LinkForged, read_link
from desk.verdict_page.page import ViewParams
from desk.verdict_page.selectors import whole_check

_SELF = "'self'"
_POLICY = {
    "default-src": ["'none'"],
    "script-src": [_SELF],
    "style-src": [_SELF],
    "img-src": [_SELF],
    "font-src": [_SELF],
    "connect-src": [_SELF],
    "form-action": ["'none'"],
}
_HEADERS = {
    "Cache-Control": "no-store, private",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Vary": "HX-Target",
}


@csp_replace(_POLICY)  # type: ignore[arg-type]  # its type forgets that views take arguments
@require_safe
def confidence_view(request: HttpRequest, token: str) -> HttpResponse:
    """Show one check; 410 for an expired link, 404 for one that was never valid."""
    try:
        link = read_link(token)
    except LinkExpired:
        return _refusal(
            410,
            _("This link has expired"),
            _("Ask whoever gave you the link for a new one."),
        )
    except LinkForged:
        return _unknown()
    checks = Check.objects.filter(application=link.application_id)
    try:
        check_and_document = whole_check(checks, link.check_id)
    except CheckErased:
        return _refusal(
            410, _("This answer was erased"), _("Its check was deleted, so nothing can be shown.")
        )
    if check_and_document is None:
        return _unknown()
    return _render_check(request, link, *check_and_document)


def _render_check(
    request: HttpRequest, link: Link, check: Check, document: dict[str, Any]
) -> HttpResponse:
    params = ViewParams.of(request.GET.dict())
    target = request.headers.get("HX-Target")
    if asked_for := page.fragment(check, document, params, target, for_user=True):
        return _response(200, *asked_for)
    context = {
        "page": page.build(check, document, params, words.public_state_words(check), for_user=True),
        "icons": static("watchdog/icons.svg"),
        "expires_at": link.expires_at,
    }
    return _response(200, "analysis/public/view.html", context)


def _unknown() -> HttpResponse:
    """Return one answer for a forged link and for a missing check."""
    return _refusal(404, _("This link is not valid"), _("Check that you copied the whole address."))


def _refusal(status: int, title: str, advice: str) -> HttpResponse:
    return _response(status, "analysis/public/refusal.html", {"title": title, "advice": advice})


def _response(status: int, template: str, context: dict[str, Any]) -> HttpResponse:
    """Render without the request, so that nothing of a log-in can leak into the page."""
    return HttpResponse(render_to_string(template, context), status=status, headers=_HEADERS)
