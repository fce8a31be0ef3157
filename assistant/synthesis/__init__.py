"""Turns evidence into a draft with citations: by a language model, or by choosing sentences.

Pure functions of the bundle and a model's answer; nothing here reads a table.
"""
