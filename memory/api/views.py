"""`/api/v1/managers` and `/api/v1/managers/{id}/memory`."""

from dataclasses import asdict
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import or_404
from accounts.authentication import client_of
from accounts.inputs import validated
from accounts.models import Application, Scope
from accounts.pagination import PAGING, NewestFirst
from accounts.problems import ProblemError
from accounts.views import ApplicationView
from memory import services
from memory.api import serializers as schema
from memory.files import file_name
from memory.models import Manager, Target
from memory.selectors import recall
from memory.selectors.entries import entries_of, manager_of, managers_of
from memory.services.files import NotReadable, export, import_file
from memory.services.managers import create_manager, delete_manager


class MemoryView(ApplicationView):
    read_scope = Scope.MEMORY_READ
    write_scope = Scope.MEMORY_WRITE


class ManagersView(MemoryView):
    @extend_schema(operation_id="list_managers", responses=schema.ManagerList)
    def get(self, request: Request) -> Response:
        """Return all managers of the application, by name."""
        managers = managers_of(self.application_id)
        return Response(schema.ManagerList({"results": managers}).data)

    @extend_schema(
        operation_id="create_manager",
        request=schema.ManagerInput,
        responses={201: schema.ManagerOutput},
    )
    def post(self, request: Request) -> Response:
        """Create a manager."""
        values = validated(schema.ManagerInput, request.data)
        application = Application.objects.get(pk=self.application_id)
        try:
            with transaction.atomic():
                manager = create_manager(
                    application=application, name=values["name"], by=str(request.user)
                )
        except IntegrityError as error:
            detail = "A manager with this name already exists. Choose another name."
            raise ProblemError(409, "name_taken", detail) from error
        manager.refresh_from_db()
        return Response(schema.ManagerOutput(manager).data, status=201)


class ManagerView(MemoryView):
    @extend_schema(operation_id="get_manager", responses=schema.ManagerOutput)
    def get(self, request: Request, manager_id: UUID) -> Response:
        """Return a manager of the application."""
        return Response(schema.ManagerOutput(_manager(request, manager_id)).data)

    @extend_schema(operation_id="delete_manager", responses={204: None})
    def delete(self, request: Request, manager_id: UUID) -> Response:
        """Delete a manager and their own memory; what they stated about the company stays."""
        try:
            delete_manager(manager=_manager(request, manager_id), by=str(request.user))
        except ProtectedError as error:
            detail = "This manager has stored conversations. Delete the entries one by one."
            raise ProblemError(409, "in_use", detail) from error
        return Response(status=204)


class EntriesView(MemoryView):
    @extend_schema(
        operation_id="list_memory",
        parameters=[
            OpenApiParameter("target", str, enum=Target.values),
            OpenApiParameter("history", bool, description="Whether to include superseded facts."),
            *PAGING,
        ],
        responses=schema.EntryPage,
    )
    def get(self, request: Request, manager_id: UUID) -> Response:
        """Return the manager's own facts and those of the company, newest first."""
        parameters = request.query_params
        target = parameters.get("target")
        if target is not None and target not in Target.values:
            raise ValidationError({"target": [f"One of {', '.join(Target.values)}."]})
        entries = entries_of(
            _manager(request, manager_id),
            target=target,
            history=parameters.get("history") == "true",
        )
        return NewestFirst().respond(entries, self, schema.EntryOutput().to_representation)

    @extend_schema(
        operation_id="remember",
        request=schema.StatementInput,
        responses={200: schema.OutcomeOutput},
    )
    def post(self, request: Request, manager_id: UUID) -> Response:
        """Judge a manager's statement, and store the facts that are worth keeping."""
        values = validated(schema.StatementInput, request.data)
        outcome = services.remember(_manager(request, manager_id), **values, by=str(request.user))
        return Response(schema.OutcomeOutput(asdict(outcome)).data)


class EntryView(MemoryView):
    @extend_schema(operation_id="get_memory", responses=schema.EntryOutput)
    def get(self, request: Request, manager_id: UUID, entry_id: UUID) -> Response:
        """Return an entry, even if it was superseded."""
        entries = entries_of(_manager(request, manager_id), history=True)
        return Response(schema.EntryOutput(or_404(entries.get, pk=entry_id)).data)

    @extend_schema(
        operation_id="correct_memory",
        request=schema.CorrectionInput,
        responses={200: schema.FactOutput},
    )
    def patch(self, request: Request, manager_id: UUID, entry_id: UUID) -> Response:
        """Correct an entry; the old one remains, with its dates."""
        values = validated(schema.CorrectionInput, request.data)
        manager, by = _manager(request, manager_id), str(request.user)
        outcome = or_404(services.correct, entry_id, manager, values["text"], by=by)
        return Response(schema.FactOutput(asdict(outcome)).data)

    @extend_schema(operation_id="delete_memory", responses={204: None})
    def delete(self, request: Request, manager_id: UUID, entry_id: UUID) -> Response:
        """Delete an entry and the earlier ones that it superseded, for good."""
        or_404(services.delete, entry_id, _manager(request, manager_id), by=str(request.user))
        return Response(status=204)


class UndoView(MemoryView):
    problems = {services.NotUndoable: (409, "superseded")}

    @extend_schema(operation_id="undo_memory", request=None, responses={204: None})
    def post(self, request: Request, manager_id: UUID, entry_id: UUID) -> Response:
        """Undo an entry; the entry that it superseded is valid again."""
        or_404(services.undo, entry_id, _manager(request, manager_id), by=str(request.user))
        return Response(status=204)


class RecallView(MemoryView):
    write_scope = Scope.MEMORY_READ

    @extend_schema(
        operation_id="recall_memory",
        request=schema.RecallInput,
        responses={200: schema.RecallOutput},
    )
    def post(self, request: Request, manager_id: UUID) -> Response:
        """Return the remembered facts closest to a question, best first."""
        values = validated(schema.RecallInput, request.data)
        memories = recall(_manager(request, manager_id), values["question"], limit=values["limit"])
        return Response(schema.RecallOutput({"results": [asdict(item) for item in memories]}).data)


class FileView(MemoryView):
    @extend_schema(
        operation_id="export_memory",
        parameters=[schema.FileTarget],
        responses={200: schema.FileOutput},
    )
    def get(self, request: Request, manager_id: UUID) -> Response:
        """Return all currently valid facts as a Markdown file."""
        target = Target(validated(schema.FileTarget, request.query_params)["target"])
        content = export(_manager(request, manager_id), target, by=str(request.user))
        file = {"target": target, "file_name": file_name(target), "content": content}
        return Response(schema.FileOutput(file).data)

    @extend_schema(
        operation_id="import_memory", request=schema.FileInput, responses={200: schema.ImportOutput}
    )
    def post(self, request: Request, manager_id: UUID) -> Response:
        """Import facts from a file; personal data and secrets are refused, as in statements."""
        values = validated(schema.FileInput, request.data)
        manager, target = _manager(request, manager_id), Target(values["target"])
        try:
            report = import_file(manager, target, values["content"], by=str(request.user))
        except NotReadable as error:
            raise ValidationError({"content": [str(error)]}) from error
        return Response(schema.ImportOutput(asdict(report)).data)


def _manager(request: Request, manager_id: UUID) -> Manager:
    return or_404(manager_of, client_of(request).application_id, manager_id)
