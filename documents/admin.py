"""Collections and documents in the admin: what is indexed, and why something is not.

Members of an application see its documents; leads change them (accounts/access.py).
"""

from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from accounts import access
from accounts.filters import ApplicationFilter
from accounts.member_admin import MemberAdmin
from documents.metadata import BadMetadata, metadata_in
from documents.models import Collection, Document, DocumentState
from documents.services.collections import create_collection, delete_collection, describe_collection
from documents.services.uploads import StorageFull, delete_documents, require_space, upload

_UNREAD = (DocumentState.QUEUED, DocumentState.RUNNING)
_FINISHED = 286
"""The status at which htmx stops to ask."""


class CollectionForm(forms.ModelForm[Collection]):
    """A collection as its lead describes it; `user` chooses among the applications they lead."""

    class_number = forms.IntegerField(
        label=_("class (school year)"),
        required=False,
        min_value=0,
        max_value=100,
        help_text=_("From 0 to 100."),
    )

    class Meta:
        model = Collection
        fields = ("application", "name", "title", "class_number", "subject")

    def __init__(self, *args: Any, user: access.Person, **options: Any) -> None:
        super().__init__(*args, **options)
        if options.get("instance"):
            del self.fields["application"], self.fields["name"]
            return
        self.fields["name"].help_text = _(
            "Letters, digits, hyphens and underscores; cannot be changed later."
        )
        choice, applications = self.fields["application"], access.leading(user)
        if isinstance(choice, forms.ModelChoiceField):
            choice.queryset, choice.empty_label = applications, None
        if len(only := applications[:2]) == 1:
            choice.initial, choice.widget = only[0], forms.HiddenInput()


@admin.register(Collection)
class CollectionAdmin(MemberAdmin):
    """Collections: made in the list, described above their files, which are the page of one."""

    list_display = ("name", "about", "files", "passages", "progress", "application", "created_at")
    list_filter = (ApplicationFilter,)
    list_select_related = ("application",)
    search_fields = ("name", "title", "subject")
    ordering = ("name",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Collection]:
        """Count the files of each collection."""
        collections: QuerySet[Collection] = super().get_queryset(request)
        return collections.annotate(
            files=Count("documents"),
            unread=Count("documents", filter=Q(documents__state__in=_UNREAD)),
            failed=Count("documents", filter=Q(documents__state=DocumentState.FAILED)),
        )

    @admin.display(description=_("title"), ordering="title")
    def about(self, collection: Collection) -> str:
        """Return the title, with the subject and the class number."""
        words = (collection.title, collection.subject, str(collection.class_number or ""))
        return ", ".join(filter(None, words))

    @admin.display(description=_("files"), ordering="files")
    def files(self, collection: Any) -> int:
        return int(collection.files)

    @admin.display(description=_("passages"), ordering="chunk_count")
    def passages(self, collection: Collection) -> int:
        return collection.chunk_count

    @admin.display(description=_("progress"))
    def progress(self, collection: Any) -> str:
        """Return how many files are not indexed yet, and how many could not be, or "indexed"."""
        counts = (
            (ngettext("%d being read", "%d being read", collection.unread), collection.unread),
            (ngettext("%d failed", "%d failed", collection.failed), collection.failed),
        )
        words = ", ".join(words % count for words, count in counts if count)
        return words or (gettext("indexed") if collection.files else "")

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Offer a form for a new collection beside the list."""
        context: dict[str, Any] = extra_context or {}
        if self.has_add_permission(request):
            context = {"form": CollectionForm(user=request.user)} | context
        return super().changelist_view(request, context)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Make a collection and open it; a form with errors stays open over the list."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        posted = request.POST if request.method == "POST" else None
        form = CollectionForm(posted, user=request.user)
        if not form.is_valid():
            return self.changelist_view(request, {"form": form, "is_open": True})
        collection = create_collection(**form.cleaned_data, by=str(request.user))
        return redirect(_files_of(collection))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Change the description if one was posted; the page of a collection is its files."""
        collection = self.get_object(request, object_id)
        if collection is None or not self.has_view_permission(request, collection):
            response: HttpResponse = super().change_view(request, object_id)
            return response
        if request.method == "POST":
            if not self.has_change_permission(request, collection):
                raise PermissionDenied
            form = CollectionForm(request.POST, instance=collection, user=request.user)
            if form.is_valid():
                describe_collection(
                    collection=collection, by=str(request.user), **form.cleaned_data
                )
            elif words := _in_words(form):
                messages.error(request, words)
        return redirect(_files_of(collection))

    def delete_model(self, request: HttpRequest, obj: Collection) -> None:
        delete_collection(collection=obj, by=str(request.user))


def _in_words(form: forms.BaseForm) -> str:
    """Return the errors of a form as one sentence after the other."""
    return " ".join(str(text) for errors in form.errors.values() for text in errors)


def size_in_words(size: int) -> str:
    """Return a size in powers of 1000, which limits and quotas are in (Django's are of 1024)."""
    if size < 1_000:
        return ngettext("%d byte", "%d bytes", size) % size
    number, unit = (size / 1e3, "kB") if size < 1_000_000 else (size / 1e6, "MB")
    return f"{number_format(f'{number:.1f}'.removesuffix('.0'))} {unit}"


def _files_of(collection: Collection) -> str:
    """Return the address of the collection's page."""
    return f"{reverse('admin:documents_document_changelist')}?collection={collection.pk}"


class UploadForm(forms.Form):
    """One file for a collection, and what it is labelled with."""

    file = forms.FileField(label=_("Files"))
    metadata = forms.JSONField(
        label=_("metadata"),
        required=False,
        widget=forms.Textarea(
            {
                "rows": 2,
                "cols": 60,
                "placeholder": '{"branch": "north", "valid_from": "2026-01-01"}',
            }
        ),
    )

    def __init__(self, *args: Any, collection: Collection, **options: Any) -> None:
        super().__init__(*args, **options)
        self.collection = collection

    def clean_metadata(self) -> dict[str, Any]:
        """Refuse what is no metadata."""
        try:
            return metadata_in(self.cleaned_data["metadata"] or {})
        except BadMetadata as error:
            raise forms.ValidationError(str(error)) from error

    def clean_file(self) -> "UploadedFile[Any]":
        """Refuse a file larger than is ever parsed, or than the application has room for."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        bytes_sent = file.size or 0
        if bytes_sent > settings.MAX_DOCUMENT_BYTES:
            most = number_format(settings.MAX_DOCUMENT_BYTES, force_grouping=True)
            size = number_format(bytes_sent, force_grouping=True)
            text = _("%(size)s bytes; the limit is %(most)s.")
            raise forms.ValidationError(text % {"size": size, "most": most})
        try:
            require_space(self.collection.application, bytes_sent)
        except StorageFull as error:
            raise forms.ValidationError(str(error)) from error
        return file


class DocumentApplicationFilter(ApplicationFilter):
    path = "collection__application"


class CollectionFilter(admin.SimpleListFilter):
    title = _("collection")
    parameter_name = "collection"

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]
    ) -> list[tuple[str, str]]:
        collections = access.visible(Collection.objects.order_by("name"), request.user)
        return [(str(pk), name) for pk, name in collections.values_list("pk", "name")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Filter by collection; an unknown or foreign id shows nothing."""
        value = self.value()
        if value is None:
            return queryset
        is_choice = value in {pk for pk, _ in self.lookup_choices}
        return queryset.filter(collection_id=value) if is_choice else queryset.none()


@admin.register(Document)
class DocumentAdmin(MemberAdmin):
    """Documents: dropped on the page of a collection, indexed by a worker; failures say why."""

    path = "collection__application"
    list_display = (
        *("name", "collection", "progress", "size", "passages", "instructions"),
        *("hidden_passages", "created_at"),
    )
    list_filter = ("state", DocumentApplicationFilter, CollectionFilter)
    list_select_related = ("collection",)
    search_fields = ("name",)
    ordering = ("-id",)
    # All read-only: a document is replaced, not edited.
    fields = readonly_fields = (
        *("collection", "name", "metadata", "progress", "file_type", "title", "pages"),
        *("size", "digest"),
        *("passages", "instructions", "warnings", "hidden_passages", "hidden_text"),
        *("uploaded_by", "created_at", "indexed_at"),
    )

    @admin.display(description=_("state"), ordering="state")
    def progress(self, document: Document) -> str:
        """Return the progress, with the reason in words if it failed."""
        return render_to_string("documents/progress.html", {"document": document})

    @admin.display(description=_("size"), ordering="size_bytes")
    def size(self, document: Document) -> str:
        return size_in_words(document.size_bytes)

    @admin.display(description="SHA-256")
    def digest(self, document: Document) -> str:
        """Return the SHA-256 of the uploaded file."""
        return document.sha256

    @admin.display(description=_("passages"), ordering="chunk_count")
    def passages(self, document: Document) -> str:
        """Return the number of passages the text was split into, which the page keeps current."""
        return format_html('<span id="passages-{}">{}</span>', document.pk, document.chunk_count)

    @admin.display(description=_("suspicious passages"), ordering="flagged_chunks")
    def instructions(self, document: Document) -> int:
        """Return how many passages read like instructions to a model and so support nothing."""
        return document.flagged_chunks

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        documents: QuerySet[Document] = super().get_queryset(request)
        return documents.select_related("collection").defer("text", "hidden_text")

    def get_list_display(self, request: HttpRequest) -> Any:
        """Return no column for the collection on the page of one."""
        names = super().get_list_display(request)
        return [name for name in names if name != "collection" or "collection" not in request.GET]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Offer no form: files are dropped on the page of their collection."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow no change: a document is replaced, not edited."""
        return obj is None and super().has_change_permission(request)

    def get_urls(self) -> list[URLPattern]:
        upload_view = self.admin_site.admin_view(self.upload_view)
        progress_view = self.admin_site.admin_view(self.progress_view)
        return [
            path("upload/<uuid:collection_id>/", upload_view, name="documents_document_upload"),
            path("progress/", progress_view, name="documents_document_progress"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the files of one collection as its page, where files are dropped."""
        collections = access.visible(Collection.objects.all(), request.user)
        try:
            collection = collections.filter(pk=request.GET.get("collection", "")).first()
        except ValidationError:  # no identifier; the filter shows nothing
            collection = None
        context: dict[str, Any] = {"collection": collection}
        if collection:
            is_unread = collection.documents.filter(state__in=_UNREAD).exists()
            context |= {"heading": collection.title or collection.name, "is_unread": is_unread}
        if collection and access.may_manage(request.user, collection.application_id):
            context |= {
                "about": CollectionForm(instance=collection, user=request.user),
                "upload": UploadForm(collection=collection),
                "most_bytes": settings.MAX_DOCUMENT_BYTES,
                "most": size_in_words(settings.MAX_DOCUMENT_BYTES),
            }
        return super().changelist_view(request, context | (extra_context or {}))

    @method_decorator(require_POST)
    def upload_view(self, request: HttpRequest, collection_id: UUID) -> HttpResponse:
        """Accept one file, and say in a line what became of it."""
        collections = Collection.objects.filter(application__in=access.leading(request.user))
        collection = get_object_or_404(collections.select_related("application"), pk=collection_id)
        form = UploadForm(request.POST, request.FILES, collection=collection)
        if not form.is_valid():
            # As a form with errors is answered: nothing failed that a console should report.
            return HttpResponse(format_html('<span class="wd-late">{}</span>', _in_words(form)))
        file: UploadedFile[Any] = form.cleaned_data["file"]
        result = upload(
            collection=collection,
            name=file.name or "file",
            data=file.read(),
            by=str(request.user),
            metadata=form.cleaned_data["metadata"] or None,
        )
        there = _("This file is already in the collection.")
        return HttpResponse(there if result.unchanged else _("Uploaded; it is being indexed."))

    @method_decorator(require_safe)
    def progress_view(self, request: HttpRequest) -> HttpResponse:
        """Return the progress of the documents that a list shows as unfinished."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        identifiers = [*filter(None, request.GET.getlist("id"))][: self.list_per_page]
        try:
            documents = list(self.get_queryset(request).filter(pk__in=identifiers))
        except ValidationError:
            return HttpResponseBadRequest()
        is_unread = any(document.state in _UNREAD for document in documents)
        return render(
            request, "documents/progresses.html", {"documents": documents},
            status=200 if is_unread else _FINISHED,
        )  # fmt: skip

    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        """Delete through the service, which writes the trail and updates the collection's count."""
        delete_documents(documents=[obj], by=str(request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        delete_documents(documents=list(queryset), by=str(request.user))
