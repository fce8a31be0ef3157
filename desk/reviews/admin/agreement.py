"""The page about the agreement of reviewers."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from accounts import access
from analysis.admin.base import MemberAdmin
from desk.reviews.selectors.agreement import agreements

PERIODS = (30, 90, 365)


def agreement_page(page: MemberAdmin, request: HttpRequest) -> HttpResponse:
    """Show raw agreement and Cohen's kappa by application over a period."""
    if not access.sees_anything(request.user):
        raise PermissionDenied
    period = request.GET.get("days", "")
    days = int(period) if period in map(str, PERIODS) else PERIODS[1]
    context = page.site_context(
        request, title=_("Agreement of reviewers"), days=days, periods=PERIODS,
        rows=agreements(request.user, days=days),
    )  # fmt: skip
    return TemplateResponse(request, "admin/analysis/review/agreement.html", context)
