"""`/api/v1/collections`, `/api/v1/documents` and `/api/v1/search`."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import or_404
from accounts.authentication import client_of
from accounts.idempotency import KEY, IdempotencyKeyReused, key_of, replayed
from accounts.inputs import validated
from accounts.models import Application, Scope
from accounts.pagination import PAGING, NewestFirst
from accounts.problems import ProblemError
from accounts.views import ApplicationView
from documents import selectors
from documents.api import serializers as schema
from documents.models import Collection, Document
from documents.retrieval import SearchOptions, search
from documents.services.collections import create_collection, delete_collection, describe_collection
from documents.services.uploads import (
    KeyReused,
    StorageFull,
    Upload,
    UploadGone,
    delete_documents,
    upload,
)


class DocumentsView(ApplicationView):
    read_scope = Scope.DOCUMENTS_READ
    write_scope = Scope.DOCUMENTS_WRITE


class CollectionsView(DocumentsView):
    @extend_schema(operation_id="list_collections", responses=schema.CollectionList)
    def get(self, request: Request) -> Response:
        """Return all collections of the application, by name."""
        collections = selectors.collections_of(self.application_id)
        return Response(schema.CollectionList({"results": collections}).data)

    @extend_schema(
        operation_id="create_collection",
        request=schema.CollectionInput,
        responses={201: schema.CollectionOutput},
    )
    def post(self, request: Request) -> Response:
        """Create an empty collection."""
        values = validated(schema.CollectionInput, request.data)
        application = Application.objects.get(pk=self.application_id)
        try:
            collection = create_collection(application=application, by=str(request.user), **values)
        except IntegrityError as error:
            detail = "A collection with this name already exists. Choose another name."
            raise ProblemError(409, "name_taken", detail) from error
        collection.refresh_from_db()
        return Response(schema.CollectionOutput(collection).data, status=201)


class CollectionView(DocumentsView):
    @extend_schema(operation_id="get_collection", responses=schema.CollectionOutput)
    def get(self, request: Request, name: str) -> Response:
        """Return a collection and how much of it is indexed."""
        return Response(schema.CollectionOutput(_collection(request, name)).data)

    @extend_schema(
        operation_id="change_collection",
        request=schema.CollectionChange,
        responses=schema.CollectionOutput,
    )
    def patch(self, request: Request, name: str) -> Response:
        """Change the description of a collection."""
        collection = _collection(request, name)
        changed = validated(schema.CollectionChange, request.data)
        describe_collection(
            collection=collection,
            by=str(request.user),
            title=changed.get("title", collection.title),
            class_number=changed.get("class_number", collection.class_number),
            subject=changed.get("subject", collection.subject),
        )
        return Response(schema.CollectionOutput(collection).data)

    @extend_schema(operation_id="delete_collection", responses={204: None})
    def delete(self, request: Request, name: str) -> Response:
        """Delete a collection with all its documents."""
        delete_collection(collection=_collection(request, name), by=str(request.user))
        return Response(status=204)


class DocumentListView(DocumentsView):
    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="list_documents",
        parameters=[OpenApiParameter("collection", str), *PAGING],
        responses=schema.DocumentPage,
    )
    def get(self, request: Request) -> Response:
        """List documents, newest first."""
        application_id = self.application_id
        name = request.query_params.get("collection")
        if name is not None and selectors.named_collections(application_id, [name])[1]:
            raise NotFound(f"There is no collection {name!r}.")
        documents = selectors.documents_of(application_id, name)
        return NewestFirst().respond(documents, self, schema.DocumentOutput().to_representation)

    @extend_schema(
        operation_id="upload_document",
        parameters=[KEY],
        request={"multipart/form-data": schema.UploadInput},
        responses={200: schema.DocumentOutput, 202: schema.DocumentOutput},
    )
    def post(self, request: Request) -> Response:
        """Upload a file: 202, or 200 if the same file is already there."""
        values = validated(schema.UploadInput, request.data)
        file = values["file"]
        if file.size > settings.MAX_DOCUMENT_BYTES:
            most = f"{settings.MAX_DOCUMENT_BYTES:,}"
            raise ValidationError({"file": [f"{file.size:,} bytes; the limit is {most}."]})
        result = _upload(request, values["collection"], file, values["metadata"])
        document = selectors.document_of(self.application_id, result.document.pk)
        headers = {"Location": reverse("document", args=[document.pk]), **replayed(result.replayed)}
        status = 200 if result.unchanged else 202
        return Response(schema.DocumentOutput(document).data, status=status, headers=headers)


class DocumentView(DocumentsView):
    @extend_schema(operation_id="get_document", responses=schema.DocumentOutput)
    def get(self, request: Request, document_id: UUID) -> Response:
        """Return a document and its state."""
        return Response(schema.DocumentOutput(_document(request, document_id)).data)

    @extend_schema(operation_id="delete_document", responses={204: None})
    def delete(self, request: Request, document_id: UUID) -> Response:
        """Delete a document and its index entries."""
        delete_documents(documents=[_document(request, document_id)], by=str(request.user))
        return Response(status=204)


class SearchView(DocumentsView):
    write_scope = Scope.DOCUMENTS_READ

    @extend_schema(operation_id="search", request=schema.SearchInput, responses=schema.SearchOutput)
    def post(self, request: Request) -> Response:
        """Return the passages closest to a query, best first."""
        values = validated(schema.SearchInput, request.data)
        application_id = self.application_id
        collections, missing = selectors.named_collections(application_id, values["collections"])
        if missing:
            raise ValidationError({"collections": [f"There is no collection {missing[0]!r}."]})
        options = SearchOptions(
            most_per_document=values["most_per_document"], documents=values["documents"]
        )
        chunks = search(collections, values["query"], values["k"], options)
        return Response({"results": [asdict(chunk) for chunk in chunks]})


def _upload(
    request: Request, collection: str, file: "UploadedFile[bytes]", metadata: dict[str, Any] | None
) -> Upload:
    try:
        return upload(
            collection=_collection_named(request, collection),
            name=str(file.name),
            data=file.read(),
            by=str(request.user),
            metadata=metadata,
            key=key_of(request),
        )
    except KeyReused as error:
        raise IdempotencyKeyReused from error
    except UploadGone as error:
        detail = (
            "What this Idempotency-Key uploaded has been deleted, or replaced by a newer file. Use "
            "a new key to upload it again."
        )
        raise ProblemError(409, "document_gone", detail) from error
    except StorageFull as error:
        raise ProblemError(429, "quota_exceeded", str(error), quota="file_megabytes") from error


def _collection(request: Request, name: str) -> Collection:
    return or_404(selectors.collection_of, client_of(request).application_id, name)


def _collection_named(request: Request, name: str) -> Collection:
    try:
        return selectors.collection_of(client_of(request).application_id, name)
    except Collection.DoesNotExist:
        problem = f"There is no collection {name!r}. Create it with POST /api/v1/collections."
        raise ValidationError({"collection": [problem]}) from None


def _document(request: Request, document_id: UUID) -> Document:
    return or_404(selectors.document_of, client_of(request).application_id, document_id)
