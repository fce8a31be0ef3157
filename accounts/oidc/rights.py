"""The rights of a person's groups: pure functions, which the settings call too.

The mapping is JSON: group to application (its slug, or `*` for every one) to role, or to
`superuser`:

    {"qa": {"help-desk": "reviewer"}, "legal": {"*": "auditor"}, "admins": "superuser"}
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

STRONGEST_FIRST = ("lead", "reviewer", "auditor")
MANAGER = "manager"
SUPERUSER = "superuser"
EVERY = "*"


class UnusableMapping(ValueError):
    """Raised for an invalid mapping of groups; the message says where."""


@dataclass(frozen=True, slots=True)
class Grant:
    """The right of one group: a role in an application (`*`: in each), or `superuser`."""

    group: str
    application: str
    role: str


@dataclass(frozen=True, slots=True)
class Rights:
    """A person's rights: roles by application slug, and where they are a manager."""

    superuser: bool = False
    roles: Mapping[str, str] = field(default_factory=dict)
    managing: frozenset[str] = frozenset()

    @property
    def staff(self) -> bool:
        """True if they may use the desk and the admin."""
        return self.superuser or bool(self.roles)

    @property
    def are_any(self) -> bool:
        """True if they may do anything here."""
        return self.staff or bool(self.managing)


def read_grants(mapping: Any) -> tuple[Grant, ...]:
    """Return the grants of a mapping in the settings. Raises UnusableMapping."""
    if not isinstance(mapping, dict):
        raise UnusableMapping("an object of groups is expected")
    return tuple(
        grant for group, applications in mapping.items() for grant in _grants(group, applications)
    )


def _grants(group: str, applications: Any) -> Iterable[Grant]:
    if applications == SUPERUSER:
        return [Grant(group, EVERY, SUPERUSER)]
    if not isinstance(applications, dict) or not applications:
        raise UnusableMapping(f'{group}: "superuser" or an object of applications is expected')
    roles = (*STRONGEST_FIRST, MANAGER)
    for application, role in applications.items():
        if role not in roles:
            raise UnusableMapping(f"{group}, {application}: a role is one of {', '.join(roles)}")
    return [Grant(group, application, role) for application, role in applications.items()]


def rights_of(
    groups: Iterable[str], grants: Iterable[Grant], applications: Collection[str]
) -> Rights:
    """Return the combined rights of these groups; the strongest role counts."""
    member_of = frozenset(groups)
    mine = [grant for grant in grants if grant.group in member_of]
    assignments = {
        (slug, grant.role)
        for grant in mine
        for slug in (applications if grant.application == EVERY else [grant.application])
        if slug in applications
    }
    return Rights(
        superuser=any(grant.role == SUPERUSER for grant in mine),
        roles={
            slug: role for role in reversed(STRONGEST_FIRST) for slug, r in assignments if r == role
        },
        managing=frozenset(slug for slug, role in assignments if role == MANAGER),
    )


def groups_in(claims: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    """Return the groups in a claim, possibly nested (`realm_access.roles`); None if absent.

    A claim that is one text is one group; values other than text are ignored.
    """
    claim: Any = claims.get(name)
    if claim is None and "." in name:
        claim = claims
        for part in name.split("."):
            claim = claim.get(part) if isinstance(claim, Mapping) else None
    if claim is None:
        return None
    values = [claim] if isinstance(claim, str) else claim if isinstance(claim, list) else []
    return tuple(group for group in values if isinstance(group, str))


# Checks that a provider's URLs are safe; pure, since the settings call it.

_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})


def is_safe_issuer(url: str) -> bool:
    """Return whether nobody can impersonate the provider: HTTPS, or this machine."""
    parts = urlsplit(url)
    return bool(parts.hostname) and (
        parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _THIS_MACHINE)
    )
