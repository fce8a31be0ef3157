"""The embedding model for checks: never prepared on demand, since a check cannot wait."""

from collections.abc import Sequence

from django.conf import settings

from documents.embedding import embedder
from inference.embedding import Embeddings, Vectors
from inference.store import Manifest, model_folder, read_manifest


class CheckEmbedder:
    """This process's embedding model. Every member raises ModelError if it is not prepared."""

    @property
    def model_id(self) -> str:
        """The model's name, source hash and quantisation."""
        return self._manifest().model_id

    @property
    def dimensions(self) -> int:
        return self._manifest().dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 vectors (texts, dimensions), each row of length 1."""
        self._manifest()
        return embedder().embed(texts)

    def embed_reported(self, texts: Sequence[str]) -> Embeddings:
        """Embed like `embed`, and also return which texts were only read in part."""
        self._manifest()
        return embedder().embed_reported(texts)

    def _manifest(self) -> Manifest:
        """Read the manifest of the prepared model again; it takes less than a millisecond."""
        return read_manifest(model_folder(settings.MODEL_DIR, settings.EMBEDDING_MODEL))
