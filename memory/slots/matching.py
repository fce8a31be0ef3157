"""When two slots are one, though they were named in other words."""


def same_slot(one: str, other: str) -> bool:
    """Whether two keys name the same slot."""
    return one == other
