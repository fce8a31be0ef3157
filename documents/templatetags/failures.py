"""`{{ document|failure_words }}`: returns why it could not be indexed."""

from django import template

from documents import failures
from documents.models import Document

register = template.Library()


@register.filter
def failure_words(document: Document) -> str:
    return failures.failure_words(document)
