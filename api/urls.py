"""URLs below `/api/v1/`."""

from django.urls import path

from api import application, oversight, policies, reviews, trends, trials, views

urlpatterns = [
    path("keys/current", application.CurrentKeyView.as_view(), name="current_key"),
    path("keys/current/rotate", application.RotateKeyView.as_view(), name="rotate_key"),
    path("probes", oversight.ProbesView.as_view(), name="probes"),
    path("usage", application.UsageView.as_view(), name="usage"),
    path("checks", views.ChecksView.as_view(), name="checks"),
    path("checks/<uuid:check_id>", views.CheckView.as_view(), name="check"),
    path(
        "checks/<uuid:check_id>/payloads", views.CheckPayloadsView.as_view(), name="check_payloads"
    ),
    path("checks/<uuid:check_id>/link", views.LinkView.as_view(), name="check_link"),
    path("checks/<uuid:check_id>/feedback", views.FeedbackView.as_view(), name="check_feedback"),
    path("checks/<uuid:check_id>/record", views.RecordView.as_view(), name="check_record"),
    path("batches", views.BatchesView.as_view(), name="batches"),
    path("batches/<uuid:batch_id>", views.BatchView.as_view(), name="batch"),
    path("policies/advice", trials.AdviceView.as_view(), name="threshold_advice"),
    path("cases", oversight.CasesView.as_view(), name="cases"),
    path("cases/seeded", oversight.SeededView.as_view(), name="seeded"),
    path("cases/<uuid:case_id>", oversight.CaseView.as_view(), name="case"),
    path("policies/<int:policy_id>/cases", oversight.OutcomesView.as_view(), name="policy_cases"),
    path("policies", policies.PoliciesView.as_view(), name="policies"),
    path("policies/<int:policy_id>", policies.PolicyView.as_view(), name="policy"),
    path("policies/<int:policy_id>/fit", policies.FitView.as_view(), name="policy_fit"),
    path(
        "policies/<int:policy_id>/activate", policies.ActivateView.as_view(), name="policy_activate"
    ),
    path("policies/replays/<int:job_id>", policies.ReplayJobView.as_view(), name="replay_job"),
    path("policies/compare", trials.CompareView.as_view(), name="policy_compare"),
    path("policies/trial/end", trials.TrialEndView.as_view(), name="policy_trial_end"),
    path("policies/<int:policy_id>/trial", trials.TrialView.as_view(), name="policy_trial"),
    path("policies/<int:policy_id>/replay", policies.ReplayView.as_view(), name="policy_replay"),
    path("reviews", reviews.ReviewsView.as_view(), name="reviews"),
    path("reviews/oversight", oversight.OversightView.as_view(), name="oversight"),
    path("reviews/sampling", oversight.SamplingView.as_view(), name="sampling_plan"),
    path("reviews/next", reviews.NextReviewView.as_view(), name="next_review"),
    path("reviews/<int:review_id>", reviews.ReviewView.as_view(), name="review"),
    path("reviews/<int:review_id>/claim", reviews.ClaimReviewView.as_view(), name="claim_review"),
    path(
        "reviews/<int:review_id>/release",
        reviews.ReleaseReviewView.as_view(),
        name="release_review",
    ),
    path(
        "reviews/<int:review_id>/decide", reviews.DecideReviewView.as_view(), name="decide_review"
    ),
    path("reviews/<int:review_id>/undo", reviews.UndoReviewView.as_view(), name="undo_review"),
    path("trends/quality", trends.QualityView.as_view(), name="quality"),
    path("trends/drift", trends.DriftView.as_view(), name="drift"),
    path("trends", trends.TrendsView.as_view(), name="trends"),
]
