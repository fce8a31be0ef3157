"""Bulk decisions: choose lines of the list, see how many they are, decide them together."""

from collections import Counter
from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from accounts import access
from analysis.admin.base import person
from analysis.models import ReasonCode, Review, ReviewDecision, ReviewReason
from analysis.selectors import desk
from analysis.services.bulk import LIMIT, decide_many
from analysis.services.reviews import UnfitDecision, Words

_NAMES = (("confirmed", "Confirm"), ("overturned", "Overturn"), ("escalated", "Escalate"))
_SHOWN = 5


def preview(page: ModelAdmin[Review], request: HttpRequest, chosen: QuerySet[Review]) -> Any:
    """How many would be decided, of what, and how many not; nothing is changed."""
    by = person(request)
    ids = list(chosen.order_by().values_list("pk", flat=True)[: LIMIT + 1])
    if len(ids) > LIMIT:
        messages.error(request, f"At most {LIMIT} reviews at once. Narrow the filter first.")
        return None
    found = desk.decidable(by).filter(desk.free_for(by), pk__in=ids, decision=None)
    rows = list(found.values_list("pk", "version", "application__name", "reason"))
    return _page(page, request, [f"{pk}:{version}" for pk, version, *_ in rows], rows, len(ids))


def decide(page: ModelAdmin[Review], request: HttpRequest) -> HttpResponse:
    """Decide what the preview named, as it was then."""
    by = person(request)
    if not access.decides_anything(by):
        raise PermissionDenied
    sent = request.POST
    pairs = [pair.split(":") for pair in sent.getlist("seen") if _is_pair(pair)]
    seen = [(int(review), int(version)) for review, version in pairs]
    words = Words(sent.get("note", "").strip(), sent.getlist("reason_codes"))
    try:
        decision = ReviewDecision(sent.get("decision", ""))
        outcome = decide_many(seen=seen[:LIMIT], decision=decision, by=by, words=words)
    except UnfitDecision as error:
        messages.error(request, f"Nothing was decided. {error.why}")
        return _again(page, request, sent.getlist("seen"))
    except ValueError:
        messages.error(request, "Nothing was decided. Choose a decision.")
        return _again(page, request, sent.getlist("seen"))
    if outcome.decided:
        messages.success(request, f"{outcome.decided} decided: {decision.label.lower()}.")
    if outcome.left_out:
        some = " ".join(f"Review {one.review_id}: {one.why}" for one in outcome.left_out[:_SHOWN])
        messages.warning(request, f"{len(outcome.left_out)} left out. {some}")
    return HttpResponseRedirect(reverse("admin:analysis_review_changelist"))


def _again(page: ModelAdmin[Review], request: HttpRequest, pairs: list[str]) -> HttpResponse:
    ids = [pair.split(":")[0] for pair in pairs if _is_pair(pair)]
    found = desk.decidable(person(request)).filter(pk__in=ids, decision=None)
    rows = list(found.values_list("pk", "version", "application__name", "reason"))
    return _page(page, request, pairs, rows, len(ids))


def _page(
    page: ModelAdmin[Review],
    request: HttpRequest,
    pairs: list[str],
    rows: list[tuple[int, int, str, str]],
    chosen: int,
) -> HttpResponse:
    counted = Counter((name, ReviewReason(reason).label) for _, _, name, reason in rows)
    context = {
        **page.admin_site.each_context(request),
        "opts": page.opts,
        "media": page.media,
        "title": "Decide together",
        "seen": pairs,
        "counted": sorted((name, reason, n) for (name, reason), n in counted.items()),
        "total": len(rows),
        "left_out": chosen - len(rows),
        "decisions": _NAMES,
        "codes": ReasonCode.objects.filter(is_active=True),
    }
    return TemplateResponse(request, "admin/analysis/review/bulk.html", context)


def _is_pair(given: str) -> bool:
    review, _, version = given.partition(":")
    return all(part.isascii() and part.isdecimal() and len(part) < 16 for part in (review, version))
