"""A language model as judge: it labels claims and must quote the sources for its labels.

    asked = LanguageModel((Endpoint(url, model, key),), Limits())
    judge = Cascade(get_judge(folder), asked, ask=Ask.UNSURE)

Quotations count only where they stand in the sources, word for word: a label without one is not
believed. Where no endpoint answers in time, the embedded judge decides and the result says so.
"""

from inference.judge.language_model.cascade import Ask, Cascade, ModelCost
from inference.judge.language_model.model import LanguageModel, Limits, TokenBudget

__all__ = ["Ask", "Cascade", "LanguageModel", "Limits", "ModelCost", "TokenBudget"]
