"""Types of the numbers and texts of a policy, with the ranges that are checked when it is read.

`PolicyRules(...)` and `replace` do not check them; whatever comes from outside is read.
"""

from typing import Annotated

from msgspec import Meta

Share = Annotated[float, Meta(ge=0, le=1)]
PositiveShare = Annotated[float, Meta(gt=0, le=1)]
"""As a threshold, 0 would make "no evidence at all" count as support or contradiction."""
PositiveNumber = Annotated[float, Meta(gt=0, le=1_000_000)]
Count = Annotated[int, Meta(ge=0)]
Points = Annotated[int, Meta(ge=0, le=100)]
PositivePoints = Annotated[int, Meta(ge=1, le=100)]
Hours = Annotated[int, Meta(ge=1, le=100)]
Text = Annotated[str, Meta(pattern=r"\S")]
"""A text that is not blank."""
