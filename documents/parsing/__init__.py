"""Parses files to text. Use `parse_isolated` for anything that was uploaded.

Kept light: the child process imports it, so it must load neither Django nor a parser library.
"""
