"""Files to text. `parse_isolated` for anything that somebody uploaded.

Kept light: the child process imports it, so it must load no Django and no parser library.
"""
