"""Collections and documents in the admin: to see what is indexed, and why something is not."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import HttpRequest

from documents.models import Collection, Document
from documents.services.collections import create_collection, delete_collection
from documents.services.uploads import delete_documents, upload


@admin.register(Collection)
class CollectionAdmin(admin.ModelAdmin[Collection]):
    """What there is to search."""

    list_display = ("name", "application", "class_number", "subject", "chunk_count", "created_at")
    list_filter = ("application",)
    list_select_related = ("application",)
    fields = ("application", "name", "title", "class_number", "subject", "chunk_count")
    readonly_fields = ("chunk_count",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """A collection never moves to another application."""
        return ("chunk_count", "application", "name") if obj else ("chunk_count",)

    def save_model(
        self, request: HttpRequest, obj: Collection, form: forms.ModelForm[Any], change: bool
    ) -> None:
        """A new collection goes through the service, which writes the trail."""
        if change:
            obj.save(update_fields=["title", "class_number", "subject"])
            return
        made = create_collection(
            application=obj.application,
            name=obj.name,
            title=obj.title,
            class_number=obj.class_number,
            subject=obj.subject,
            by=str(request.user),
        )
        obj.pk = made.pk

    def delete_model(self, request: HttpRequest, obj: Collection) -> None:
        """Through the service."""
        delete_collection(collection=obj, by=str(request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Collection]) -> None:
        """Through the service, one after another."""
        for collection in queryset:
            self.delete_model(request, collection)


class UploadForm(forms.ModelForm[Document]):
    """A file for a collection."""

    upload = forms.FileField(label="File", help_text=".txt, .md, .html, .pdf or .docx")

    class Meta:
        model = Document
        fields = ("collection",)

    def clean_upload(self) -> "UploadedFile[Any]":
        """Refuse what is larger than is ever read."""
        file: UploadedFile[Any] = self.cleaned_data["upload"]
        if (file.size or 0) > settings.MAX_DOCUMENT_BYTES:
            most = f"{settings.MAX_DOCUMENT_BYTES:,}"
            raise forms.ValidationError(f"{file.size:,} bytes; at most {most} are read.")
        return file


@admin.register(Document)
class DocumentAdmin(admin.ModelAdmin[Document]):
    """Uploaded here, indexed by a worker; a failure says in words what to do."""

    list_display = ("name", "collection", "progress", "chunk_count", "flagged_chunks", "created_at")
    list_filter = ("state", "collection")
    list_select_related = ("collection",)
    search_fields = ("name",)
    ordering = ("-id",)
    show_full_result_count = False
    form = UploadForm
    _shown = (
        "collection", "name", "progress", "file_type", "title", "pages", "size_bytes", "sha256",
        "chunk_count", "flagged_chunks", "warnings", "hidden_text", "uploaded_by", "created_at",
        "indexed_at",
    )  # fmt: skip

    @admin.display(description="state", ordering="state")
    def progress(self, document: Document) -> str:
        """The state, with the reason in words when it failed."""
        return f"{document.state}: {document.error}" if document.error else document.state

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        """Without the texts."""
        return super().get_queryset(request).defer("text")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A file when adding; afterwards what became of it."""
        return self._shown if obj else ("collection", "upload")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A document is replaced, not edited."""
        return self._shown if obj else ()

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A document is replaced, not edited."""
        return obj is None and super().has_change_permission(request)

    def save_model(
        self, request: HttpRequest, obj: Document, form: forms.ModelForm[Any], change: bool
    ) -> None:
        """Accept the file."""
        file: UploadedFile[Any] = form.cleaned_data["upload"]
        made = upload(
            collection=obj.collection,
            name=file.name or "file",
            data=file.read(),
            by=str(request.user),
        )
        obj.pk = made.document.pk
        if made.unchanged:
            messages.info(request, "The very same file is in this collection already.")

    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        """Through the service, which writes the trail and keeps the collection's count."""
        delete_documents(documents=[obj], by=str(request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        """Through the service."""
        delete_documents(documents=list(queryset), by=str(request.user))
