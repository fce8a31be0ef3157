"""Reads a manager's sentence: its tokens, figures and closed classes of words."""
