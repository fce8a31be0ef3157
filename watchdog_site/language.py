"""The language of pages: the reader's choice, else their browser's; the API is English."""

from django.http import HttpRequest, HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation

_API = "/api/"


class PageLanguageMiddleware(LocaleMiddleware):
    """Django's own, for pages alone: what programs read must not depend on a browser's header."""

    def process_request(self, request: HttpRequest) -> None:
        """Choose the language of a page; the API and its errors stay English."""
        if request.path_info.startswith(_API):
            translation.activate("en")
            request.LANGUAGE_CODE = "en"
        else:
            super().process_request(request)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Name the language of a page in its headers; leave the API's alone."""
        if request.path_info.startswith(_API):
            return response
        return super().process_response(request, response)
