"""Writes of applications, API keys and roles; each appends to the trail."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from accounts import access, keys
from accounts.models import (
    DEFAULT_SCOPES,
    ApiKey,
    Application,
    Holiday,
    Membership,
    Role,
    Scope,
    Team,
)
from audit.models import Event
from audit.services import append


@transaction.atomic
def create_application(*, name: str, slug: str, by: str) -> Application:
    """Create a tenant. Raises IntegrityError if the slug is taken."""
    application = Application.objects.create(name=name, slug=slug)
    append(Event.APPLICATION_CREATED, subject=application, by=by, slug=slug)
    return application


@transaction.atomic
def change_application(*, application: Application, fields: Sequence[str], by: str) -> None:
    """Save a tenant's changed fields; the trail names them and their new values."""
    application.save(update_fields=sorted(fields))
    append(
        Event.APPLICATION_CHANGED,
        subject=application,
        by=by,
        **{name: str(getattr(application, name)) for name in sorted(fields)},
    )


@transaction.atomic
def create_api_key(
    *,
    application: Application,
    name: str,
    by: str,
    scopes: Sequence[Scope] = DEFAULT_SCOPES,
    expires_at: datetime | None = None,
    owner: User | None = None,
    material: keys.NewKey | None = None,
) -> tuple[ApiKey, str]:
    """Create a key; return it with its token, which is not stored."""
    material = material or keys.make_key()
    key = ApiKey.objects.create(
        application=application,
        name=name,
        prefix=material.prefix,
        secret_sha256=material.secret_sha256,
        scopes=[str(scope) for scope in scopes],
        expires_at=expires_at,
        owner=owner,
    )
    append(
        Event.API_KEY_CREATED,
        subject=key,
        by=by,
        prefix=key.prefix,
        scopes=key.scopes,
        owner=owner and owner.get_username(),
    )
    return key, material.token


class KeyNotActive(Exception):
    """Raised if the key was revoked, has expired, or was already replaced."""


@transaction.atomic
def rotate_api_key(key: ApiKey, *, overlap: timedelta, by: str) -> tuple[ApiKey, str]:
    """Replace a key, which stays valid for `overlap`; return the new one with its token.

    Name, scopes, owner and lifetime (counted from now) are the old one's. Raises KeyNotActive.
    """
    old = ApiKey.objects.select_for_update().get(pk=key.pk)
    now = timezone.now()
    ended = old.expires_at is not None and old.expires_at <= now
    if old.revoked_at is not None or old.replaced_by_id is not None or ended:
        raise KeyNotActive("The key was revoked, has expired, or was already replaced.")
    new_key, token = create_api_key(
        application=old.application,
        name=old.name,
        by=by,
        scopes=[Scope(scope) for scope in old.scopes],
        expires_at=old.expires_at and now + (old.expires_at - old.created_at),
        owner=old.owner,
    )
    old.replaced_by = new_key
    old.expires_at = min(now + overlap, old.expires_at or now + overlap)
    old.save(update_fields=["replaced_by", "expires_at"])
    append(
        Event.API_KEY_ROTATED,
        subject=old,
        by=by,
        prefix=old.prefix,
        replaced_by=new_key.prefix,
        expires_at=old.expires_at.isoformat(timespec="seconds"),
    )
    return new_key, token


@transaction.atomic
def change_key_owner(key: ApiKey, *, owner: User | None, by: str) -> None:
    """Set another owner of the key."""
    ApiKey.objects.filter(pk=key.pk).update(owner=owner)
    append(
        Event.API_KEY_CHANGED,
        subject=key,
        by=by,
        prefix=key.prefix,
        owner=owner and owner.get_username(),
    )


@transaction.atomic
def revoke_api_key(key: ApiKey, *, by: str) -> bool:
    """Revoke a key; return False if it already was."""
    changed = ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=Now())
    if changed:
        append(Event.API_KEY_REVOKED, subject=key, by=by, prefix=key.prefix)
    return bool(changed)


def touch_api_key(key_id: int, *, now: datetime, older_than: datetime) -> None:
    """Note that the key was used, at most once a minute, so that reads stay reads."""
    ApiKey.objects.filter(Q(last_used_at=None) | Q(last_used_at__lt=older_than), pk=key_id).update(
        last_used_at=now
    )


@transaction.atomic
def grant_role(*, user: User, application: Application, role: Role, by: str) -> Membership:
    """Give a person a role in an application, replacing an earlier one."""
    membership, _ = Membership.objects.update_or_create(
        user=user, application=application, defaults={"role": role}
    )
    append(Event.ROLE_GRANTED, subject=membership, by=by, user=user.get_username(), role=str(role))
    return membership


def account_of(name: str) -> User | None:
    """Return the account with this name or e-mail address, however it is capitalised."""
    accounts = User.objects.filter(Q(username__iexact=name) | Q(email__iexact=name), is_active=True)
    return accounts.order_by("pk").first()


@transaction.atomic
def invite(*, email: str, application: Application, role: Role, by: User) -> tuple[User, bool]:
    """Give whoever has this address a role, with an account if they have none.

    Return them, and whether they still have to choose a password and `by` leads every application
    they belong to: only then may `by` hold the link with which it is chosen.
    """
    user = account_of(email)
    if user is None:
        user = User(username=email.casefold(), email=email)
        user.set_unusable_password()
        user.save()
        append(Event.USER_CREATED, subject=user, by=by.get_username())
    if not user.is_staff:
        user.is_staff = True
        user.save(update_fields=["is_staff"])
    ours = access.leading(by).values("pk")
    is_ours = not user.memberships.exclude(application__in=ours).exists()
    is_new = user.last_login is None and not user.has_usable_password() and is_ours
    grant_role(user=user, application=application, role=role, by=by.get_username())
    return user, is_new and not hasattr(user, "provider_identity")


@transaction.atomic
def withdraw_role(*, membership: Membership, by: str) -> None:
    """Remove a person's role in an application."""
    append(
        Event.ROLE_WITHDRAWN,
        subject=membership,
        by=by,
        user=membership.user.get_username(),
        role=membership.role,
    )
    membership.delete()


@transaction.atomic
def save_holiday(*, holiday: Holiday, by: str) -> None:
    """Store a day on which the desk is closed. Existing reviews keep their due times."""
    holiday.save()
    _note_holiday(holiday, by, "kept")


@transaction.atomic
def delete_holiday(*, holiday: Holiday, by: str) -> None:
    """Delete a holiday, so that the desk is open on that day."""
    _note_holiday(holiday, by, "deleted")
    holiday.delete()


@transaction.atomic
def delete_team(*, team: Team, by: str) -> None:
    """Delete a team; its reviews are offered to everybody again."""
    note_team(team=team, by=by, deleted=True)
    team.delete()


def note_team(*, team: Team, by: str, deleted: bool = False) -> None:
    """Note a team's current members in the trail, in the transaction that changed it."""
    members = team.members.order_by("username").values_list("username", flat=True)
    append(
        Event.TEAM_CHANGED,
        subject=team,
        by=by,
        name=team.name,
        members=[] if deleted else list(members),
        deleted=deleted,
    )


def _note_holiday(holiday: Holiday, by: str, change: str) -> None:
    append(
        Event.APPLICATION_CHANGED,
        subject=holiday.application,
        by=by,
        holiday=holiday.day.isoformat(),
        change=change,
    )
