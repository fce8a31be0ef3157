"""The models: embeddings, the judge, and language models (any OpenAI-compatible endpoint)."""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from watchdog_site.settings.checks import CHECK_SOFT_LIMIT_SECONDS, CHECK_TIME_LIMIT_SECONDS
from watchdog_site.settings.environment import BASE_DIR, env

EMBEDDING_MODEL = env.str("EMBEDDING_MODEL", default="all-MiniLM-L6-v2")
MODEL_DIR = Path(env.str("MODEL_DIR", default=str(BASE_DIR / ".data" / "models")))
EMBEDDING_THREADS = env.int("EMBEDDING_THREADS", default=1)
# "base" (with the small judge, which judges alone where it is not prepared), "small", or "lexical"
# (no judge: the scores by rules stand).
NLI_MODEL = env.str("NLI_MODEL", default="base")
if NLI_MODEL not in ("base", "small", "lexical"):
    raise ImproperlyConfigured(
        'Set NLI_MODEL to "base", "small" or "lexical". A cross-encoder of entailment of your own '
        "judges by JUDGE_MODEL=entailment:FOLDER."
    )
# Threads of the judges.
NLI_THREADS = env.int("NLI_THREADS", default=2)
# A judge of your own: minicheck:, hhem:, entailment: or lettucedetect:FOLDER.
JUDGE_MODEL = env.str("JUDGE_MODEL", default="")
# The judge that a trial runs in shadow: "small", "base", or one of your own as for JUDGE_MODEL.
TRIAL_JUDGE = env.str("TRIAL_JUDGE", default="")
# Keys and values of passages that the judge has read; in each worker process.
JUDGE_CACHE_MB = env.int("JUDGE_CACHE_MB", default=128)

# --- The generator (any OpenAI-compatible endpoint); none is needed ------------
LLM_URL = env.str("LLM_URL", default="")
LLM_MODEL = env.str("LLM_MODEL", default="")
LLM_KEY = env.str("LLM_KEY", default="")
LLM_MAX_TOKENS = env.int("LLM_MAX_TOKENS", default=1024)
LLM_DEADLINE_SECONDS = 0.4 * CHECK_TIME_LIMIT_SECONDS  # a check waits for its samples
# A language model as judge: asked about claims that the embedded judge is unsure of, or about all.
JUDGE_LLM_URL = env.str("JUDGE_LLM_URL", default="")
JUDGE_LLM_MODEL = env.str("JUDGE_LLM_MODEL", default="")
JUDGE_LLM_KEY = env.str("JUDGE_LLM_KEY", default="")
# Further endpoints that vote with it: a JSON list of {"url", "model", "key"}.
JUDGE_LLMS = env.json("JUDGE_LLMS", default=[])
JUDGE_LLM_ASK = env.str("JUDGE_LLM_ASK", default="unsure")
if JUDGE_LLM_ASK not in ("unsure", "all"):
    raise ImproperlyConfigured('Set JUDGE_LLM_ASK to "unsure" or "all".')
JUDGE_LLM_SECONDS = env.float("JUDGE_LLM_SECONDS", default=0.5 * CHECK_SOFT_LIMIT_SECONDS)
if not 0 < JUDGE_LLM_SECONDS < CHECK_SOFT_LIMIT_SECONDS:
    raise ImproperlyConfigured(
        "Set JUDGE_LLM_SECONDS below CHECK_SOFT_LIMIT_SECONDS: signals end then, and the judge is "
        "one of them."
    )
# Tokens that all checks together may spend in a day (UTC); 0: no limit.
JUDGE_LLM_TOKENS_A_DAY = env.int("JUDGE_LLM_TOKENS_A_DAY", default=0)
