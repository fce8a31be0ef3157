"""Sign-in at the fake provider, through its page and back."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.oidc import provider as protocol
from accounts.oidc.rights import read_grants
from tests.fake_oidc import CLIENT, SECRET, Provider, serving

BEGIN = "/account/sign-in"


@contextmanager
def provider_in_settings(settings: Settings) -> Iterator[Provider]:
    """Start a provider that the settings name, with `anna` of the group `qa` at its page."""
    protocol._new_provider.cache_clear()
    with serving() as running:
        running.people["anna"] = {"groups": ["qa"], "given_name": "Anna"}
        settings.OIDC_ISSUER = running.url
        settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = CLIENT, SECRET
        settings.OIDC_GROUPS = read_grants(
            {
                "qa": {"demo": "reviewer"},
                "leads": {"demo": "lead"},
                "sites": {"demo": "manager"},
                "admins": "superuser",
            }
        )
        yield running
    protocol._new_provider.cache_clear()


def sign_in(client: Client, provider: Provider, *, next: str = "/") -> HttpResponse:
    """Sign in through the provider's page and back."""
    away = client.get(f"{BEGIN}?next={next}")
    assert away.status_code == 302, away.content.decode()
    return client.get(provider.visit(away["Location"]).removeprefix("http://testserver"))


def is_logged_in(client: Client) -> bool:
    return "_auth_user_id" in client.session
