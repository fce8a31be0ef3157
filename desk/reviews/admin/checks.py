"""Checks in the admin: a list that stays fast, and the verdict page. Nothing can be edited."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from accounts import access
from accounts.access import or_404
from accounts.filters import ApplicationFilter
from accounts.member_admin import MemberList
from analysis.admin.badges import NOTHING, brief, excerpt, outcome, texts, values
from analysis.admin.base import KeysFirst, MemberAdmin, person
from analysis.engine.evidence.records import for_people
from analysis.models import Check, CheckState
from analysis.selectors import searching
from analysis.selectors.checks import comments_on
from analysis.selectors.erasures import CheckErased, erasures_of_check, sentence
from analysis.selectors.excerpts import ANSWER, QUESTION, shortened
from analysis.selectors.submissions import sources_of
from analysis.services.lifecycle import NotFailed, replay_failed
from analysis.services.records import MEDIA_TYPES, RecordAltered, export_record, filename
from desk.reviews.admin.filters import DayFilter
from desk.reviews.admin.workform import DECISION_NAMES
from desk.reviews.figures.filters import FigureFilter, asks_for_figure, in_words
from desk.reviews.selectors import desk
from desk.reviews.selectors.reviewed import settling_reviews
from desk.reviews.services.exports import MEDIA_TYPE as JSONL
from desk.reviews.services.exports import export_reviewed
from desk.verdict_page import page, words
from desk.verdict_page.detail import is_link, to_json
from desk.verdict_page.history import timeline
from desk.verdict_page.page import ViewParams
from desk.verdict_page.reasons import sentence as sentence_of
from desk.verdict_page.selectors import whole_check

MOST_EXPORTED = 20_000


@dataclass(frozen=True, slots=True)
class SourceText:
    """A source text of a check."""

    number: int
    source_id: str
    title: str
    text: str
    address: str
    is_link: bool


class ExcerptList(MemberList):
    """A page of rows with the beginnings of the texts of their checks."""

    def get_queryset(self, *args: Any, **kwargs: Any) -> QuerySet[Any]:
        page: Any = self.model_admin
        rows: QuerySet[Any] = page.with_excerpts(super().get_queryset(*args, **kwargs))
        return rows


class ExcerptAdmin(MemberAdmin):
    """The columns and the search of the lists of checks and of their reviews."""

    check_field = "pk"
    """The field of a row with the id of its check."""
    with_excerpts: Any = staticmethod(desk.check_rows)
    list_display_links = ("question",)

    def check_of(self, row: Any) -> Check:
        check: Check = row
        return check

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ExcerptList]:
        return ExcerptList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find a check by its id, or the checks that contain the words."""
        words = search_term.strip()
        if words:
            queryset = queryset.filter(**{f"{self.check_field}__in": search(request, words)})
        return queryset, False

    @admin.display(description=_("reason"))
    def because(self, row: Any) -> str:
        """Return the reason that decided the check."""
        return sentence_of(row.because or "")

    @admin.display(description=_("metadata"))
    def labels(self, row: Any) -> SafeString | str:
        return values(self.check_of(row).labels)

    @admin.display(description=_("question and answer"))
    def question(self, row: Any) -> SafeString | str:
        return texts(shortened(row.question or "", QUESTION), shortened(row.said, ANSWER))


@admin.register(Check)
class CheckAdmin(ExcerptAdmin):
    class Media:
        css = {"all": ("watchdog/confidence.css",)}

    list_display = (
        "created", "action_word", "question", "because", "labels", "score", "claims",
        "of_application", "record_file",
    )  # fmt: skip
    list_filter = ("action", "risk_level", ApplicationFilter, DayFilter, "state")
    allowed_lookups = frozenset(
        {
            "action__exact", "action__isnull", "risk_level__exact", "risk_level__isnull",
            "application", "from", "to", "state__exact", "batch",
            *FigureFilter.parameters,
        }
    )  # fmt: skip
    actions = ("export_reviewed",)
    paginator = KeysFirst
    preserve_filters = False  # nothing is saved on the page of a check; it cost a sixth of the time
    search_fields = ("id",)
    search_help_text = _(
        'Words of question and answer, "a phrase", -without, begin*; a value of the metadata, such '
        "as a ticket; or the id of a check. The newest 500 are shown; a new check is found within "
        "about 20 seconds."
    )

    @admin.action(description=_("Export the reviewed ones as JSONL for evaluate"))
    def export_reviewed(self, request: HttpRequest, queryset: QuerySet[Check]) -> HttpResponseBase:
        """Download the reviewers' decisions on the selected checks, if this person may see them."""
        reviews = settling_reviews(Check.objects.filter(pk__in=queryset))
        if reviews[: MOST_EXPORTED + 1].count() > MOST_EXPORTED:
            message = _("More than %d checks: use manage.py export_reviewed.") % MOST_EXPORTED
            messages.error(request, message)
            return HttpResponseRedirect(request.get_full_path())
        file, count = export_reviewed(reviews=reviews, by=person(request).get_username())
        if not count:
            messages.warning(request, _("None of them has a finished review."))
            return HttpResponseRedirect(request.get_full_path())
        return FileResponse(file, as_attachment=True, filename="reviewed.jsonl", content_type=JSONL)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list; that behind a figure says what it lists, and leads back."""
        if not asks_for_figure(request):
            return super().changelist_view(request, extra_context)
        conditions = {name: str(value) for name, value in request.GET.items()}
        figure = {"heading": in_words(conditions), "back": reverse("dashboard_checks")}
        return super().changelist_view(request, {**figure, **(extra_context or {})})

    def get_list_filter(self, request: HttpRequest) -> Any:
        """Return the figure's filters for the list behind a figure, else the usual ones."""
        if asks_for_figure(request):
            return (FigureFilter, ApplicationFilter)
        return super().get_list_filter(request)

    def get_search_fields(self, request: HttpRequest) -> Any:
        """Return no search fields behind a figure: both lists only know their newest checks."""
        return () if asks_for_figure(request) else super().get_search_fields(request)

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Order by id: ids grow with time, and every index ends with them."""
        return ("-id",)

    @admin.display(description=format_html('<input type="checkbox" id="{}">', "action-toggle"))
    def action_checkbox(self, obj: Check) -> SafeString:
        """Return the stock admin's checkbox without building a form field for each row."""
        return format_html(
            '<input type="checkbox" name="{}" value="{}" class="action-select" '
            'aria-label="{}">',
            ACTION_CHECKBOX_NAME, obj.pk, gettext("Select check %s for an action") % obj.pk,
        )  # fmt: skip

    @admin.display(description=_("created"), ordering="id")
    def created(self, check: Check) -> SafeString | str:
        return brief(check.created_at)

    @admin.display(description=_("risk"), ordering="risk_score")
    def score(self, check: Check) -> int | None:
        return check.risk_score

    @admin.display(description=_("action"), ordering="action")
    def action_word(self, check: Check) -> SafeString:
        return outcome(check)

    @admin.display(description=_("claims"))
    def claims(self, check: Any) -> str:
        """Return the number of claims, or a dash until the check is done."""
        return str(check.claims_total) if check.state == CheckState.DONE else NOTHING

    @admin.display(description=_("record"))
    def record_file(self, check: Check) -> SafeString | str:
        """Return a link that downloads the decision record straight from the list."""
        address = reverse("admin:analysis_check_record", args=[check.pk, "pdf"])
        label = gettext("Decision record of %s") % check.pk
        return format_html('<a href="{}" download aria-label="{}">PDF</a>', address, label)

    def get_urls(self) -> list[URLPattern]:
        """Add the replay and the decision record to the stock URLs."""
        replay = self.admin_site.admin_view(self.replay)
        record = self.admin_site.admin_view(self.record)
        return [
            path("<uuid:check_id>/record.<str:kind>", record, name="analysis_check_record"),
            path("<uuid:check_id>/replay/", replay, name="analysis_check_replay"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the verdict page; another application's check looks like an unknown one."""
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        try:
            checks = desk.visible_checks(request.user)
            check_and_document = whole_check(checks, _uuid(object_id))
        except CheckErased:
            return self._erased_page(request, _uuid(object_id))
        if check_and_document is None:
            return self.missing(request)
        check, document = check_and_document
        params = ViewParams.of(request.GET.dict())
        if asked_for := page.fragment(check, document, params, request.headers.get("HX-Target")):
            template, part = asked_for
            return TemplateResponse(request, template, part | {"at_desk": True})
        reviews = desk.reviews_of(check, person(request))
        is_done = document["state"] == CheckState.DONE
        policy_id = check.annotated_answer.policy_id if is_done else None
        context = self.page_context(
            request,
            check,
            page=page.build(check, document, params, words.state_words(check)),
            at_desk=True,
            check=check,
            sources=sources(check),
            raw=raw(document),
            history=timeline(check, reviews, policy_id),
            reviews=reviews,
            labels=desk.labels_of(reviews),
            comments=comments_on(check),
            icons=static("watchdog/icons.svg"),
            short_id=f"…{str(check.pk)[-8:]}",
            title=gettext("Verdict on %s") % excerpt(check.query or check.answer, 60),
            may_decide=access.may_decide(person(request), check.application_id),
            may_audit=access.may_audit(person(request), check.application_id),
            decisions=[
                (str(each), DECISION_NAMES[str(each)])
                for review in reviews
                if review.decision is None
                for each in desk.decisions_on(review)
            ],
        )
        return TemplateResponse(request, "admin/analysis/check/verdict.html", context)

    def _erased_page(self, request: HttpRequest, check_id: UUID) -> HttpResponse:
        """Show what remains of an erased check, and the trail of its erasure."""
        check = Check.everything.select_related("application").get(pk=check_id)
        context = self.page_context(
            request,
            check,
            check=check,
            erasures=[sentence(item) for item in erasures_of_check(check_id)],
            history=timeline(check, desk.reviews_of(check, person(request)), None),
            title=gettext("Erased check %s") % f"…{str(check_id)[-8:]}",
        )
        return TemplateResponse(request, "admin/analysis/check/erased.html", context)

    @method_decorator(require_POST)
    def replay(self, request: HttpRequest, check_id: UUID) -> HttpResponse:
        """Queue a failed check once more."""
        check = or_404(self.get_queryset(request).get, pk=check_id)
        if not access.may_decide(request.user, check.application_id):
            raise PermissionDenied
        try:
            replay_failed(check, by=person(request))
            messages.success(request, _("The check is queued again. Reload to see its verdict."))
        except NotFailed:
            messages.error(request, _("Nothing was changed: only a failed check can be run again."))
        return HttpResponseRedirect(reverse("admin:analysis_check_change", args=[check_id]))

    def record(self, request: HttpRequest, check_id: UUID, kind: str) -> HttpResponse:
        """Download the decision record, and note in the trail who took it."""
        as_ = next((media_type for media_type in MEDIA_TYPES if media_type == kind), None)
        checks = self.get_queryset(request).select_related("application")
        check = checks.filter(pk=check_id).first()
        if check is None or as_ is None or request.method != "GET":
            raise Http404
        reader = person(request)
        reviews = desk.visible_reviews(reader)
        try:
            data = export_record(check=check, as_=as_, by=reader.get_username(), reviews=reviews)
        except RecordAltered as error:
            text = f"No record is signed: {error}.\n"
            return HttpResponse(text, status=409, content_type="text/plain; charset=utf-8")
        disposition = f'attachment; filename="{filename(check, as_)}"'
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
        return HttpResponse(data, content_type=MEDIA_TYPES[as_], headers=headers)


def search(request: HttpRequest, words: str) -> list[UUID]:
    """Return the ids of the checks with these words in text or metadata; an id returns itself."""
    if (check_id := _uuid(words)) != UUID(int=0):
        return [check_id]
    reader = person(request)
    scope = None if reader.is_superuser else list(access.roles_of(reader))
    return [*searching.newest(words, _facets(request), scope), *searching.noted(words, scope)]


_FACETS = {
    "action__exact": "action", "risk_level__exact": "risk_level", "state__exact": "state",
    "batch": "batch", ApplicationFilter.parameter_name: "application",
}  # fmt: skip


def _facets(request: HttpRequest) -> dict[str, str]:
    """Return the list's filters, so that a search is limited to those rows."""
    facets = {_FACETS[name]: str(value) for name, value in request.GET.items() if name in _FACETS}
    undecided = [name for name in ("action", "risk_level") if f"{name}__isnull" in request.GET]
    return facets | dict.fromkeys(undecided, "")


def _uuid(text: str) -> UUID:
    """Parse an id; return the nil UUID, which no row has, if it is invalid."""
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)


def sources(check: Check) -> list[SourceText] | None:
    """Return the sources that the client sent, or None if it sent none."""
    sources = sources_of(check)
    if sources is None:
        return None
    return [
        SourceText(
            n, s.source_id, s.title or s.source_id, for_people(s.text), s.uri, is_link(s.uri)
        )
        for n, s in enumerate(sources, 1)
    ]


def raw(doc: dict[str, Any]) -> str:
    """Return the verdict as stored, without the answer; each claim has its own JSON."""
    left_out = ("answer", "final_spans")
    return to_json({name: value for name, value in doc.items() if name not in left_out})
