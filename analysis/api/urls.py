"""Addresses under `/api/v1/`."""

from django.urls import path

from analysis.api.feedback import FeedbackView
from analysis.api.links import LinkView
from analysis.api.policies import ActivateView, PoliciesView, PolicyView, ReplayView
from analysis.api.trends import TrendsView
from analysis.api.views import BatchesView, BatchView, CheckPayloadsView, ChecksView, CheckView

urlpatterns = [
    path("checks", ChecksView.as_view(), name="checks"),
    path("checks/<uuid:check_id>", CheckView.as_view(), name="check"),
    path("checks/<uuid:check_id>/payloads", CheckPayloadsView.as_view(), name="check_payloads"),
    path("checks/<uuid:check_id>/link", LinkView.as_view(), name="check_link"),
    path("checks/<uuid:check_id>/feedback", FeedbackView.as_view(), name="check_feedback"),
    path("batches", BatchesView.as_view(), name="batches"),
    path("batches/<uuid:batch_id>", BatchView.as_view(), name="batch"),
    path("policies", PoliciesView.as_view(), name="policies"),
    path("policies/<int:policy_id>", PolicyView.as_view(), name="policy"),
    path("policies/<int:policy_id>/activate", ActivateView.as_view(), name="policy_activate"),
    path("policies/<int:policy_id>/replay", ReplayView.as_view(), name="policy_replay"),
    path("trends", TrendsView.as_view(), name="trends"),
]
