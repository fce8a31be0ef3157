"""URLs below `/api/v1/`."""

from django.urls import path

from api.application import CurrentKeyView, RotateKeyView, UsageView
from api.oversight import (
    CasesView,
    CaseView,
    OutcomesView,
    OversightView,
    ProbesView,
    SamplingView,
    SeededView,
)
from api.policies import (
    ActivateView,
    FitView,
    PoliciesView,
    PolicyView,
    ReplayJobView,
    ReplayView,
)
from api.reviews import (
    ClaimReviewView,
    DecideReviewView,
    NextReviewView,
    ReleaseReviewView,
    ReviewsView,
    ReviewView,
    UndoReviewView,
)
from api.trends import DriftView, QualityView, TrendsView
from api.trials import AdviceView, CompareView, TrialEndView, TrialView
from api.views import (
    BatchesView,
    BatchView,
    CheckPayloadsView,
    ChecksView,
    CheckView,
    FeedbackView,
    LinkView,
    RecordView,
)

urlpatterns = [
    path("keys/current", CurrentKeyView.as_view(), name="current_key"),
    path("keys/current/rotate", RotateKeyView.as_view(), name="rotate_key"),
    path("probes", ProbesView.as_view(), name="probes"),
    path("usage", UsageView.as_view(), name="usage"),
    path("checks", ChecksView.as_view(), name="checks"),
    path("checks/<uuid:check_id>", CheckView.as_view(), name="check"),
    path("checks/<uuid:check_id>/payloads", CheckPayloadsView.as_view(), name="check_payloads"),
    path("checks/<uuid:check_id>/link", LinkView.as_view(), name="check_link"),
    path("checks/<uuid:check_id>/feedback", FeedbackView.as_view(), name="check_feedback"),
    path("checks/<uuid:check_id>/record", RecordView.as_view(), name="check_record"),
    path("batches", BatchesView.as_view(), name="batches"),
    path("batches/<uuid:batch_id>", BatchView.as_view(), name="batch"),
    path("policies/advice", AdviceView.as_view(), name="threshold_advice"),
    path("cases", CasesView.as_view(), name="cases"),
    path("cases/seeded", SeededView.as_view(), name="seeded"),
    path("cases/<uuid:case_id>", CaseView.as_view(), name="case"),
    path("policies/<int:policy_id>/cases", OutcomesView.as_view(), name="policy_cases"),
    path("policies", PoliciesView.as_view(), name="policies"),
    path("policies/<int:policy_id>", PolicyView.as_view(), name="policy"),
    path("policies/<int:policy_id>/fit", FitView.as_view(), name="policy_fit"),
    path("policies/<int:policy_id>/activate", ActivateView.as_view(), name="policy_activate"),
    path("policies/replays/<int:job_id>", ReplayJobView.as_view(), name="replay_job"),
    path("policies/compare", CompareView.as_view(), name="policy_compare"),
    path("policies/trial/end", TrialEndView.as_view(), name="policy_trial_end"),
    path("policies/<int:policy_id>/trial", TrialView.as_view(), name="policy_trial"),
    path("policies/<int:policy_id>/replay", ReplayView.as_view(), name="policy_replay"),
    path("reviews", ReviewsView.as_view(), name="reviews"),
    path("reviews/oversight", OversightView.as_view(), name="oversight"),
    path("reviews/sampling", SamplingView.as_view(), name="sampling_plan"),
    path("reviews/next", NextReviewView.as_view(), name="next_review"),
    path("reviews/<int:review_id>", ReviewView.as_view(), name="review"),
    path("reviews/<int:review_id>/claim", ClaimReviewView.as_view(), name="claim_review"),
    path("reviews/<int:review_id>/release", ReleaseReviewView.as_view(), name="release_review"),
    path("reviews/<int:review_id>/decide", DecideReviewView.as_view(), name="decide_review"),
    path("reviews/<int:review_id>/undo", UndoReviewView.as_view(), name="undo_review"),
    path("trends/quality", QualityView.as_view(), name="quality"),
    path("trends/drift", DriftView.as_view(), name="drift"),
    path("trends", TrendsView.as_view(), name="trends"),
]
