"""Creates and deletes managers."""

from django.contrib.auth.models import User
from django.db import transaction

from accounts.models import Application
from audit.models import Event
from audit.services import append
from memory.models import MOST_NAME, Manager


@transaction.atomic
def create_manager(
    *, application: Application, name: str, by: str, user: User | None = None
) -> Manager:
    """Create a manager. Raises IntegrityError if the name or the user is taken."""
    manager = Manager.objects.create(application=application, name=name, user=user)
    append(Event.MANAGER_CREATED, subject=manager, by=by, application_id=application.pk)
    return manager


@transaction.atomic
def change_manager(*, manager: Manager, by: str) -> None:
    """Save a manager's name and user. Raises IntegrityError if one of them is taken."""
    manager.save(update_fields=["name", "user"])
    append(Event.MANAGER_CHANGED, subject=manager, by=by, application_id=manager.application_id)


@transaction.atomic
def assign_managers(user: User, slugs: frozenset[str], by: str) -> None:
    """Make a person manager of exactly these applications.

    A former manager keeps name and memory, without a user. An existing manager of that name may be
    somebody else: a new one gets a number after the name.
    """
    managers = {m.application.slug: m for m in user.managers.select_related("application")}
    for slug, manager in managers.items():
        if slug not in slugs:
            manager.user = None
            change_manager(manager=manager, by=by)
    for application in Application.objects.filter(slug__in=slugs - set(managers)):
        name = _free_name(application, user.get_username())
        create_manager(application=application, name=name, by=by, user=user)


def _free_name(application: Application, stem: str) -> str:
    stem = stem[: MOST_NAME - 4]
    existing = set(
        Manager.objects.filter(application=application, name__startswith=stem).values_list(
            "name", flat=True
        )
    )
    names = (stem, *(f"{stem} {number}" for number in range(2, len(existing) + 3)))
    return next(name for name in names if name not in existing)


@transaction.atomic
def delete_manager(*, manager: Manager, by: str) -> None:
    """Delete a manager and everything of theirs; what they said of the company stays."""
    entries = manager.entries.count()
    append(
        Event.MANAGER_DELETED,
        subject=manager,
        by=by,
        application_id=manager.application_id,
        entries=entries,
    )
    manager.delete()
