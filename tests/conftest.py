"""Fixtures shared by all tests."""

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.db import connection
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from accounts.models import ApiKey, Application, Scope
from accounts.services import create_api_key, create_application
from analysis import doorbell
from analysis.models import Check
from analysis.services.submission import NewCheck, submit
from tests.stack import Stack

SSN_QUESTION = "When did SSN College close?"
SSN_ANSWER = "SSN College definitely closed in 2026 and merged with SNU."

# A slow machine is no fault of the code: hypothesis would fail what takes long (its own profile
# for CI does the same).
settings.register_profile(
    "any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any-machine")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """The run's own database, whose trail may be emptied between tests (decision 0621)."""
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        name = connection.ops.quote_name(connection.settings_dict["NAME"])
        cursor.execute(f"ALTER DATABASE {name} SET watchdog.truncate_trail = 'allowed'")
        cursor.execute("SET watchdog.truncate_trail = 'allowed'")


@pytest.fixture
def application(db: None) -> Application:
    """A tenant without a rate limit and without a quality sample."""
    made = create_application(name="Demo", slug="demo", by="test")
    made.rate_limit_per_minute = None
    made.quality_sample_rate = 0.0
    made.save()
    return made


@pytest.fixture
def other_application(db: None) -> Application:
    """A second tenant, whose things must stay unseen."""
    return create_application(name="Other", slug="other", by="test")


@pytest.fixture
def api_key(application: Application) -> tuple[ApiKey, str]:
    """A key of `application` with all scopes, and its token."""
    return create_api_key(application=application, name="test", by="test")


@pytest.fixture
def client_with() -> Callable[..., APIClient]:
    """Makes an API client that calls with a new key of an application."""

    def make(application: Application, *scopes: Scope) -> APIClient:
        chosen = scopes or tuple(Scope)
        _, token = create_api_key(application=application, name="t", scopes=chosen, by="test")
        client = APIClient(raise_request_exception=False)
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
        return client

    return make


@pytest.fixture
def api(application: Application, client_with: Callable[..., APIClient]) -> APIClient:
    """An API client of `application`."""
    return client_with(application)


@pytest.fixture
def make_check(application: Application) -> Callable[..., Check]:
    """Submits an answer without any worker noticing (the test's transaction never commits)."""

    def make(answer: str = SSN_ANSWER, **rest: object) -> Check:
        new = NewCheck(answer=answer, **rest)  # type: ignore[arg-type]
        return Check.objects.get(pk=submit(application_id=application.id, new=new, by="test").id)

    return make


@pytest.fixture
def superuser(db: None) -> User:
    """Somebody who may see everything in the admin."""
    return User.objects.create_superuser("root", password="correct horse battery staple")


@pytest.fixture
def empty_redis() -> Iterator[None]:
    """No rings, counts or marks from other tests."""
    doorbell.redis_client().flushall()
    yield
    doorbell.redis_client().flushall()


@pytest.fixture
def stack(transactional_db: None, empty_redis: None) -> Iterator[Stack]:
    """Web, worker and beat as real processes on the test database; stopped after the test."""
    running = Stack.start()
    yield running
    running.stop()
