"""The judge for when no language model is configured: small rules, each with its confidence."""

from memory.judging.types import COMPANY, USER, Judged

RULES_JUDGE = "rules-1"
_FIRST = frozenset({"i", "i'm", "my", "me", "i’m"})


def judge(sentence: str) -> Judged:
    """Judge one sentence of a manager."""
    words = sentence.lower().split()
    if sentence.rstrip().endswith("?") or len(words) < 3:
        return Judged(False, 0.9, sentence, "", "A question is not a statement.")
    target = USER if _FIRST & set(words) else COMPANY
    return Judged(True, 0.7, sentence, target)
