"""Sign-in at the fake provider, through its page and back."""

from django.http import HttpResponse
from django.test import Client

from tests.fake_oidc import Provider

BEGIN = "/account/sign-in"


def sign_in(client: Client, provider: Provider, *, next: str = "/") -> HttpResponse:
    """Sign in through the provider's page and back."""
    away = client.get(f"{BEGIN}?next={next}")
    assert away.status_code == 302, away.content.decode()
    return client.get(provider.visit(away["Location"]).removeprefix("http://testserver"))


def is_logged_in(client: Client) -> bool:
    return "_auth_user_id" in client.session
