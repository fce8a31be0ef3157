"""A provider of sign-ins."""

from collections.abc import Iterator

import pytest

from accounts.oidc import provider as protocol
from accounts.oidc.rights import read_grants
from tests.fake_oidc import CLIENT, SECRET, Provider, serving


@pytest.fixture
def provider(settings, application) -> Iterator[Provider]:
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
