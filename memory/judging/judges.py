"""Chooses the judge: a language model if one is configured, otherwise the rules."""

from collections.abc import Sequence
from typing import Protocol

from django.conf import settings

from inference.llm import Endpoint
from memory.judging import rules
from memory.judging.model import ModelJudge
from memory.judging.rules import FactJudgement


class MemoryJudge(Protocol):
    """Decides what is worth storing."""

    @property
    def name(self) -> str:
        """The judge's name, stored with each entry."""

    def judge(self, sentences: Sequence[str], context: str) -> Sequence[FactJudgement]:
        """Return judgements of a manager's sentences; `context` is what they reply to."""


class RuleJudge:
    """The rules of memory.judging.rules, sentence by sentence."""

    name = rules.RULES_JUDGE

    def judge(self, sentences: Sequence[str], context: str) -> Sequence[FactJudgement]:
        return [rules.judge(sentence) for sentence in sentences]


def configured_judge() -> MemoryJudge:
    if not settings.LLM_URL or not settings.LLM_MODEL:
        return RuleJudge()
    endpoint = Endpoint(
        settings.LLM_URL, settings.LLM_MODEL, settings.LLM_KEY, settings.LLM_MAX_TOKENS
    )
    return ModelJudge(endpoint, settings.LLM_DEADLINE_SECONDS)
