"""Labels of the reason codes that decisions store."""

from collections.abc import Collection

from analysis.models import ReasonCode


def reason_labels(codes: Collection[str]) -> dict[str, str]:
    """Return the label of each code; an unlisted code is its own label."""
    if not codes:
        return {}
    labels = ReasonCode.objects.filter(code__in=set(codes)).values_list("code", "label")
    return {code: code for code in codes} | dict(labels)
