"""The codes that decisions hold, in words."""

from collections.abc import Collection

from analysis.models import ReasonCode


def reason_labels(codes: Collection[str]) -> dict[str, str]:
    """The label of each code; one that the list does not have stands for itself."""
    if not codes:
        return {}
    labels = ReasonCode.objects.filter(code__in=set(codes)).values_list("code", "label")
    return {code: code for code in codes} | dict(labels)
