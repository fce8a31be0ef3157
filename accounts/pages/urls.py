"""Addresses under /account/."""

from django.urls import path

from accounts.pages import views

urlpatterns = [
    path("password", views.PasswordPage.as_view(), name="password_change"),
    path("second-factor", views.second_factor_page, name="second_factor"),
    path("second-factor/verify", views.verify_page, name="second_factor_verify"),
]
