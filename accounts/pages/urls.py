"""URLs under /account/."""

from django.urls import path
from django.views.decorators.cache import never_cache

from accounts.pages import settings_pages, sign_in, views

urlpatterns = [
    path("sign-in", sign_in.begin_page, name="oidc_begin"),
    path("sign-in/callback", sign_in.callback_page, name="oidc_callback"),
    path("back-channel-logout", sign_in.back_channel_logout, name="oidc_logout"),
    path("password", never_cache(views.PasswordPage.as_view()), name="password_change"),
    path(
        "invitation/<uidb64>/<token>/",
        never_cache(settings_pages.InvitationPage.as_view()),
        name="invitation",
    ),
    path("second-factor", views.second_factor_page, name="second_factor"),
    path("second-factor/verify", views.verify_page, name="second_factor_verify"),
]
