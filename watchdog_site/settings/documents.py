"""Documents, the sandbox that reads them, and their retrieval."""

from django.core.exceptions import ImproperlyConfigured

from watchdog_site.settings.environment import env

# Where untrusted data is read: uploaded files, the weather analysis. Files are refused where no
# tier is usable, unless they may be read without (docs/operations/security.md).
SANDBOX_TIERS = env.list("SANDBOX_TIERS", default=["bubblewrap", "landlock"])
DOCUMENTS_WITHOUT_SANDBOX = env.bool("DOCUMENTS_WITHOUT_SANDBOX", default=False)

DOCUMENT_TIME_LIMIT_SECONDS = env.int("DOCUMENT_TIME_LIMIT_SECONDS", default=900)
DOCUMENT_LEASE_SECONDS = env.int("DOCUMENT_LEASE_SECONDS", default=1_000)
DOCUMENT_MAX_ATTEMPTS = env.int("DOCUMENT_MAX_ATTEMPTS", default=5)
MAX_DOCUMENT_BYTES = env.int("MAX_DOCUMENT_BYTES", default=50_000_000)
CHUNK_SIZE = env.int("CHUNK_SIZE", default=500)
CHUNK_OVERLAP = env.int("CHUNK_OVERLAP", default=80)
# Up to this many chunks a search compares all of them; above, it follows the HNSW graph.
EXACT_SCAN_CHUNKS = env.int("EXACT_SCAN_CHUNKS", default=20_000)
LEXICAL_CANDIDATES = env.int("LEXICAL_CANDIDATES", default=8_000)
# A sentence-transformers cross-encoder, by name or folder; empty: no reranking.
RERANKER_MODEL = env.str("RERANKER_MODEL", default="")
RERANK_DEPTH = env.int("RERANK_DEPTH", default=20)
# How two rankings become one, and when nothing was found (documents/retrieval.py).
RETRIEVAL_DEPTH = env.int("RETRIEVAL_DEPTH", default=100)
RETRIEVAL_DENSE_WEIGHT = env.float("RETRIEVAL_DENSE_WEIGHT", default=0.8)
RETRIEVAL_LEXICAL_WEIGHT = env.float("RETRIEVAL_LEXICAL_WEIGHT", default=1.0)
RETRIEVAL_RANK_CONSTANT = env.int("RETRIEVAL_RANK_CONSTANT", default=20)
RETRIEVAL_SCORE_FLOOR = env.float("RETRIEVAL_SCORE_FLOOR", default=0.005)
RETRIEVAL_RELEVANCE_FLOOR = env.float("RETRIEVAL_RELEVANCE_FLOOR", default=0.2)
RETRIEVAL_MOST_PER_DOCUMENT = env.int("RETRIEVAL_MOST_PER_DOCUMENT", default=2)
if not 1 <= RETRIEVAL_DEPTH <= 1_000:
    raise ImproperlyConfigured("Set RETRIEVAL_DEPTH to a number from 1 to 1000.")
if min(RETRIEVAL_DENSE_WEIGHT, RETRIEVAL_LEXICAL_WEIGHT) < 0:
    raise ImproperlyConfigured("RETRIEVAL_DENSE_WEIGHT and RETRIEVAL_LEXICAL_WEIGHT are 0 or more.")
if min(RETRIEVAL_RANK_CONSTANT, RETRIEVAL_MOST_PER_DOCUMENT) < 1:
    raise ImproperlyConfigured(
        "RETRIEVAL_RANK_CONSTANT, RETRIEVAL_MOST_PER_DOCUMENT are 1 or more."
    )
