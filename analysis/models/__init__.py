"""Tables of the analysis app."""

from analysis.models.check import Batch, Check, CheckState, IdempotencyKey
from analysis.models.embedding import CheckEmbedding
from analysis.models.feedback import Feedback
from analysis.models.policy import Policy
from analysis.models.result import AnnotatedAnswer, Claim
from analysis.models.review import Review, ReviewDecision, ReviewReason
from analysis.models.trends import TrendCell, TrendPending

__all__ = [
    "AnnotatedAnswer",
    "Batch",
    "Check",
    "CheckEmbedding",
    "CheckState",
    "Claim",
    "Feedback",
    "IdempotencyKey",
    "Policy",
    "Review",
    "ReviewDecision",
    "ReviewReason",
    "TrendCell",
    "TrendPending",
]
