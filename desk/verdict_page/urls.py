"""The URL of a signed link."""

from django.urls import path

from desk.verdict_page.views import confidence_view

urlpatterns = [path("<str:token>", confidence_view, name="confidence_view")]
