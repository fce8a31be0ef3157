"""Managers: made and taken away."""

from django.contrib.auth.models import User
from django.db import transaction

from accounts.models import Application
from audit.models import Event
from audit.services import append
from memory.models import Manager


@transaction.atomic
def create_manager(
    *, application: Application, name: str, by: str, user: User | None = None
) -> Manager:
    """Make a manager. Raises IntegrityError when the name or the log-in is taken."""
    manager = Manager.objects.create(application=application, name=name, user=user)
    append(Event.MANAGER_CREATED, subject=manager, by=by, application_id=application.pk)
    return manager


@transaction.atomic
def change_manager(*, manager: Manager, by: str) -> None:
    """Save a manager's name and log-in. Raises IntegrityError when one of them is taken."""
    manager.save(update_fields=["name", "user"])
    append(Event.MANAGER_CHANGED, subject=manager, by=by, application_id=manager.application_id)


@transaction.atomic
def delete_manager(*, manager: Manager, by: str) -> None:
    """Delete a manager with all that belongs to them; what they said of the company stays."""
    entries = manager.entries.count()
    append(
        Event.MANAGER_DELETED,
        subject=manager,
        by=by,
        application_id=manager.application_id,
        entries=entries,
    )
    manager.delete()
