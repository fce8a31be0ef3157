"""How much the judges of this process have read: what a judge costs, whatever the machine."""

from dataclasses import dataclass


@dataclass(slots=True)
class TokenCount:
    """Tokens that went through a model; those of remembered passages did not."""

    value: int = 0


READ = TokenCount()
