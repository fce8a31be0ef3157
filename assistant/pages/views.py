"""`/assistant/`: a manager's conversations, for the user who represents that manager."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import access as roles
from analysis.selectors.results import decision_in_place
from assistant.evidence import bundle_of
from assistant.models import Turn
from assistant.pages.access import conversation_for, manager_for, turn_for
from assistant.pages.turn_view import TurnView, render_turn
from assistant.presenting import NOT_CHECKED, NOTHING, REMEMBERED, beside_of, source_line
from assistant.selectors import (
    Statuses,
    around_passage,
    conversations_with,
    is_first_checked,
    some_turns,
    statuses_of,
    turn_document,
    undoable,
)
from assistant.synthesis.drafts import NOT_FOUND
from assistant.synthesis.extractive import BY as QUOTED
from desk.verdict_page.engine_texts import in_words
from documents.metadata import VALID_FROM, VALID_ON, VALID_TO, metadata_values
from documents.selectors import collections_of, documents_of
from memory.models import Manager
from memory.selectors.entries import managers_for

MOST_CONVERSATIONS, MOST_TURNS, MOST_DOCUMENTS = 30, 20, 20


@never_cache
@login_required
@require_safe
def home(request: HttpRequest, manager_id: UUID | None = None) -> HttpResponse:
    """Show the conversations of a manager that the user represents, and a form for a question."""
    return home_page(request, manager_id)


def home_page(
    request: HttpRequest, manager_id: UUID | None, *, question: str = "", status: int = 200
) -> HttpResponse:
    """Return the home page; `question`: refused text to put back into the box."""
    managers = list(managers_for(request.user))
    if manager_id is None and len(managers) == 1:
        return redirect("assistant_of", managers[0].pk)
    if manager_id is None:
        return render(request, "assistant/page.html", {"managers": managers})
    manager = next((manager for manager in managers if manager.pk == manager_id), None)
    if manager is None:
        raise Http404
    context = {
        "managers": managers,
        **_around(manager),
        **_conversations(manager, _id_of(request, "older")),
        **_documents(request, manager),
        "question": question,
        "choices": _choices(manager, {}),
    }
    return render(request, "assistant/page.html", context, status=status)


@never_cache
@login_required
@require_safe
def conversation(request: HttpRequest, manager_id: UUID, conversation_id: UUID) -> HttpResponse:
    """Show one conversation: its questions with their answers, and a form for the next."""
    return conversation_page(request, manager_id, conversation_id)


def conversation_page(
    request: HttpRequest,
    manager_id: UUID,
    conversation_id: UUID,
    *,
    question: str = "",
    status: int = 200,
) -> HttpResponse:
    """Return a conversation's page; `question`: refused text to put back into the box."""
    manager = manager_for(request.user, manager_id)
    conversation = conversation_for(manager, conversation_id)
    turns, earlier = some_turns(conversation, _id_of(request, "before"), MOST_TURNS)
    pages = shown_turns(manager, turns)
    context = {
        **_around(manager),
        "conversation": conversation,
        "turns": pages,
        "earlier": turns[0].pk if earlier else None,
        "waits": any(page.waits for page in pages),
        "question": question,
        "choices": _choices(manager, turns[-1].documents if turns else {}),
    }
    return render(request, "assistant/page.html", context, status=status)


@never_cache
@login_required
@require_safe
def turn(
    request: HttpRequest, manager_id: UUID, conversation_id: UUID, turn_id: UUID
) -> HttpResponse:
    """Show one turn alone, for the page that waited for it."""
    manager = manager_for(request.user, manager_id)
    (page,) = shown_turns(manager, [turn_for(manager, conversation_id, turn_id)])
    context = {"turn": page, "manager": manager, "icons": static("watchdog/icons.svg")}
    return render(request, "assistant/turn.html", context)


@never_cache
@login_required
@require_safe
def passage(
    request: HttpRequest, manager_id: UUID, conversation_id: UUID, turn_id: UUID, number: int
) -> HttpResponse:
    """Show an item of a turn's evidence in its place: with what stands around it."""
    manager = manager_for(request.user, manager_id)
    turn = turn_for(manager, conversation_id, turn_id)
    items = bundle_of(turn.evidence.contents).items if hasattr(turn, "evidence") else ()
    item = next((item for item in items if item.number == number), None)
    if item is None:
        raise Http404
    before, after = around_passage(item)
    context = {
        **_around(manager), "turn": turn, "item": item, "before": before, "after": after,
        "source": source_line(item),
    }  # fmt: skip
    return render(request, "assistant/passage.html", context)


def shown_turns(manager: Manager, turns: Sequence[Turn]) -> list[TurnView]:
    """Return the views of turns of one conversation, in order. Four queries."""
    if not turns:
        return []
    documents = [turn_document(item) for item in turns]
    statuses, undoable_ids = statuses_of(turns), undoable(manager, documents)
    first = turns[0]
    earlier_notes, unexplained = set(first.notes_before()), is_first_checked(first)
    pages = list[TurnView]()
    for item, document in zip(turns, documents, strict=True):
        explains = unexplained and document["verdict"] is not None
        pages.append(
            _turn_view(
                item, document, statuses, undoable_ids, earlier_notes, explains_check=explains
            )
        )
        earlier_notes.update(document["notes"])
        unexplained = unexplained and not explains
    return pages


def _turn_view(
    turn: Turn,
    document: dict[str, Any],
    statuses: dict[UUID, Statuses],
    undoable_ids: frozenset[str],
    told_before: Collection[str],
    *,
    explains_check: bool,
) -> TurnView:
    """Return the view of a turn.

    Without a finished answer it has no text, since drafts never show.
    """
    done, writing = turn.finished_at is not None, turn.writing or {}
    decision = _decision(turn) if done else None
    return render_turn(
        document,
        _body(turn, decision) if done else document["answer"] or "",
        decision["final_spans"] if decision else {},
        statuses.get(turn.check_record_id, {}) if turn.check_record_id else {},
        undoable_ids,
        quoted=writing.get("by") == QUOTED,
        beside=beside_of(writing) if done else NOTHING,
        arrived={} if done else turn.arrived,
        told_before=frozenset(told_before),
        explains_check=explains_check,
    )


def _decision(turn: Turn) -> dict[str, Any] | None:
    check = turn.check_record
    if check is None or not hasattr(check, "annotated_answer"):
        return None
    return decision_in_place(check.annotated_answer)


def _body(turn: Turn, decision: dict[str, Any] | None) -> str:
    """Return the answer's text, without the lists that the page shows beside it."""
    if decision is not None:
        return str(decision["final_response"])
    if turn.check_record_id is not None:
        return in_words(NOT_CHECKED)
    writing = turn.writing or {}
    if reply := writing.get("reply"):
        return in_words(reply)
    if beside_of(writing).remembered:
        return in_words(REMEMBERED)
    if acknowledged := writing.get("acknowledged"):
        return in_words(acknowledged)
    return in_words(NOT_FOUND) if turn.answer.startswith(NOT_FOUND) else ""


def _choices(manager: Manager, last: Mapping[str, Any]) -> dict[str, Any]:
    """Return what documents can be chosen by, with the choice of the last question."""
    values_by_name = metadata_values(manager.application_id)
    names = [
        {
            "name": name,
            "options": [
                {"value": json.dumps({name: value}), "text": value, "on": last.get(name) == value}
                for value in values
            ],
        }
        for name, values in values_by_name.items()
        if name not in (VALID_FROM, VALID_TO)
    ]
    return {
        "names": names,
        "dated": VALID_FROM in values_by_name or VALID_TO in values_by_name,
        "valid_on": last.get(VALID_ON, ""),
        "open": bool(last),
    }


def _around(manager: Manager) -> dict[str, Any]:
    """Return the context that every page of a manager needs."""
    return {
        "manager": manager,
        "icons": static("watchdog/icons.svg"),
        "most_characters": settings.MAX_QUERY_CHARACTERS,
    }


def _conversations(manager: Manager, older: UUID | None) -> dict[str, Any]:
    """Return the newest conversations (before `older`, if given), and where older ones begin."""
    conversations = conversations_with(manager)
    if older is not None:
        conversations = conversations.filter(pk__lt=older)
    newest = list(conversations[: MOST_CONVERSATIONS + 1])
    shown_here = newest[:MOST_CONVERSATIONS]
    return {
        "conversations": shown_here,
        "older": shown_here[-1].pk if len(newest) > MOST_CONVERSATIONS else None,
    }


def _documents(request: HttpRequest, manager: Manager) -> dict[str, Any]:
    """Return the newest documents, and the collections that this person may upload to."""
    may_upload = roles.may_manage(request.user, manager.application_id)
    documents = documents_of(manager.application_id).order_by("-id")
    return {
        "documents": list(documents[:MOST_DOCUMENTS]),
        "may_upload": may_upload,
        "collections": list(collections_of(manager.application_id)) if may_upload else [],
    }


def _id_of(request: HttpRequest, name: str) -> UUID | None:
    """Return a UUID of the query string, or None if it is missing or invalid."""
    try:
        return UUID(request.GET[name])
    except (KeyError, ValueError):
        return None
