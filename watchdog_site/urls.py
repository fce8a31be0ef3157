"""The addresses of pages and API, from all packages."""

from django.contrib import admin
from django.contrib.auth.views import LoginView
from django.urls import include, path
from django.views.generic import RedirectView
from django.views.i18n import set_language
from drf_spectacular.views import SpectacularSwaggerSplitView

from accounts.pages.settings_pages import settings_page
from accounts.pages.sign_in import logout_page
from accounts.pages.views import staff_login
from api.litellm import LiteLLMView
from api.pages import playground
from api.views import AnalyzeView
from desk.dashboard.pages import dashboard
from desk.policies.pages.advice import advice_page
from operations.api import EvidenceView
from operations.pages import evidence, probes, usage
from watchdog_site import health
from watchdog_site.home import home
from watchdog_site.metrics import metrics
from watchdog_site.openapi_document import SchemaView

admin.site.site_header = admin.site.site_title = "WATCHDOG"
admin.site.index_title = "All records"
admin.site.enable_nav_sidebar = False  # the navigation of every page is in its header

urlpatterns = [
    path("", home, name="home"),
    path("language/", set_language, name="set_language"),
    path("playground/", playground.page, name="playground"),
    path("playground/<uuid:check_id>/", playground.result, name="playground_result"),
    path("readyz", health.readyz),
    path("metrics", metrics),
    path("admin/advice/", admin.site.admin_view(advice_page), name="threshold_advice_page"),
    *(
        path(address, admin.site.admin_view(dashboard.page), {"name": name}, f"dashboard_{name}")
        for name, address in dashboard.ADDRESSES.items()
    ),
    path(
        "admin/dashboard/<str:name>/<slug:table>.csv",
        admin.site.admin_view(dashboard.export),
        name="dashboard_export",
    ),
    path("admin/evidence/", admin.site.admin_view(evidence.page), name="evidence_page"),
    path(
        "admin/evidence.<str:format_>",
        admin.site.admin_view(evidence.download),
        name="evidence_download",
    ),
    path("admin/probes/", admin.site.admin_view(probes.page), name="probes_page"),
    path("admin/usage/", admin.site.admin_view(usage.page), name="usage_page"),
    path("admin/usage.csv", admin.site.admin_view(usage.export), name="usage_export"),
    path("admin/password_change/", RedirectView.as_view(pattern_name="password_change")),
    path("admin/login/", staff_login),
    path("admin/logout/", logout_page),
    path("settings/", admin.site.admin_view(settings_page), name="settings"),
    path("admin/", admin.site.urls),
    path(
        "login",
        LoginView.as_view(template_name="accounts/login.html", redirect_authenticated_user=True),
        name="login",
    ),
    path("account/", include("accounts.pages.urls")),
    path("logout", logout_page, name="logout"),
    path("assistant/", include("assistant.pages.urls")),
    path("memory/", include("memory.pages.urls")),
    path("view/", include("desk.verdict_page.urls")),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    path("api/v1/schema", SchemaView.as_view(), name="schema"),
    path("api/v1/", include("api.urls")),
    path("api/v1/", include("documents.api.urls")),
    path("api/v1/assistant/", include("assistant.api.urls")),
    path("api/v1/", include("memory.api.urls")),
    path("api/v1/", include("notifications.api")),
    path("api/v1/evidence", EvidenceView.as_view(), name="evidence"),
    path("api/analyze", AnalyzeView.as_view(), name="analyze"),
    # The path is LiteLLM's.
    path("beta/litellm_basic_guardrail_api", LiteLLMView.as_view(), name="litellm"),
]
handler404 = "watchdog_site.problems.not_found"
handler500 = "watchdog_site.problems.server_error"
