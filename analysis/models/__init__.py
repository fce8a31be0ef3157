"""Tables of the analysis app."""

from analysis.models.check import (
    ENDED,
    Batch,
    Check,
    CheckState,
    Feedback,
    IdempotencyKey,
    LegalHold,
)
from analysis.models.desk import (
    ClaimVerdict,
    QueueInstructions,
    ReasonCode,
    ReviewDraft,
    ReviewSkip,
    SamplingPlan,
)
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
from analysis.models.trends import (
    ClaimDay,
    CountedCheck,
    DecidedDay,
    DecidedReach,
    JudgeDay,
    ModelUse,
    Topic,
    TopicMember,
    TopicRun,
    TrendCell,
    TrendPending,
)
