"""The ways out. Each sends, or raises Undelivered with the reason in words."""


class Undelivered(Exception):
    """It did not arrive; the text says why, without secrets."""
