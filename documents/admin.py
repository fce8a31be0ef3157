"""Collections and documents in the admin: what is indexed, and why something is not.

Members of an application see its documents; leads change them (accounts/access.py).
"""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.files.uploadedfile import UploadedFile
from django.db.models import ForeignKey, QuerySet
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import access
from accounts.filters import ApplicationFilter
from accounts.member_admin import MemberAdmin
from documents.failures import failure_words
from documents.metadata import BadMetadata, metadata_in
from documents.models import Collection, Document, DocumentState
from documents.services.collections import create_collection, delete_collection, describe_collection
from documents.services.uploads import StorageFull, delete_documents, require_space, upload


@admin.register(Collection)
class CollectionAdmin(MemberAdmin):
    list_display = ("name", "application", "class_number", "subject", "chunk_count", "created_at")
    list_filter = (ApplicationFilter,)
    list_select_related = ("application",)
    fields = ("application", "name", "title", "class_number", "subject", "chunk_count")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return application and name as read-only once the collection exists."""
        return ("chunk_count", "application", "name") if obj else ("chunk_count",)

    def save_model(
        self, request: HttpRequest, obj: Collection, form: forms.ModelForm[Any], change: bool
    ) -> None:
        if change:
            describe_collection(
                collection=obj,
                by=str(request.user),
                title=obj.title,
                class_number=obj.class_number,
                subject=obj.subject,
            )
            return
        collection = create_collection(
            application=obj.application,
            name=obj.name,
            title=obj.title,
            class_number=obj.class_number,
            subject=obj.subject,
            by=str(request.user),
        )
        obj.pk = collection.pk

    def delete_model(self, request: HttpRequest, obj: Collection) -> None:
        delete_collection(collection=obj, by=str(request.user))


class UploadForm(forms.ModelForm[Document]):
    upload = forms.FileField(label=_("File"), help_text=_(".txt, .md, .html, .csv, .pdf or .docx"))

    class Meta:
        model = Document
        fields = ("collection", "metadata")

    def clean_metadata(self) -> dict[str, Any]:
        """Refuse what is no metadata."""
        try:
            return metadata_in(self.cleaned_data["metadata"] or {})
        except BadMetadata as error:
            raise forms.ValidationError(str(error)) from error

    def clean_upload(self) -> "UploadedFile[Any]":
        """Refuse a file larger than is ever parsed."""
        file: UploadedFile[Any] = self.cleaned_data["upload"]
        bytes_sent = file.size or 0
        if bytes_sent > settings.MAX_DOCUMENT_BYTES:
            most = number_format(settings.MAX_DOCUMENT_BYTES, force_grouping=True)
            size = number_format(bytes_sent, force_grouping=True)
            text = _("%(size)s bytes; the limit is %(most)s.")
            raise forms.ValidationError(text % {"size": size, "most": most})
        return file

    def clean(self) -> dict[str, Any]:
        """Refuse a file that exceeds the application's quota."""
        values = super().clean() or self.cleaned_data
        if (file := values.get("upload")) and (collection := values.get("collection")):
            try:
                require_space(collection.application, file.size or 0)
            except StorageFull as error:
                self.add_error("upload", str(error))
        return values


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
    """An admin for documents: uploaded here, indexed by a worker; failures say what to do."""

    path = "collection__application"
    list_display = (
        *("name", "collection", "progress", "passages", "instructions", "hidden_passages"),
        "created_at",
    )
    list_filter = ("state", DocumentApplicationFilter, CollectionFilter)
    list_select_related = ("collection",)
    search_fields = ("name",)
    ordering = ("-id",)
    form = UploadForm
    _shown = (
        *("collection", "name", "metadata", "progress", "file_type", "title", "pages"),
        *("size", "digest"),
        *("passages", "instructions", "warnings", "hidden_passages", "hidden_text"),
        *("uploaded_by", "created_at", "indexed_at"),
    )

    @admin.display(description=_("progress"), ordering="state")
    def progress(self, document: Document) -> str:
        """Return the progress, with the reason in words if it failed."""
        match document.state:
            case DocumentState.QUEUED:
                # The state of a queued document, with the number of failed attempts.
                if not document.attempts:
                    return gettext("waiting for a worker")
                text = ngettext(
                    "waiting for a worker, tried %d time",
                    "waiting for a worker, tried %d times",
                    document.attempts,
                )
                return text % document.attempts
            case DocumentState.RUNNING:
                return gettext("being read and indexed")
            case DocumentState.FAILED:
                return gettext("failed: %s") % failure_words(document)
            case _:
                return gettext("indexed")

    @admin.display(description=_("size"))
    def size(self, document: Document) -> str:
        return filesizeformat(document.size_bytes)

    @admin.display(description="SHA-256")
    def digest(self, document: Document) -> str:
        """Return the SHA-256 of the uploaded file."""
        return document.sha256

    @admin.display(description=_("passages"), ordering="chunk_count")
    def passages(self, document: Document) -> int:
        """Return the number of passages the text was split into."""
        return document.chunk_count

    @admin.display(description=_("passages with instructions"), ordering="flagged_chunks")
    def instructions(self, document: Document) -> int:
        """Return how many passages read like instructions to a model and so support nothing."""
        return document.flagged_chunks

    def formfield_for_foreignkey(
        self, db_field: "ForeignKey[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> Any:
        """Offer only collections that this person may change; refuse others as unknown."""
        if db_field.name == "collection":
            collections = Collection.objects.filter(application__in=access.managed(request.user))
            kwargs["queryset"] = collections.select_related("application").order_by("name")
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        documents: QuerySet[Document] = super().get_queryset(request)
        return documents.select_related("collection").defer("text", "hidden_text")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return a file field when adding, afterwards the results."""
        return self._shown if obj else ("collection", "upload", "metadata")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return all fields as read-only: a document is replaced, not edited."""
        return self._shown if obj else ()

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow no change: a document is replaced, not edited."""
        return obj is None and super().has_change_permission(request)

    def save_model(
        self, request: HttpRequest, obj: Document, form: forms.ModelForm[Any], change: bool
    ) -> None:
        file: UploadedFile[Any] = form.cleaned_data["upload"]
        result = upload(
            collection=obj.collection,
            name=file.name or "file",
            data=file.read(),
            by=str(request.user),
            metadata=obj.metadata,
        )
        obj.pk = result.document.pk
        if result.unchanged:
            messages.info(request, _("This file is already in the collection."))

    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        """Delete through the service, which writes the trail and updates the collection's count."""
        delete_documents(documents=[obj], by=str(request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        delete_documents(documents=list(queryset), by=str(request.user))
