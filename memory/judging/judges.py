"""The judges of what is worth storing: a language model if one is configured, otherwise the rules.

A model's output is not trusted: it must fit the schema, and every figure, name and most words of a
fact must occur in what the manager said. A model that is down or answers nonsense stores nothing,
and the outcome says why; the rules do not silently replace it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from inference.llm import ChatMessage, Endpoint, complete_json
from lib.text.names import names
from lib.text.stems import stem
from lib.text.words import word_set
from memory.judging import rules
from memory.judging.rules import COMPANY, USER, FactJudgement
from memory.reading.sentence import ParsedSentence, read

PROMPT = (Path(__file__).parent.parent / "prompts" / "judge.md").read_text(encoding="utf-8")
MOST_FACTS = 5
_MOST_TEXT = 500
_SAID = 0.6
"""This share of a fact's words, at least, must stand in the statement."""
_GLUE = {
    stem(word)
    for word in word_set("manager user site company name role prefers works project called uses")
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["facts"],
    "properties": {
        "facts": {
            "type": "array",
            "maxItems": MOST_FACTS,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["worth_storing", "confidence", "fact", "target"],
                "properties": {
                    "worth_storing": {"type": "boolean"},
                    "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                    "fact": {"type": "string", "minLength": 1, "maxLength": _MOST_TEXT},
                    "target": {"enum": [USER, COMPANY]},
                },
            },
        }
    },
}


class RuleJudge:
    """The rules of memory.judging.rules, sentence by sentence."""

    name = rules.RULES_JUDGE

    def judge(self, sentences: Sequence[str], context: str) -> Sequence[FactJudgement]:
        return [rules.judge(sentence) for sentence in sentences]


def configured_judge() -> "RuleJudge | ModelJudge":
    if not settings.LLM_URL or not settings.LLM_MODEL:
        return RuleJudge()
    endpoint = Endpoint(
        settings.LLM_URL, settings.LLM_MODEL, settings.LLM_KEY, settings.LLM_MAX_TOKENS
    )
    return ModelJudge(endpoint, settings.LLM_DEADLINE_SECONDS)


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """A language model at an endpoint, with a deadline in seconds."""

    endpoint: Endpoint
    deadline_s: float

    @property
    def name(self) -> str:
        """The model, as stored with each entry."""
        return f"llm:{self.endpoint.model}"[:160]

    def judge(self, sentences: Sequence[str], context: str) -> Sequence[FactJudgement]:
        """Return the facts that the model would store, verified against the statement."""
        text = " ".join(sentences)
        reply = complete_json(
            self.endpoint, messages(text, context), SCHEMA, deadline_s=self.deadline_s
        )
        if reply.problem:
            reason = f"The language model gave no usable judgement: {reply.problem}"
        elif facts := reply.value["facts"]:
            return [_judge_fact(fact, text) for fact in facts]
        else:
            reason = "The language model found no lasting fact."
        return [FactJudgement(False, 1.0, text, "", reason)]


def messages(statement: str, context: str) -> list[ChatMessage]:
    """Return the model's prompt, with marks inside the words removed."""
    parts = [f"<<<STATEMENT\n{_without_marks(statement)}\nSTATEMENT>>>"]
    if context:
        parts.insert(0, f"<<<CONTEXT\n{_without_marks(context)}\nCONTEXT>>>")
    return [{"role": "system", "content": PROMPT}, {"role": "user", "content": "\n".join(parts)}]


def is_stated(fact: str, statement: str) -> bool:
    """Return whether the manager said it: all figures and names, and most of the words."""
    claim, source = read(fact), read(statement)
    if not _figures(claim) <= _figures(source):
        return False
    if not _name_words(claim) <= set(source.words):
        return False
    terms = set(filter(None, claim.tokens.terms)) - _GLUE
    return len(terms.intersection(source.tokens.terms)) >= _SAID * len(terms)


def _judge_fact(fact: dict[str, Any], statement: str) -> FactJudgement:
    confidence, text = fact["confidence"], fact["fact"].strip()
    if not fact["worth_storing"]:
        reason = "The language model would not keep it."
    elif not is_stated(text, statement):
        reason = "The language model's fact says more than the manager did."
    else:
        return FactJudgement(True, confidence, text, fact["target"])
    return FactJudgement(False, confidence, text, "", reason)


def _figures(sentence: ParsedSentence) -> set[tuple[float, float, str]]:
    quantities = {(m.low, m.high, m.unit) for m in sentence.measures}
    return quantities | {
        (float(d.year or 0), float((d.month or 0) * 100 + (d.day or 0)), "date")
        for d in sentence.dates
    }


def _name_words(sentence: ParsedSentence) -> set[str]:
    spans = names(sentence.tokens, 0, len(sentence.tokens))
    words = (word for name in spans for word in sentence.words[name.first : name.last])
    return {word for word in words if word[0].isalpha()}


def _without_marks(words: str) -> str:
    return words.replace("<<<", "<").replace(">>>", ">")
