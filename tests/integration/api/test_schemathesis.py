"""Every operation, called with what its document allows (schemathesis).

Requests are drawn from docs/openapi.yaml; each answer must have a status, a content type and a body
that the document promises, and the server may not fail.
"""

from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.models import Scope
from accounts.services import create_api_key
from watchdog_site.wsgi import application as wsgi_application

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(1200)]
document = schemathesis.openapi.from_path(Path("docs/openapi.yaml"))
document.config.base_url = "http://localhost"
document.config.phases.coverage.enabled = False
document.app = wsgi_application
CONFORMANCE = [status_code_conformance, content_type_conformance, response_schema_conformance]
NOT_READY = 503
"""The status of requests that wait for a worker: none runs here."""


@pytest.fixture
def token(application, settings, empty_redis) -> str:
    settings.DEFAULT_WAIT_SECONDS = settings.MAX_WAIT_SECONDS = 0
    settings.STREAM_SECONDS = 0
    _, key = create_api_key(application=application, name="s", scopes=tuple(Scope), by="test")
    return key


@document.parametrize()
@settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_an_operation_keeps_its_promise(case, token) -> None:
    response = case.call(headers={"Authorization": f"Bearer {token}"})
    case.validate_response(response, checks=CONFORMANCE)
    if response.status_code != NOT_READY:
        case.validate_response(response, checks=[not_a_server_error])
