"""The OpenAPI document, generated once a process: it depends on the code alone."""

from functools import cache
from typing import Any

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class SchemaView(SpectacularAPIView):
    """Serves the document as YAML or JSON."""

    def _get_schema_response(self, request: Request) -> HttpResponse:
        renderer: Any = type(request.accepted_renderer)
        return HttpResponse(_document(renderer), content_type=str(renderer.media_type))


@cache
def _document(renderer: type[BaseRenderer]) -> str | bytes:
    generator: Any = SchemaGenerator
    return renderer().render(generator().get_schema(request=None, public=True))
