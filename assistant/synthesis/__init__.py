"""From evidence to a draft with citations: by a language model, or by choosing sentences.

Pure functions of the bundle and of what a model answered; nothing here reads a table.
"""
