"""`/memory/`: a manager's own memory, for the user who represents that manager."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.access import or_404
from memory import services
from memory.files import file_name
from memory.models import Manager, Target
from memory.outcomes import FactOutcome, reason_text
from memory.selectors.entries import MEMORY_PAGE, both_memories, managers_for
from memory.services.files import export

MOST_STATEMENT = 2_000


@never_cache
@login_required
@require_safe
def memory_page(request: HttpRequest, manager_id: UUID | None = None) -> HttpResponse:
    """Show the memory of one of the managers that this user represents."""
    managers = list(managers_for(request.user))
    if manager_id is None and len(managers) == 1:
        return redirect("memory_of", managers[0].pk)
    manager = next((manager for manager in managers if manager.pk == manager_id), None)
    if manager_id and manager is None:
        raise Http404
    context = {
        "managers": managers,
        "manager": manager,
        "memories": both_memories(manager) if manager else (),
    }
    return render(request, "memory/page.html", context)


@login_required
@require_POST
def say(request: HttpRequest, manager_id: UUID) -> HttpResponse:
    """Store a fact, as stated in a conversation."""
    manager = _manager(request, manager_id)
    statement = request.POST.get("statement", "")[:MOST_STATEMENT]
    outcome = services.remember(
        manager, statement, source=MEMORY_PAGE, by=request.user.get_username()
    )
    for fact in outcome.facts:
        _tell(request, fact)
    return redirect("memory_of", manager.pk)


@login_required
@require_POST
def correct(request: HttpRequest, manager_id: UUID, entry_id: UUID) -> HttpResponse:
    """Replace an entry's wording."""
    manager = _manager(request, manager_id)
    text = request.POST.get("text", "").strip()
    if not text:
        messages.error(request, _("Enter what is right instead, or delete the entry."))
        return redirect("memory_of", manager.pk)
    outcome = or_404(services.correct, entry_id, manager, text, by=request.user.get_username())
    _tell(request, outcome)
    return redirect("memory_of", manager.pk)


@login_required
@require_POST
def delete(request: HttpRequest, manager_id: UUID, entry_id: UUID) -> HttpResponse:
    """Delete an entry with the values it superseded."""
    manager = _manager(request, manager_id)
    or_404(services.delete, entry_id, manager, by=request.user.get_username())
    messages.success(request, _("Deleted. The memory keeps nothing of it."))
    return redirect("memory_of", manager.pk)


@login_required
@require_POST
def undo(request: HttpRequest, manager_id: UUID, entry_id: UUID) -> HttpResponse:
    """Undo an entry; what it superseded becomes valid again."""
    manager = _manager(request, manager_id)
    try:
        or_404(services.undo, entry_id, manager, by=request.user.get_username())
    except services.NotUndoable as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Undone."))
    return redirect("memory_of", manager.pk)


@never_cache
@login_required
@require_safe
def file(request: HttpRequest, manager_id: UUID, target: str) -> HttpResponse:
    """Download USER_MEMORY.md or COMPANY_MEMORY.md."""
    if target not in Target.values:
        raise Http404
    manager = _manager(request, manager_id)
    content = export(manager, Target(target), by=request.user.get_username())
    headers = {"Content-Disposition": f'attachment; filename="{file_name(target)}"'}
    return HttpResponse(content, content_type="text/markdown; charset=utf-8", headers=headers)


def _manager(request: HttpRequest, manager_id: UUID) -> Manager:
    """Return the manager of this id that the user represents, or raise Http404."""
    return or_404(managers_for(request.user).get, pk=manager_id)


def _tell(request: HttpRequest, fact: FactOutcome) -> None:
    """Report what became of a fact; private words are not repeated."""
    quoted = _("“%(fact)s”:") % {"fact": fact.fact} + " " if fact.fact else ""
    if fact.stored:
        instead = _("remembered, in place of the earlier value.")
        messages.success(request, quoted + (instead if fact.superseded_ids else _("remembered.")))
    else:
        text = quoted + _("not stored.") if quoted else _("Not stored.")
        messages.warning(request, f"{text} {reason_text(fact.code, fact.reason)}")
