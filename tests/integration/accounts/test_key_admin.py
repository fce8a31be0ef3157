"""API keys in the admin: whoever creates one answers for it, unless somebody else is named."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from accounts.models import ApiKey, Application, Scope


@pytest.mark.parametrize("named", [False, True])
def test_a_key_has_an_owner(
    named: bool, application: Application, superuser: User, client: Client
) -> None:
    other = User.objects.create_user("ann")
    client.force_login(superuser)
    data = {"application": application.pk, "name": "server", "scopes": [Scope.CHECKS_READ]}
    response = client.post(
        reverse("admin:accounts_apikey_add"), data | ({"owner": other.pk} if named else {})
    )
    assert response.status_code == 302, response.content.decode()[:2000]
    assert ApiKey.objects.get().owner == (other if named else superuser)
