"""Rights by groups: the mapping of the settings, read and applied."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import Role
from accounts.oidc.rights import (
    STRONGEST_FIRST,
    Grant,
    Rights,
    UnusableMapping,
    groups_in,
    is_safe_issuer,
    read_grants,
    rights_of,
)

APPLICATIONS = ("demo", "other")
GRANTS = read_grants(
    {
        "qa": {"demo": "reviewer"},
        "leads": {"demo": "lead"},
        "legal": {"*": "auditor"},
        "sites": {"demo": "manager"},
        "gone": {"deleted": "lead"},
        "admins": "superuser",
    }
)


def test_the_roles_are_those_of_memberships() -> None:
    assert set(STRONGEST_FIRST) == set(Role.values)


@pytest.mark.parametrize(
    ("groups", "rights"),
    [
        ([], Rights()),
        (["unknown", "QA"], Rights()),
        (["gone"], Rights()),
        (["qa"], Rights(roles={"demo": "reviewer"})),
        (["legal"], Rights(roles={"demo": "auditor", "other": "auditor"})),
        (["legal", "qa", "leads"], Rights(roles={"demo": "lead", "other": "auditor"})),
        (["sites"], Rights(managing=frozenset({"demo"}))),
        (["admins"], Rights(superuser=True)),
    ],
)
def test_what_groups_give(groups, rights) -> None:
    assert rights_of(groups, GRANTS, APPLICATIONS) == rights
    assert rights.are_any == bool(rights.superuser or rights.roles or rights.managing)
    assert rights.staff == bool(rights.superuser or rights.roles)


@given(st.lists(st.sampled_from([grant.group for grant in GRANTS] + ["x"])))
def test_the_order_of_groups_does_not_matter_and_more_never_give_less(groups) -> None:
    rights = rights_of(groups, GRANTS, APPLICATIONS)
    assert rights == rights_of(list(reversed(groups)), GRANTS, APPLICATIONS)
    more = rights_of([*groups, "legal", "leads"], GRANTS, APPLICATIONS)
    assert set(rights.roles) <= set(more.roles)
    assert all(
        STRONGEST_FIRST.index(more.roles[slug]) <= STRONGEST_FIRST.index(role)
        for slug, role in rights.roles.items()
    )


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ([], "an object of groups"),
        ({"qa": "reviewer"}, 'qa: "superuser"'),
        ({"qa": {}}, 'qa: "superuser"'),
        ({"qa": {"demo": "owner"}}, "qa, demo: a role is one of lead"),
        ({"qa": {"demo": ["lead"]}}, "qa, demo"),
    ],
)
def test_a_mapping_of_another_form_is_refused(mapping, message) -> None:
    with pytest.raises(UnusableMapping, match=message):
        read_grants(mapping)


def test_a_mapping_is_read() -> None:
    assert read_grants({"a": {"demo": "lead", "*": "auditor"}, "b": "superuser"}) == (
        Grant("a", "demo", "lead"),
        Grant("a", "*", "auditor"),
        Grant("b", "*", "superuser"),
    )


@pytest.mark.parametrize(
    ("claims", "name", "groups"),
    [
        ({}, "groups", None),
        ({"groups": ["a", 1, "b"]}, "groups", ("a", "b")),
        ({"groups": "a"}, "groups", ("a",)),
        ({"groups": {"a": 1}}, "groups", ()),
        ({"realm_access": {"roles": ["a"]}}, "realm_access.roles", ("a",)),
        ({"realm_access": ["a"]}, "realm_access.roles", None),
        ({"https://x.example/groups": ["a"]}, "https://x.example/groups", ("a",)),
    ],
)
def test_groups_are_found_where_the_claim_says(claims, name, groups) -> None:
    assert groups_in(claims, name) == groups


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://login.example.com/realms/x", True),
        ("http://127.0.0.1:8080", True),
        ("http://localhost", True),
        ("http://login.example.com", False),
        ("login.example.com", False),
        ("https://", False),
        ("ftp://localhost", False),
    ],
)
def test_only_what_nobody_can_answer_for_is_asked(url, safe) -> None:
    assert is_safe_issuer(url) is safe
