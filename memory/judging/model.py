"""The judge that asks a language model, by a JSON schema.

What comes back is not trusted: it must fit the schema, and every figure, name and most words of a
fact must stand in what the manager said. A model that is down or answers nonsense stores nothing,
and the outcome says why; the rules do not quietly take its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inference.llm import Endpoint, Message, complete_json
from memory.judging.types import COMPANY, USER, Judged
from memory.reading.sentence import Sentence, read
from text.names import names
from text.stems import stem
from text.words import word_set

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


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """A language model at an endpoint, with a deadline in seconds."""

    endpoint: Endpoint
    deadline_s: float

    @property
    def name(self) -> str:
        """The model, as stored with each entry."""
        return f"llm:{self.endpoint.model}"[:160]

    def judge(self, sentences: Sequence[str], context: str) -> Sequence[Judged]:
        """What the model says is worth storing, held against what the manager said."""
        said = " ".join(sentences)
        reply = complete_json(
            self.endpoint, messages(said, context), SCHEMA, deadline_s=self.deadline_s
        )
        if reply.problem:
            reason = f"The language model gave no usable judgement: {reply.problem}"
            return [Judged(False, 1.0, said, "", reason)]
        facts = reply.value["facts"]
        if not facts:
            return [Judged(False, 1.0, said, "", "The language model found no lasting fact.")]
        return [_held_against(fact, said) for fact in facts]


def messages(said: str, context: str) -> list[Message]:
    """What the model is asked. Marks inside the words themselves are taken out."""
    parts = [f"<<<STATEMENT\n{_unmarked(said)}\nSTATEMENT>>>"]
    if context:
        parts.insert(0, f"<<<CONTEXT\n{_unmarked(context)}\nCONTEXT>>>")
    return [
        {"role": "system", "content": PROMPT},
        {"role": "user", "content": "\n".join(parts)},
    ]


def stated(fact: str, said: str) -> bool:
    """Whether the manager said it: all figures and names, and most of the words."""
    told, source = read(fact), read(said)
    if not _figures(told) <= _figures(source):
        return False
    spoken = set(source.words)
    if any(word not in spoken for word in _name_words(told)):
        return False
    terms = {term for term in told.tokens.terms if term} - _GLUE
    heard = {term for term in source.tokens.terms if term}
    return not terms or len(terms & heard) >= _SAID * len(terms)


def _held_against(fact: dict[str, Any], said: str) -> Judged:
    judged = Judged(fact["worth_storing"], fact["confidence"], fact["fact"].strip(), fact["target"])
    if not judged.worth_storing:
        return Judged(
            False, judged.confidence, judged.fact, "", "The language model would not keep it."
        )
    if not stated(judged.fact, said):
        reason = "The language model's fact says more than the manager did."
        return Judged(False, judged.confidence, judged.fact, "", reason)
    return judged


def _figures(sentence: Sentence) -> set[tuple[float, float, str]]:
    found = {(m.low, m.high, m.unit) for m in sentence.measures}
    return found | {
        (float(d.year or 0), float((d.month or 0) * 100 + (d.day or 0)), "date")
        for d in sentence.dates
    }


def _name_words(sentence: Sentence) -> list[str]:
    found = names(sentence.tokens, 0, len(sentence.tokens))
    words = (sentence.words[at] for name in found for at in range(name.first, name.last))
    return [word for word in words if word[0].isalpha()]


def _unmarked(words: str) -> str:
    return words.replace("<<<", "<").replace(">>>", ">")
