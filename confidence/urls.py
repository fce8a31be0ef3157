"""The address of a signed link."""

from django.urls import path

from confidence.views import confidence_view

urlpatterns = [path("<str:token>", confidence_view, name="confidence_view")]
