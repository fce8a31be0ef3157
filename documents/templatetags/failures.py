"""`{{ document|failure_words }}`: returns why it could not be indexed."""

from django import template

from documents.failures import failure_words

register = template.Library()
register.filter(failure_words)
