"""The documents app."""

from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    """Collections, documents, chunks and their retrieval."""

    name = "documents"
