"""Accounts of people whom the provider authenticates: made, changed and signed out as it says.

A person is identified by issuer and subject alone: a name or address never leads to an existing
account, since whoever can choose theirs at the provider could take any.
"""

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import Application, ProviderIdentity, Role
from accounts.oidc.provider import LEEWAY, Identity, LogoutNotice, LogoutRefused
from accounts.oidc.rights import MANAGER, Rights, rights_of
from accounts.services import grant_role, withdraw_role
from accounts.session_store import LogoutToken, Session
from audit.logins import append_login_event, login_name
from audit.models import Event
from audit.services import append

log = logging.getLogger(__name__)
BY = "oidc"
MakeManagers = Callable[[User, frozenset[str], str], None]
_make_managers: list[MakeManagers] = []


class Refusal(StrEnum):
    """The reason why an authenticated person is not let in."""

    NO_GROUP = "no group of theirs is mapped to a role"
    NAME_TAKEN = "another account has the name"
    NAME_UNUSABLE = "the name is no name of an account"
    CLOSED = "the account was closed here"


@dataclass(frozen=True, slots=True)
class SignInResult:
    """The result of a sign-in: the person, or why not."""

    user: User | None
    refusal: Refusal | None = None


def register_managers(make: MakeManagers) -> None:
    """Register how a person becomes manager of exactly these applications.

    Called with the person, the slugs, and the actor, if the mapping mentions managers.
    """
    _make_managers.append(make)


@transaction.atomic
def sign_in(identity: Identity) -> SignInResult:
    """Update the person's account and return whether they may enter.

    Whoever has no group left loses all roles, and the account is closed until a group is back. An
    account that was closed here stays closed.
    """
    applications = {a.slug: a for a in Application.objects.all()}
    rights = rights_of(identity.groups, settings.OIDC_GROUPS, applications)
    rows = ProviderIdentity.objects.select_for_update(of=("self",)).select_related("user")
    stored_identity = rows.filter(issuer=identity.issuer, subject=identity.subject).first()
    if stored_identity is None:
        return _first_time(identity, rights, applications)
    user = stored_identity.user
    if not user.is_active and stored_identity.closed_at is None:
        return _refusal(user.get_username(), Refusal.CLOSED)
    _apply(stored_identity, identity, rights, applications)
    return SignInResult(user) if rights.are_any else _refusal(user.get_username(), Refusal.NO_GROUP)


@transaction.atomic
def link(user: User, *, subject: str, by: str) -> ProviderIdentity:
    """Link a person at the provider to an existing account.

    Raises IntegrityError if either is linked already.
    """
    identity = ProviderIdentity.objects.create(
        user=user, issuer=settings.OIDC_ISSUER, subject=subject
    )
    append(Event.USER_CHANGED, subject=user, by=by, change="linked", issuer=identity.issuer)
    return identity


def _first_time(
    identity: Identity, rights: Rights, applications: dict[str, Application]
) -> SignInResult:
    if not rights.are_any:
        return _refusal(login_name(identity.name), Refusal.NO_GROUP)
    if User.objects.filter(username__iexact=identity.name).exists():
        return _refusal(login_name(identity.name), Refusal.NAME_TAKEN)
    user = User(username=identity.name)
    user.set_unusable_password()
    try:
        user.full_clean()
    except ValidationError:
        return _refusal(login_name(identity.name), Refusal.NAME_UNUSABLE)
    user.save()
    append(Event.USER_CREATED, subject=user, by=BY, issuer=identity.issuer)
    stored_identity = ProviderIdentity.objects.create(
        user=user, issuer=identity.issuer, subject=identity.subject
    )
    _apply(stored_identity, identity, rights, applications)
    return SignInResult(user)


def _refusal(name: str, why: Refusal) -> SignInResult:
    append_login_event(Event.LOGIN_FAILED, name)
    log.warning("sign-in refused: %s", why)
    return SignInResult(None, why)


def _apply(
    stored_identity: ProviderIdentity,
    identity: Identity,
    rights: Rights,
    applications: dict[str, Application],
) -> None:
    """Set the account's name, roles and state as the provider and the mapping say now."""
    user = stored_identity.user
    user.email = identity.email[:254]
    user.first_name = identity.given_name[:150]
    user.last_name = identity.family_name[:150]
    user.save(update_fields=["email", "first_name", "last_name"])
    _set_state(stored_identity, rights)
    memberships = {
        m.application.slug: m for m in user.memberships.select_related("application", "user")
    }
    for slug, membership in memberships.items():
        if slug not in rights.roles:
            withdraw_role(membership=membership, by=BY)
    for slug, role in rights.roles.items():
        if slug not in memberships or memberships[slug].role != role:
            grant_role(user=user, application=applications[slug], role=Role(role), by=BY)
    if any(grant.role == MANAGER for grant in settings.OIDC_GROUPS):
        for make in _make_managers:
            make(user, rights.managing, BY)


def _set_state(identity: ProviderIdentity, rights: Rights) -> None:
    user = identity.user
    target_state = (rights.are_any, rights.staff, rights.superuser)
    if (user.is_active, user.is_staff, user.is_superuser) == target_state:
        return
    user.is_active, user.is_staff, user.is_superuser = target_state
    user.save(update_fields=["is_active", "is_staff", "is_superuser"])
    ProviderIdentity.objects.filter(pk=identity.pk).update(
        closed_at=None if rights.are_any else Now()
    )
    append(
        Event.USER_CHANGED,
        subject=user,
        by=BY,
        active=rights.are_any,
        staff=rights.staff,
        superuser=rights.superuser,
    )


# Sessions ended by the provider: OpenID Connect Back-Channel Logout 1.0.


@transaction.atomic
def end_sessions(notice: LogoutNotice) -> int:
    """End the sessions that the provider names; return how many.

    Raises LogoutRefused on repetition.
    """
    # Record the token's `jti`, in the caller's transaction: a failed request may be sent again.
    LogoutToken.objects.filter(expires_at__lt=timezone.now() - LEEWAY).delete()
    expires_at = datetime.fromtimestamp(notice.expires_at, UTC)
    _, is_new = LogoutToken.objects.get_or_create(
        jti=notice.jti, defaults={"expires_at": expires_at}
    )
    if not is_new:
        raise LogoutRefused("the token was used before")
    rows = list(_sessions(notice).select_for_update().values_list("session_key", "subject"))
    Session.objects.filter(session_key__in=[key for key, _ in rows]).delete()
    counts = Counter(subject for _, subject in rows)
    people = ProviderIdentity.objects.filter(issuer=notice.issuer, subject__in=counts)
    for identity in people.select_related("user"):
        append(
            Event.USER_CHANGED,
            subject=identity.user,
            by=BY,
            change="signed out",
            sessions=counts[identity.subject],
        )
    log.info("the provider ended %d sessions", len(rows))
    return len(rows)


def _sessions(notice: LogoutNotice) -> QuerySet[Session]:
    """Return the sessions of the named provider session; without one, all of the person.

    A session without a `sid` from the provider counts as any of the person's.
    """
    rows = Session.objects.filter(issuer=notice.issuer)
    if not notice.sid:
        return rows.filter(subject=notice.subject)
    if not notice.subject:
        return rows.filter(sid=notice.sid)
    return rows.filter(Q(sid=notice.sid) | Q(sid=""), subject=notice.subject)
