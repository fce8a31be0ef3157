"""The embedding model as checks use it: never prepared on the way, since a check cannot wait."""

from collections.abc import Sequence

from django.conf import settings

from documents.embedding import embedder
from inference.embedding import Embeddings, Vectors
from inference.store import Manifest, model_folder, read_manifest


class CheckEmbedder:
    """The model of this process. Each member raises ModelError where it is not prepared."""

    @property
    def model_id(self) -> str:
        """Name, source hash and quantisation."""
        return self._manifest().model_id

    @property
    def dimensions(self) -> int:
        return self._manifest().dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 (texts, dimensions), each row of length 1."""
        self._manifest()
        return embedder().embed(texts)

    def embed_reported(self, texts: Sequence[str]) -> Embeddings:
        """As `embed`, and which texts were read in part only."""
        self._manifest()
        return embedder().embed_reported(texts)

    def _manifest(self) -> Manifest:
        """The manifest of the prepared model, read again: it costs less than a millisecond."""
        return read_manifest(model_folder(settings.MODEL_DIR, settings.EMBEDDING_MODEL))
