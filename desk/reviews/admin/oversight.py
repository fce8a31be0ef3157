"""The page of oversight, for leads and auditors: how long people look, and when they agree."""

from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import access
from analysis.admin.base import MemberAdmin
from desk.reviews.admin.agreement import PERIODS
from desk.reviews.selectors import desk
from desk.reviews.selectors.oversight import QUICK, oversight


def oversight_page(page: MemberAdmin, request: HttpRequest) -> HttpResponse:
    """By reviewer, and by reviewer and week, over a period. Reviewers do not see each other."""
    if not access.oversees_anything(request.user):
        raise PermissionDenied
    period = request.GET.get("days", "")
    days = int(period) if period in map(str, PERIODS) else PERIODS[1]
    reviews = desk.visible_reviews(request.user).filter(
        application__in=access.overseeing(request.user).order_by().values("pk")
    )
    end = timezone.now()
    start = end - timedelta(days=days)
    context = page.site_context(
        request,
        title=_("Oversight"),
        days=days,
        periods=PERIODS,
        quick=QUICK.seconds,
        people=oversight(reviews, start=start, end=end),
        weeks=oversight(reviews, start=start, end=end, weekly=True),
    )
    return TemplateResponse(request, "admin/analysis/review/oversight.html", context)
