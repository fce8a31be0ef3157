"""The auditors' verification pages: the trail of an application, and a decision record."""

from collections.abc import Sequence
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.http import HttpResponseRedirect as Redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import access
from analysis.admin.base import MemberAdmin, person
from analysis.admin.jobs import page_of
from analysis.models import Check, Review
from analysis.records import envelope
from analysis.records.document import Document, RecordError, VerifiedItem, judge, make
from analysis.selectors.jobs import last_verifications
from analysis.selectors.records import against_stored, parts_of, verify_file
from analysis.services.jobs import TooManyJobs
from analysis.services.verification import start_verification
from audit import signing

MOST_BYTES = 20_000_000
_KINDS = (
    ("PDF", gettext_lazy("Signature of the PDF")),
    ("signature", gettext_lazy("Signature of the record")),
    ("spelling", gettext_lazy("Unchanged, character for character")),
    ("stored review", gettext_lazy("Reviews as stored")),
    ("stored", gettext_lazy("Input, result and policy as stored")),
    ("trail entry", gettext_lazy("Entries of the trail as stored")),
    ("seal", gettext_lazy("Seals of the entries")),
    ("agreement", gettext_lazy("Input, result and policy as sealed")),
    ("decided again", gettext_lazy("Decided again with the same result")),
    ("", gettext_lazy("Digests of the parts and texts")),
)
"""Labels of verified parts, by their prefix; the first that fits is used."""


class RecordForm(forms.Form):
    """A form for a file that may be a decision record."""

    file = forms.FileField(label=gettext_lazy("Decision record (PDF or JSON)"))

    def clean_file(self) -> "UploadedFile[bytes]":
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            raise ValidationError(_("At most %d MB.") % (MOST_BYTES // 1_000_000))
        return file


@dataclass(frozen=True, slots=True)
class VerifiedKind:
    """The verified items of one kind: how many there are, how many hold, and which do not."""

    name: str
    held_count: int
    total: int
    wrong: list[str]


@dataclass(frozen=True, slots=True)
class RecordVerdict:
    """The outcome for a file or a stored decision; `error` if it is no record at all."""

    file: str
    kinds: list[VerifiedKind]
    compared: bool
    error: str = ""
    check: Check | None = None

    @property
    def holds(self) -> bool:
        return not self.error and all(kind.held_count == kind.total for kind in self.kinds)


def verification_page(admin: MemberAdmin, request: HttpRequest) -> HttpResponse:
    """Show the last verification of each audited application, and the form for a record."""
    reader = person(request)
    if not access.audits_anything(reader):
        raise PermissionDenied
    if "application" in request.POST:
        audited = {str(item.pk): item.pk for item in access.auditing(reader)}
        application_id = audited.get(request.POST["application"])
        if application_id is None:
            raise PermissionDenied
        try:
            return page_of(start_verification(application_id=application_id, by=reader))
        except TooManyJobs as error:
            messages.error(request, str(error))
            return Redirect(request.path)
    verdict: RecordVerdict | None
    if "check" in request.POST:
        form, verdict = RecordForm(), _verdict_of_check(request.POST["check"], reader)
    else:
        form = RecordForm(request.POST or None, request.FILES or None)
        is_sent = request.method == "POST" and form.is_valid()
        verdict = _verdict(form.cleaned_data["file"], reader) if is_sent else None
    context = admin.site_context(
        request, title=_("Verification"), form=form,
        trails=last_verifications(access.auditing(reader)),
        verdict=verdict,
    )  # fmt: skip
    return TemplateResponse(request, "admin/audit/trailentry/verification.html", context)


def _verdict(file: "UploadedFile[bytes]", reader: User) -> RecordVerdict:
    """Verify a file; compare it with stored data only if the user audits its application."""
    data, name, keys = file.read(), file.name or "", signing.trusted_keys()
    audited = {str(pk) for pk in access.auditing(reader).order_by().values_list("pk", flat=True)}

    def is_audited(document: Document) -> bool:
        return document["application"]["id"] in audited

    if envelope.is_pdf(data) and not envelope.is_signed(data, keys):
        # Its signature is not valid, so its content is not parsed.
        kinds = _by_kind([VerifiedItem("PDF", holds=False)])
        return RecordVerdict(name, kinds, compared=False)
    try:
        items = list(verify_file(data, keys, is_audited))
    except RecordError as error:
        return RecordVerdict(name, [], compared=False, error=str(error))
    compared = any(item.what.startswith("stored") for item in items)
    return RecordVerdict(name, _by_kind(items), compared)


def _verdict_of_check(check_id: str, reader: User) -> RecordVerdict:
    """Return whether a decision is stored as it was made and sealed."""
    checks = Check.objects.select_related("application")
    try:
        check = checks.get(pk=check_id, application__in=access.auditing(reader))
    except (Check.DoesNotExist, ValidationError) as error:
        raise PermissionDenied from error
    document = make(parts_of(check, Review.objects.all()), timezone.now().isoformat())
    agreement = [item for item in judge(document, b"", ()) if item.what == "agreement"]
    kinds = _by_kind([*agreement, *against_stored(document)])
    return RecordVerdict(str(check.pk), kinds, compared=True, check=check)


def _by_kind(items: Sequence[VerifiedItem]) -> list[VerifiedKind]:
    by_kind: dict[str, list[VerifiedItem]] = {}
    for item in items:
        name = next(str(words) for begins, words in _KINDS if item.what.startswith(begins))
        by_kind.setdefault(name, []).append(item)
    return [
        VerifiedKind(
            name, sum(item.holds for item in of_kind), len(of_kind),
            [item.what for item in of_kind if not item.holds],
        )
        for name, of_kind in by_kind.items()
    ]  # fmt: skip
