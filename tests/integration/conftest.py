"""People in their roles, and real verdicts for them to look at."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from accounts.models import Application, Role
from accounts.services import grant_role
from analysis.models import Check, CheckState, Review, ReviewDecision, ReviewReason
from analysis.services.checking import run_check
from desk.reviews.services.reviews import decide_review
from inference.prepare import ensure_model
from inference.sources import DEFAULT_MODEL
from tests.integration.people import person
from tests.shapes import Browser, MakeCheck, Reviewed

HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)>{{ 7|add:7 }}&amp;\u202e'
SOURCE = "SSN College opened in 1996. SSN College closed in 2019 and did not merge with SNU."


@pytest.fixture
def embedding_model(settings) -> None:
    """Prepare the checkout's own embedding model, which takes half a minute the first time."""
    ensure_model(DEFAULT_MODEL, settings.MODEL_DIR)


@pytest.fixture
def as_user() -> Callable[[User], Client]:
    """Return a function that makes a browser in which somebody is logged in."""

    def make(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return make


@pytest.fixture
def superuser(db) -> User:
    """Make somebody who may see everything, without a password, whose hash costs half a second."""
    return User.objects.create_superuser("root")


@pytest.fixture
def desk(superuser, as_user) -> Client:
    """Return the superuser's browser."""
    return as_user(superuser)


@pytest.fixture
def member(db) -> Callable[..., User]:
    """Return a function that makes a staff user with a role and no Django permission."""

    def make(name: str, role: Role | None, application: Application) -> User:
        if role is None:
            return User.objects.create_user(name, is_staff=True)
        return person(name, role, application)

    return make


@pytest.fixture
def checked(make_check) -> MakeCheck:
    """Return a function that submits an answer and checks it with the real engine."""

    def make(*args: object, **rest: object) -> Check:
        check = make_check(*args, **rest)
        assert run_check(check.pk)
        check.refresh_from_db()
        return check

    return make


@pytest.fixture
def reviewed(checked, superuser) -> Reviewed:
    """Return a function that checks an answer, drawn by chance or not, and decides its review."""

    def make(decision: ReviewDecision, *, sampled: bool = True, **new: object) -> Review:
        Application.objects.update(quality_sample_rate=float(sampled))
        review = Review.objects.get(check_record=checked(**new))
        decide_review(review=review, decision=decision, by=superuser, note="seen")
        return review

    return make


@pytest.fixture
def anna(application) -> User:
    return person("anna", Role.REVIEWER, application)


@pytest.fixture
def ben(application) -> User:
    return person("ben", Role.REVIEWER, application)


@pytest.fixture
def lead(application) -> User:
    return person("lea", Role.LEAD, application)


@pytest.fixture
def failed(make_check) -> Check:
    """Make a check that used up its attempts, with its review."""
    check = make_check()
    Check.objects.filter(pk=check.pk).update(
        state=CheckState.FAILED, due_at=None, attempts=5, last_error="ModelMissing"
    )
    Review.objects.create(
        check_record=check, application=check.application, reason=ReviewReason.FAILED
    )
    check.refresh_from_db()
    assert check.created_at < timezone.now()
    return check


@pytest.fixture
def browser(application, other_application, superuser, member, as_user) -> Browser:
    """Return a function that makes a browser of somebody in this role."""

    def open_for(role: str) -> Client:
        if role == "nobody":
            return Client()
        if role == "superuser":
            return as_user(superuser)
        if role == "foreign lead":
            return as_user(member("foreign", Role.LEAD, other_application))
        user = member("someone", _role(role), application)
        if role == "lead there, auditor here":
            grant_role(user=user, application=other_application, role=Role.LEAD, by="test")
        user.is_staff, user.is_active = role != "not staff", role != "inactive lead"
        user.save()
        return as_user(user)

    return open_for


def _role(name: str) -> Role | None:
    special_roles = {
        "not staff": Role.LEAD, "inactive lead": Role.LEAD, "lead there, auditor here": Role.AUDITOR
    }  # fmt: skip
    return special_roles.get(name, Role(name) if name in Role.values else None)
