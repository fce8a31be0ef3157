"""Tables of the analysis app."""

from analysis.models.check import Batch, Check, CheckState, IdempotencyKey
from analysis.models.counted_check import (
    ClaimDay,
    CountedCheck,
    DecidedDay,
    DecidedReach,
    JudgeDay,
    ModelUse,
)
from analysis.models.desk import (
    ClaimVerdict,
    QueueInstructions,
    ReasonCode,
    ReviewDraft,
    ReviewSkip,
    SamplingPlan,
)
from analysis.models.feedback import Feedback
from analysis.models.hold import LegalHold
from analysis.models.job import Job, JobKind, JobState
from analysis.models.policy import Policy, Trial, TrialCheck
from analysis.models.probe import (
    Case,
    CaseUse,
    Probe,
    ProbeOutcome,
    ProbeResult,
    ProbeVerdict,
    ProbeWay,
)
from analysis.models.result import AnnotatedAnswer, Claim
from analysis.models.review import (
    HeldAnswer,
    HoldState,
    Opinion,
    Review,
    ReviewDecision,
    ReviewReason,
    ReviewStage,
)
from analysis.models.search import CheckEmbedding, CheckSearch, SearchReach
from analysis.models.trends import Topic, TopicMember, TopicRun, TrendCell, TrendPending

__all__ = [
    "AnnotatedAnswer",
    "Batch",
    "Case",
    "CaseUse",
    "Check",
    "CheckEmbedding",
    "CheckSearch",
    "CheckState",
    "Claim",
    "ClaimDay",
    "ClaimVerdict",
    "CountedCheck",
    "DecidedDay",
    "DecidedReach",
    "Feedback",
    "HeldAnswer",
    "HoldState",
    "IdempotencyKey",
    "Job",
    "JobKind",
    "JobState",
    "JudgeDay",
    "LegalHold",
    "ModelUse",
    "Opinion",
    "Policy",
    "Probe",
    "ProbeOutcome",
    "ProbeResult",
    "ProbeVerdict",
    "ProbeWay",
    "QueueInstructions",
    "ReasonCode",
    "Review",
    "ReviewDecision",
    "ReviewDraft",
    "ReviewReason",
    "ReviewSkip",
    "ReviewStage",
    "SamplingPlan",
    "SearchReach",
    "Topic",
    "TopicMember",
    "TopicRun",
    "TrendCell",
    "TrendPending",
    "Trial",
    "TrialCheck",
]
