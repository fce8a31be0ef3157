"""A manager's actions on the page: ask, brief, upload, undo. Each is a POST that redirects."""

from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts import access as roles
from accounts.access import or_404
from assistant.models import Conversation, Turn
from assistant.pages.access import conversation_for, manager_for, turn_for
from assistant.pages.views import conversation_page, home_page
from assistant.services import TooManyOpen, ask_later, brief_later
from assistant.services.lifecycle import wait
from desk.verdict_page.links import make_link
from documents.metadata import VALID_ON, BadMetadata, choice_in
from documents.models import Collection
from documents.selectors import collections_of
from documents.services.collections import create_collection
from documents.services.uploads import upload
from inference.errors import ModelError
from memory import services as memory
from memory.models import Manager


class AskForm(forms.Form):
    """A form for a question. `stream`: the page itself shows progress, so nothing is waited for."""

    question = forms.CharField(max_length=settings.MAX_QUERY_CHARACTERS)
    conversation = forms.UUIDField(required=False)
    stream = forms.BooleanField(required=False)


@login_required
@require_POST
def ask(request: HttpRequest, manager_id: UUID) -> HttpResponse:
    """Store a question; a worker answers it, whether or not anybody waits."""
    manager = manager_for(request.user, manager_id)
    form = AskForm(request.POST)
    valid, talk = form.is_valid(), form.cleaned_data.get("conversation")
    conversation = conversation_for(manager, talk) if talk else None
    if not valid:
        most = _grouped(settings.MAX_QUERY_CHARACTERS)
        text = _("Enter a question of at most %(most)s characters.") % {"most": most}
        messages.error(request, text)
        return _refusal_page(request, manager, conversation, 400)
    values, by = form.cleaned_data, request.user.get_username()
    try:
        accepted = ask_later(
            manager, conversation, values["question"], by=by, documents=_choice(request)
        )
    except (BadMetadata, TooManyOpen) as error:
        messages.error(request, _("Not sent: %(reason)s") % {"reason": error})
        status = 429 if isinstance(error, TooManyOpen) else 400
        return _refusal_page(request, manager, conversation, status)
    turn = Turn.objects.get(pk=accepted.id)
    if not values["stream"]:
        wait(turn.pk, seconds=settings.ASSISTANT_PAGE_WAIT_SECONDS)
    return _to_turn(manager, turn)


def _choice(request: HttpRequest) -> dict[str, Any]:
    """Return the choice of documents by their metadata. Raises BadMetadata."""
    choice = dict[str, Any]()
    for part in filter(None, request.POST.getlist("only")):
        choice |= choice_in(part)
    if day := request.POST.get("valid_on"):
        choice |= choice_in({VALID_ON: day})
    return choice


def _refusal_page(
    request: HttpRequest, manager: Manager, conversation: Conversation | None, status: int
) -> HttpResponse:
    """Show the page again on which the manager asked, with the question still in its box."""
    question = request.POST.get("question", "")
    if conversation is None:
        return home_page(request, manager.pk, question=question, status=status)
    return conversation_page(request, manager.pk, conversation.pk, question=question, status=status)


def _to_turn(manager: Manager, turn: Turn) -> HttpResponse:
    where = reverse("assistant_talk", args=[manager.pk, turn.conversation_id])
    return redirect(f"{where}#turn-{turn.pk}")


@login_required
@require_POST
def briefing(request: HttpRequest, manager_id: UUID) -> HttpResponse:
    """Start the morning briefing."""
    manager = manager_for(request.user, manager_id)
    try:
        conversation = brief_later(manager)
    except (ModelError, TooManyOpen) as error:
        text = _("The briefing could not be started: %(reason)s") % {"reason": error}
        messages.error(request, text)
        return redirect("assistant_of", manager.pk)
    return redirect("assistant_talk", manager.pk, conversation.pk)


def _grouped(number: int) -> str:
    """Return a number with the thousands separator of the reader's language."""
    return number_format(number, force_grouping=True)


class UploadForm(forms.Form):
    """A form for a document and its collection: an existing one, or a new one by name."""

    file = forms.FileField(max_length=300)
    collection = forms.UUIDField(required=False)
    new_collection = forms.SlugField(max_length=80, required=False)

    def clean(self) -> dict[str, Any]:
        """Require one of the two: nothing goes into a collection that nobody chose."""
        values = super().clean() or {}
        if not values.get("collection") and not values.get("new_collection"):
            raise forms.ValidationError(_("Choose a collection for the document."))
        return values

    def clean_file(self) -> "UploadedFile[bytes]":
        """Refuse a file larger than is ever parsed."""
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > settings.MAX_DOCUMENT_BYTES:
            sizes = {"size": file.size or 0, "most": settings.MAX_DOCUMENT_BYTES}
            grouped = {name: _grouped(size) for name, size in sizes.items()}
            raise forms.ValidationError(_("%(size)s bytes; the limit is %(most)s.") % grouped)
        return file


@login_required
@require_POST
def upload_file(request: HttpRequest, manager_id: UUID) -> HttpResponse:
    """Accept a document from anybody who may upload in the admin."""
    manager = manager_for(request.user, manager_id)
    if not roles.may_manage(request.user, manager.application_id):
        raise PermissionDenied
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        text = " ".join(str(words) for error in form.errors.values() for words in error)
        messages.error(request, _("Not uploaded.") + f" {text}")
        return redirect("assistant_of", manager.pk)
    values, by = form.cleaned_data, request.user.get_username()
    collection = _collection(manager, values["collection"], values["new_collection"], by)
    file = values["file"]
    result = upload(collection=collection, name=file.name or "file", data=file.read(), by=by)
    if result.unchanged:
        text = _("“%(name)s” is already in the collection, with the same content.")
        messages.info(request, text % {"name": result.document.name})
    else:
        text = _("“%(name)s” was uploaded into %(collection)s and is being indexed.")
        names = {"name": result.document.name, "collection": collection.name}
        messages.success(request, text % names)
    return redirect("assistant_of", manager.pk)


def _collection(manager: Manager, collection_id: UUID | None, name: str, by: str) -> Collection:
    """Return the chosen collection, or the one of this name, created if missing."""
    collections = collections_of(manager.application_id)
    if collection_id:
        return or_404(collections.get, pk=collection_id)
    collection = collections.filter(name=name).first()
    return collection or create_collection(application=manager.application, name=name, by=by)


@login_required
@require_POST
def undo(
    request: HttpRequest, manager_id: UUID, conversation_id: UUID, turn_id: UUID, entry_id: UUID
) -> HttpResponse:
    """Undo a memory entry; the one it replaced becomes valid again."""
    manager = manager_for(request.user, manager_id)
    turn = turn_for(manager, conversation_id, turn_id)
    try:
        or_404(memory.undo, entry_id, manager, by=request.user.get_username())
    except memory.NotUndoable as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Undone. It is no longer remembered."))
    return _to_turn(manager, turn)


@login_required
@require_POST
def open_confidence(
    request: HttpRequest, manager_id: UUID, conversation_id: UUID, turn_id: UUID
) -> HttpResponse:
    """Redirect to the verdict page of an answer, by a link noted in the trail."""
    manager = manager_for(request.user, manager_id)
    turn = turn_for(manager, conversation_id, turn_id)
    if turn.check_record is None or turn.finished_at is None:
        raise Http404
    seconds, by = settings.VIEW_LINK_SECONDS, request.user.get_username()
    token, _ = make_link(check=turn.check_record, seconds=seconds, by=by)
    return redirect("confidence_view", token)
