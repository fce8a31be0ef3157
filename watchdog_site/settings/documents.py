"""Documents, the sandbox that reads them, and their retrieval."""

from watchdog_site.settings.environment import env

# Where untrusted data is read: uploaded files, the weather analysis. Files are refused where no
# tier is usable, unless they may be read without (docs/operations/security.md).
SANDBOX_TIERS = env.list("SANDBOX_TIERS", default=["bubblewrap", "landlock"])
DOCUMENTS_WITHOUT_SANDBOX = env.bool("DOCUMENTS_WITHOUT_SANDBOX", default=False)

DOCUMENT_TIME_LIMIT_SECONDS = env.int("DOCUMENT_TIME_LIMIT_SECONDS", default=900)
DOCUMENT_LEASE_SECONDS = DOCUMENT_TIME_LIMIT_SECONDS + max(5, DOCUMENT_TIME_LIMIT_SECONDS // 9)
MAX_DOCUMENT_BYTES = env.int("MAX_DOCUMENT_BYTES", default=50_000_000)
CHUNK_SIZE = env.int("CHUNK_SIZE", default=500)
CHUNK_OVERLAP = env.int("CHUNK_OVERLAP", default=80)
# A sentence-transformers cross-encoder, by name or folder; empty: no reranking.
RERANKER_MODEL = env.str("RERANKER_MODEL", default="")
# Relevance (0-1) below which a passage is not found; its scale depends on the embedding model.
RETRIEVAL_RELEVANCE_FLOOR = env.float("RETRIEVAL_RELEVANCE_FLOOR", default=0.2)
