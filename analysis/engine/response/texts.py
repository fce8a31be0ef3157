"""The product's own texts for end users, in the policy's language."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from analysis.engine.policy.rules import DEFAULT_RULES, PolicyRules
from analysis.engine.policy.settings import Language

_OWN = ("refusal_text", "contradiction_warning", "low_confidence_flag", "withheld_text")


@dataclass(frozen=True, slots=True)
class Texts:
    """The sentences of one language.

    `policy` has the texts that a policy may reword; `partial` takes {scope} and {parts};
    `corrections` takes {quotations}, each between the two `quotes`; `under` takes {heading};
    `left_out` says by reason, after a number, why statements are missing.
    """

    policy: Mapping[str, str]
    any_scope: str
    partial: str
    corrections: str
    under: str
    quotes: str
    left_out: Mapping[str, str]


_GERMAN = Texts(
    policy={
        "refusal_text": "Das weiß ich nicht, gestützt auf {scope}.",
        "contradiction_warning": "[Warnung: Die folgende Aussage widerspricht der Quelle]",
        "low_confidence_flag": "[Nicht bestätigt]",
        "withheld_text": "(Aussage zurückgehalten)",
    },
    any_scope="die vorhandenen Quellen",
    partial="Dies ist nur der durch {scope} gestützte Teil der Antwort. Ausgelassen: {parts}.",
    corrections="In den Quellen steht: {quotations}",
    under="(unter {heading})",
    quotes="„“",
    left_out={
        "contradicted": "von den Quellen widersprochen",
        "conflicting_sources": "in den Quellen uneinheitlich",
        "not_supported": "von den Quellen nicht gestützt",
        "nothing_found": "ohne Fundstelle",
        "not_checked": "nicht geprüft",
        "not_confirmed": "von den Quellen nicht klar gestützt",
        "not_checkable": "nicht prüfbar",
        "inconsistent": "einander widersprechend",
        "dependent": "ohne jene nicht verständlich",
    },
)
_BY_LANGUAGE = {Language.GERMAN: _GERMAN}
"""English is what the policy and the modules of the response say by themselves."""


def in_language(rules: PolicyRules) -> PolicyRules:
    """Return the rules with texts in their language; texts that the policy rewords stay."""
    texts = _BY_LANGUAGE.get(rules.language)
    if texts is None:
        return rules
    as_shipped = [name for name in _OWN if getattr(rules, name) == getattr(DEFAULT_RULES, name)]
    changes: dict[str, Any] = {name: texts.policy[name] for name in as_shipped}
    return replace(rules, **changes)


def texts_of(language: Language) -> Texts | None:
    """Return the sentences of a language, or None for English."""
    return _BY_LANGUAGE.get(language)
