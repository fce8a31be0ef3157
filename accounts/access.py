"""Access rules: the only place where roles become querysets.

A superuser may do everything. Anybody else sees the applications of their memberships; a reviewer
decides reviews in them, a lead also manages their documents, an auditor changes nothing.
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model, Q, QuerySet, prefetch_related_objects
from django.http import Http404

from accounts.models import Application, Role

Row = TypeVar("Row", bound=Model)
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Person = User | AnonymousUser
DECIDING = frozenset({Role.REVIEWER, Role.LEAD})
_LEADING = frozenset({Role.LEAD})
_AUDITING = frozenset({Role.AUDITOR})
_OVERSEEING = _LEADING | _AUDITING


def roles_of(user: Person) -> dict[UUID, Role]:
    """Return roles by application id. One query for each user object, however often it is asked."""
    if not isinstance(user, User) or not user.is_active:
        return {}
    prefetch_related_objects([user], "memberships")
    return {m.application_id: Role(m.role) for m in user.memberships.all()}


def is_superuser(user: Person) -> bool:
    """Return whether this person may do everything, in every application."""
    return user.is_active and user.is_superuser


def sees_anything(user: Person) -> bool:
    """Return whether this person may see any application."""
    return is_superuser(user) or bool(roles_of(user))


def may_see(user: Person, application_id: UUID) -> bool:
    """Return whether this person may see this application's checks."""
    return is_superuser(user) or application_id in roles_of(user)


def may_decide(user: Person, application_id: UUID) -> bool:
    """Return whether this person may decide reviews and replay checks of this application."""
    return _may(user, DECIDING, application_id)


def deciding_in(user: Person) -> QuerySet[Application]:
    """Return the applications whose reviews this person may decide."""
    return _with_roles(user, DECIDING)


def leading(user: Person) -> QuerySet[Application]:
    """Return the applications that this person leads, and whose documents they may change."""
    return _with_roles(user, _LEADING)


def decides_anything(user: Person) -> bool:
    """Return whether this person may decide reviews of any application."""
    return _may_anywhere(user, DECIDING)


def may_manage(user: Person, application_id: UUID) -> bool:
    """Return whether this person may change documents and policies of this application."""
    return _may(user, _LEADING, application_id)


def manages_anything(user: Person) -> bool:
    """Return whether this person may change the documents of any application."""
    return _may_anywhere(user, _LEADING)


def overseeing(user: Person) -> QuerySet[Application]:
    """Return the applications whose settings this person may read: as lead or auditor."""
    return _with_roles(user, _OVERSEEING)


def oversees_anything(user: Person) -> bool:
    """Return whether this person may read the settings of any application."""
    return _may_anywhere(user, _OVERSEEING)


def may_oversee(user: Person, application_id: UUID) -> bool:
    """Return whether this person may read the settings of this application."""
    return _may(user, _OVERSEEING, application_id)


def auditing(user: Person) -> QuerySet[Application]:
    """Return the applications whose trail this person may read."""
    return _with_roles(user, _AUDITING)


def may_audit(user: Person, application_id: UUID) -> bool:
    """Return whether this person may read the trail of this application."""
    return _may(user, _AUDITING, application_id)


def audits_anything(user: Person) -> bool:
    """Return whether this person may read the trail of any application."""
    return _may_anywhere(user, _AUDITING)


def visible(rows: QuerySet[Row], user: Person, *, path: str = "application") -> QuerySet[Row]:
    """Return the rows of applications that this person may see; `path` leads to the application."""
    if is_superuser(user):
        return rows
    return rows.filter(Q((f"{path}__in", list(roles_of(user)))))


def applications_of(user: Person) -> QuerySet[Application]:
    """Return the applications that this person may see, by name."""
    return visible(Application.objects.order_by("name"), user, path="pk")


def deciders(application_id: UUID, *, roles: frozenset[Role] = DECIDING) -> QuerySet[User]:
    """Return the members who may decide an application's reviews, by name."""
    members = User.objects.filter(
        is_active=True, memberships__application=application_id, memberships__role__in=roles
    )
    return members.order_by("username")


def or_404(
    read: Callable[Parameters, Result], *args: Parameters.args, **options: Parameters.kwargs
) -> Result:
    """Return the result of `read`.

    Raise Http404 if it raises DoesNotExist, as for foreign objects.
    """
    try:
        return read(*args, **options)
    except ObjectDoesNotExist:
        raise Http404 from None


def _may(user: Person, roles: frozenset[Role], application_id: UUID) -> bool:
    return is_superuser(user) or roles_of(user).get(application_id) in roles


def _may_anywhere(user: Person, roles: frozenset[Role]) -> bool:
    return is_superuser(user) or not roles.isdisjoint(roles_of(user).values())


def _with_roles(user: Person, roles: frozenset[Role]) -> QuerySet[Application]:
    applications = Application.objects.order_by("name")
    if is_superuser(user):
        return applications
    return applications.filter(pk__in=[a for a, role in roles_of(user).items() if role in roles])
