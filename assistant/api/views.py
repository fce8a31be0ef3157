"""`/api/v1/assistant`: questions, conversations, answers."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import or_404
from accounts.authentication import client_of
from accounts.idempotency import KEY, IdempotencyKeyReused
from accounts.inputs import validated
from accounts.models import Scope
from accounts.pagination import NewestFirst
from accounts.problems import ProblemError
from accounts.views import ApplicationView
from analysis.services.idempotency import Accepted, IdempotencyConflict
from api.headers import PREFER, idempotency, wait_headers, wait_seconds
from api.outputs import Problem
from assistant import selectors
from assistant.api import schema
from assistant.models import ENDED, Conversation
from assistant.services import TooManyOpen, ask_later, brief_later
from assistant.services.asking import manager_named
from assistant.services.lifecycle import wait
from memory.models import Manager

_PAGES = [OpenApiParameter(name, str) for name in ("cursor", "page_size")]
_ERRORS = dict.fromkeys((400, 401, 403, 404, 429), Problem)


class AssistantView(ApplicationView):
    read_scope = Scope.ASSISTANT_READ
    write_scope = Scope.ASSISTANT_WRITE


class MessagesView(AssistantView):
    @extend_schema(
        operation_id="ask_assistant",
        parameters=[PREFER, KEY],
        request=schema.MessageInput,
        responses={200: schema.TurnOutput, 202: schema.TurnOutput, 409: Problem, **_ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Ask a question: 200 with the checked answer, or 202 with where to find it.

        429 with the type `too_many_open_questions` if the manager already has as many open
        questions as are allowed (ten).
        """
        accepted = _accept_question(request, validated(schema.MessageInput, request.data))
        wait(accepted.id, seconds=wait_seconds(request))
        document = _document(request, accepted.id)
        ended = document["state"] in ENDED
        where = reverse("assistant_message", args=[accepted.id])
        headers = wait_headers(request, accepted, ended=ended, where=where)
        return Response(document, status=200 if ended else 202, headers=headers)


class MessageView(AssistantView):
    @extend_schema(
        operation_id="get_assistant_message",
        responses={200: schema.TurnOutput, **_ERRORS},
    )
    def get(self, request: Request, turn_id: UUID) -> Response:
        """Return a question, its progress, and its checked answer."""
        return Response(_document(request, turn_id))


class BriefingsView(AssistantView):
    @extend_schema(
        operation_id="start_assistant_briefing",
        request=schema.BriefingInput,
        responses={202: schema.ConversationOutput, **_ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Start a briefing: a conversation with one question on each of the manager's active works.

        The questions are about the day's weather and the limits in the documents; the answers
        follow in the conversation.
        """
        name = validated(schema.BriefingInput, request.data)["manager"].strip()
        manager = _manager(request, name)
        try:
            conversation = brief_later(manager)
        except TooManyOpen as error:
            raise _too_many_open(error) from error
        stored_conversation = (
            selectors.conversations_with(manager).select_related("manager").get(pk=conversation.pk)
        )
        where = reverse("assistant_conversation", args=[conversation.pk])
        headers = {"Location": where, "Retry-After": "1"}
        document = schema.ConversationOutput(stored_conversation).data
        return Response(document, status=202, headers=headers)


class ConversationsView(AssistantView):
    @extend_schema(
        operation_id="list_assistant_conversations",
        parameters=[schema.ConversationFilters, *_PAGES],
        responses={200: schema.ConversationPage, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        """List conversations, newest first."""
        filters = validated(schema.ConversationFilters, request.query_params)
        conversations = selectors.conversations_of(client_of(request).application_id, **filters)
        output = schema.ConversationOutput()
        return NewestFirst().respond(conversations, self, output.to_representation)


class ConversationView(AssistantView):
    @extend_schema(
        operation_id="list_assistant_messages",
        parameters=_PAGES,
        responses={200: schema.TurnPage, **_ERRORS},
    )
    def get(self, request: Request, conversation_id: UUID) -> Response:
        """Return the questions and answers of a conversation, newest first."""
        conversation = _conversation_of(request, conversation_id)
        turns = selectors.turns_of(conversation.pk)
        return NewestFirst().respond(turns, self, selectors.turn_document)


def _too_many_open(error: TooManyOpen) -> ProblemError:
    return ProblemError(429, "too_many_open_questions", str(error), wait=5)


def _accept_question(request: Request, values: dict[str, Any]) -> Accepted:
    manager, conversation = _manager_and_conversation(request, values)
    try:
        return ask_later(
            manager,
            conversation,
            values["message"],
            by=str(request.user),
            collections=values["collections"],
            documents=values["documents"],
            idempotency=idempotency(request),
        )
    except IdempotencyConflict as error:
        raise IdempotencyKeyReused from error
    except TooManyOpen as error:
        raise _too_many_open(error) from error


def _manager_and_conversation(
    request: Request, values: dict[str, Any]
) -> tuple[Manager, Conversation | None]:
    """Return the named conversation and its manager, or only the manager for a new one."""
    name = values["manager"].strip()
    if values["conversation"] is not None:
        conversation = _conversation_of(request, values["conversation"])
        if name in ("", conversation.manager.name):
            return conversation.manager, conversation
        raise Http404
    return _manager(request, name), None


def _manager(request: Request, name: str) -> Manager:
    try:
        return manager_named(client_of(request).application_id, name, by=str(request.user))
    except Manager.DoesNotExist:
        raise NotFound(f"There is no manager {name}.") from None


def _conversation_of(request: Request, conversation_id: UUID) -> Conversation:
    return or_404(selectors.conversation_of, client_of(request).application_id, conversation_id)


def _document(request: Request, turn_id: UUID) -> dict[str, Any]:
    turn = or_404(selectors.turn_of, client_of(request).application_id, turn_id)
    return selectors.turn_document(turn)
