"""The engine's English messages, translated for the reader.

A record keeps the engine's words, so that a replay gives the same again. Pages translate them when
shown: the message is parsed into its template and values (`lib.text.messages`), and the template is
looked up in the catalogue. Text that fits no template, such as a quotation, stays as it is.
"""

import re
from collections.abc import Mapping
from functools import cache

from django.utils.formats import get_format
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_noop as _

from lib.text.messages import Templates, fill

REASONS: Mapping[str, tuple[str, ...]] = {
    "contradicted_claim": (_("{n} of {total} claims contradict the sources"),),
    "contradicted_claim_high_confidence": (_("{n} of {total} claims contradict the sources"),),
    "no_sources": (
        _("No sources were given, so no claim could be verified"),
        _("No sources were given, so nothing in the answer could be verified"),
    ),
    "conflicting_sources": (_("The sources disagree about {n} of {total} claims"),),
    "no_claim_supported": (
        _("The sources support none of the claims: {parts}"),
        _("No sources were found"),
    ),
    "low_confidence_claims": (_("Of {total} claims: {parts}"),),
    "claims_not_confirmed": (_("The sources do not clearly support {n} of {total} claims"),),
    "injection": (
        _("Passages that read like instructions to a model do not count as support ({names})"),
    ),
    "citation_mismatch": (_("The cited sources do not support {n} of {total} claims"),),
    "unsupported_language": (
        _("The check is made for English, but the texts are also in {names}"),
    ),
    "unknown_names": (_("A tool call has names that no message and no source has: {names}"),),
    "unread_text": (_("No source says anything of “{words}”"),),
    "nothing_verified": (_("The answer makes no claim that can be compared with the sources"),),
    "risk_score": (
        _("Risk score {n}; the policy blocks at {limit}"),
        _("Risk score {n}; the policy warns at {limit}"),
    ),
    "hallucination_score": (
        _("The probability that the answer is not fully supported is {n}, above {limit}"),
    ),
    "application_caution": (
        _("Conflicting limits are shown side by side."),
        _("A source that was asked could not be used for this answer."),
        _("No limit was found in the documents."),
    ),
    "held": (
        _("Risk score {n}; the policy holds answers from {limit}"),
        _("The policy holds answers about “{words}”"),
    ),
    "all_supported": (_("Every claim is supported by the sources"),),
    "nothing_to_check": (_("The answer makes no claim that can be checked"),),
}
"""By the code of a reason."""
NOT_CHECKED = (_("Not checked: {signal} ({status}: {reason})"),)
SAFETY = (
    _("1 check failed: {parts}."),
    _("{n} checks failed: {parts}."),
    _("Nothing was found"),
    _("The relevance of the sources was not measured"),
    _("Best confidence {n} of {passages}"),
    _("Best confidence {n} of {passages} ({basis})"),
    _("Best confidence {n} of {passages}, at least {least} required"),
    _("Best confidence {n} of {passages} ({basis}), at least {least} required"),
    _("best similarity {n}, at least {least} required"),
    _("best rerank score {n}, at least {least} required"),
    _("by retrieval scores"),
    _("by the claims that they support"),
    _("the share of the question's words found in the sources"),
    _("1 passage"),
    _("{n} passages"),
    _("1 character"),
    _("{n} characters"),
    _("at least {least} and {limit} required"),
    _("at least {least} required"),
    _("The question is outside {scope}"),
    _("Nothing in the searched collections is related to the question"),
    _("The similarity of the passages was not measured"),
    _("Best similarity {n}"),
    _("Best similarity {n} ({basis})"),
    _("Best similarity {n}, at least {least} required"),
    _("Best similarity {n} ({basis}), at least {least} required"),
    _("Citations are not required, and the answer has none"),
    _("{n} of 1 sentence cited"),
    _("{n} of {total} sentences cited"),
    _("{numbers} names no source"),
    _("{numbers} name no source"),
    _("The answer makes no claim that can be checked"),
    _("{n} of 1 claim supported"),
    _("{n} of {total} claims supported"),
    _("{n} contradicted"),
    _("{n} contradicted, {made_up} with details found in no source"),
    _("No sources were given or searched, or their relevance could not be measured"),
    _("No question was given to compare the passages with"),
    _("There is no answer to check"),
    _("There is no context that could support an answer"),
    _("No safety check applies: {reason}."),
    _("Accepted: 1 check passed."),
    _("Accepted: {n} checks passed."),
)
CLAIMS = (_("Supported"), _("Contradicted"), _("Not confirmed"))
OUTCOMES = (
    _("{n} contradicted by the sources"),
    _("{n} on which the sources disagree"),
    _("{n} not supported by the sources"),
    _("{n} not covered by the sources"),
    _("{n} not checked"),
    _("{n} not clearly supported by the sources"),
    _("{n} with nothing to check"),
    _("{n} supported by the sources"),
)
RISK = (
    _("{level} RISK: {parts}"),
    _("Empty response"),
    _("No issues detected"),
    _("Response contains internal contradictions"),
    _("Contradicts retrieved information"),
    _("Response contains unverified factual claims"),
    _("Overconfidence detected"),
    _("Overconfidence detected: {reason}"),
    _("High confidence without evidence"),
    _("Not checked: {reason}"),
)
CONFLICTS = (
    _("the source only mentions a plan"),
    _("the source says it about more than one"),
    _("the source says it about some only"),
    _("“{words}”: {reason}"),
    _("negated in the source"),
    _("negated in the claim but not in the source"),
    _("the source says “{words}”"),
    _("the source says “{words}” about “{name}”"),
    _("the source says it about “{name}”"),
    _("the source says it about “{names}”, not about “{name}”"),
    _("not stated in the source"),
    _("follows from the source: {sum}"),
    _("it differs from what the source gives: {sum}"),
    _("a count of what the source gives the price of"),
    _("the record does not list {day} as closed"),
    _("the record lists no opening hours for {day}"),
    _("the record lists different hours for {day}"),
    _("the record lists these hours for no day"),
    _("“{words}” in the record"),
    _("the claim denies it"),
    _("the source denies it"),
    _("the claim only reports what others say"),
    _("the source only reports what others say"),
    _("the source says it about the present"),
    _("the source says it about the past"),
    _("the source states it outright"),
    _("the source requires it"),
    _("the source has it the other way round"),
    _("the source affirms it"),
    _("it is in none of the sources"),
    _("{kind}: {reason}"),
)
FINDINGS = (
    _("High confidence language detected"),
    _("High confidence language detected: “{words}”"),
    _("Specific figures in a sensitive domain ({domain}: {words})"),
    _("{why}: “{words}” against “{others}”"),
    _("Different figures"),
    _("Figures an order of magnitude apart"),
    _("Opposite statements"),
    _("The end ({late}) comes before the beginning ({early})"),
    _("The same event is dated {early} and {late}"),
    _("The answer says both yes and no"),
)
STATES = (
    _("The claims could not be extracted"),
    _("1 line of code was not checked"),
    _("{n} lines of code were not checked"),
    _("{n} claims beyond the first {limit} were not checked"),
    _("{n} claims were not checked within {limit} s of work or the first {most} claims"),
    _("{n} claims were compared with only part of the sources"),
    _("{n} sentences were not read within {limit} s"),
    _("{n} sentences were too long to be read in full"),
    _("{model} decided {n} of {total}"),
    _("{model} did not decide: {reason} ({n})"),
    _("It quoted nothing that stands in the sources"),
    _("No time was left for it"),
    _("Today's budget of tokens is used up"),
    _("Too few models answered"),
    _("Not answered within {n} s"),
    _("No language model judged the claims: {reason}."),
    _("The answer cites nothing"),
    _("No sources were given that could be cited"),
    _("The citations of {n} claims were not compared"),
    _("{n} of {total} samples were not compared"),
    _("the distance of more than {n} sentences was not measured"),
    _("the distance was not measured: {reason}"),
    _("No sources were given"),
    _("see the status of grounding"),
    _("No judge is configured; the rules decide"),
    _("No token log-probabilities were given"),
    _("No other samples of the answer were given or requested"),
    _("No question was given"),
    _("{error} in {signal}"),
    _("The tokens do not add up to the answer"),
    _("The tokens do not add up to the answer: they differ at byte {n}"),
    _("Log-probabilities in an unexpected format: {error}"),
    _("Judged by {model}"),
    _("Stopped after {n} seconds"),
    _("Stopped after {n} seconds of work"),
    _("The policy asks for samples, but no generator is configured (LLM_URL, LLM_MODEL)"),
    _("The policy asks for samples, but there is no question to ask again"),
    _("No sample could be drawn: {error}"),
    _("{n} of {total} samples were not drawn: {error}"),
    _("samples were drawn without the last {n} characters of the sources"),
    _("The embedding model is missing."),
    _("There is no collection {names}."),
    _("Searched for the first {n} of {total} sentences."),
    _("{signal} ({reason})"),
)
QUESTIONS = (
    _("The answer was not refused because of what the search found."),
    _("No collections were searched."),
    _("No similar question was found that the collections can answer."),
    _("There was no time to look for more."),
    _("The search for other questions failed with {error}."),
)
ASSISTANT = (
    _("No language model was used: these are the closest sentences of the sources, word for word."),
    _("No language model was used."),
    _("Today's budget for language models is used up."),
    _("The language model cited none of the sources, so its text was left out."),
    _("The language models did not agree on an answer."),
    _("No document says so; it was told and remembered."),
    _("I am not sure that the documents answer this. The closest passages are:"),
    _("The answer could not be checked, so it is not shown. A reviewer has been notified."),
    _("The documents could not be used for this answer: {reason}"),
    _("The weather service could not be used for this answer: {reason}"),
    _("What is remembered could not be used for this answer: {reason}"),
    _("The language model {model} did not answer: {reason}."),
    _("It did not answer in time."),
    _("A model is missing: {error}"),
    _("Left out, because it reads like an instruction to an assistant: {name}."),
    _("Left out of what the model wrote: {n} parts that cite no source."),
    _("I cannot find this in the uploaded documents: “{question}”"),
    _("I took this as: “{question}”"),
    _("I cannot find this in the uploaded documents."),
    _("I already remember that."),
    _("I have not stored this."),
    _("Also in the documents:"),
    _("From the weather service:"),
    _("{asked} (in your question) is more than {stated}."),
    _("{asked} (in your question) is less than {stated}."),
    _("{asked} (in your question) is equal to {stated}."),
    _("{asked} ([{n}]) is more than {stated}."),
    _("{asked} ([{n}]) is less than {stated}."),
    _("{asked} ([{n}]) is equal to {stated}."),
    _("Hello. Ask me about your documents, the weather or what you told me."),
    _("You're welcome."),
    _("Goodbye."),
    _(
        "I answer from the uploaded documents, the weather service and what you told me, and name "
        "the source of each sentence. Ask for a limit, a permission, a place or a time, for "
        "example: “At what wind does the crane stop?” Tell me a fact about your site, and I "
        "remember it."
    ),
    _(
        "I understand English only: questions, documents and the check of answers are made for "
        "it. So I have searched and remembered nothing. Please write in English, for example: “At "
        "what wind does the crane stop?”"
    ),
    _("Left out: {n} sentences that fewer than {limit} models agree on."),
)
"""Notes below an answer of the assistant, which are stored with it, and its courtesies."""
WORDS = {
    "status": {
        "ok": _("completed"),
        "not_applicable": _("does not apply"),
        "unavailable": _("not available"),
        "truncated": _("cut short"),
        "error": _("failed"),
    },
    "kind": {
        "negation": _("negation"),
        "antonym": _("antonym"),
        "number": _("number"),
        "date": _("date"),
        "name": _("name"),
        "field": _("field"),
        "frame": _("frame"),
    },
    "domain": {"medical": _("medical"), "legal": _("legal"), "financial": _("financial")},
    "signal": {
        "claims": _("Reading the claims"),
        "overconfidence": _("Overconfident wording"),
        "internal_contradiction": _("Contradictions within the answer"),
        "grounding": _("Comparison with the sources"),
        "judge": _("Reading of all sources by the judge"),
        "retrieval": _("Search in the collections"),
        "consistency": _("Agreement with other samples"),
        "uncertainty": _("The answering model’s own uncertainty"),
        "citations": _("Citations"),
        "relevance": _("Relevance to the question"),
    },
    "rejection": {
        "low_confidence": _("Passages that fit poorly"),
        "insufficient_context": _("Too little found"),
        "missing_citations": _("Missing citations"),
        "invalid_citations": _("Invalid citations"),
        "off_topic": _("Off topic"),
        "low_grounding": _("Too few claims supported"),
        "hallucination_detected": _("Contradicted or made-up claims"),
        "multiple_issues": _("Several safety checks failed"),
    },
}
"""Names of the engine in words, by kind: values of templates, and labels on pages."""
ALL = (
    *(template for templates in REASONS.values() for template in templates),
    *(*NOT_CHECKED, *SAFETY, *CLAIMS, *OUTCOMES, *RISK, *CONFLICTS, *FINDINGS, *STATES, *QUESTIONS),
    *ASSISTANT,
)
NESTED = frozenset(("parts", "reason", "passages", "basis", "why"))
"""Values that are messages themselves; all others are figures, names and quotations."""
_FIGURES = frozenset(("n", "total", "limit", "least", "most", "made_up"))
_SHAPES = {
    **dict.fromkeys(_FIGURES, r"[\d.,]+%?"),
    "model": r"[^;]+",  # one message: several stand between semicolons
    **{name: "|".join(words) for name, words in WORDS.items()},
}
_JOINTS = ("; ", ". ", ", ")


_IDS = re.compile(r" \((?:c_\d+(?:, )?)+\)")
_LEVEL = re.compile(r"^[A-Z]+ RISK(?=:)")


def in_words(text: str, code: str = "") -> str:
    """Return the message in the reader's language, without the ids of claims.

    `code` names the reason it belongs to.
    """
    text = _IDS.sub("", text)
    if (get_language() or "en").startswith("en"):
        return _LEVEL.sub(lambda level: level[0].capitalize(), text)
    return translation(text, code) or text


def translation(text: str, code: str = "") -> str | None:
    """Return the message in the active language, or None if a part of it fits no template."""
    message = _templates(code).read(text)
    if message is None:
        return _joined(text)
    values = {name: _value(name, value) for name, value in message.values.items()}
    return fill(gettext(message.template), values)


def name_in_words(kind: str, name: str) -> str:
    """Return the label of a stored name such as the signal `judge`, or the name itself."""
    return gettext(WORDS[kind].get(name) or name.replace("_", " ").capitalize())


def _joined(text: str) -> str | None:
    """Translate several joined messages; None if one of them fits no template."""
    for joint in _JOINTS:
        if joint in text:
            parts = [translation(part) for part in text.split(joint)]
            if all(parts):
                return joint.join(part for part in parts if part)
    return None


def _value(name: str, value: str) -> str:
    if name in NESTED:
        return translation(value) or translation(value[:1].upper() + value[1:]) or value
    if name in WORDS:
        return gettext(WORDS[name][value]) if value in WORDS[name] else value
    if name not in _FIGURES:
        return value
    # "1,234.5" gets the separators of the reader's language.
    separators = {",": get_format("THOUSAND_SEPARATOR"), ".": get_format("DECIMAL_SEPARATOR")}
    return value.translate(str.maketrans(separators))


@cache
def _templates(code: str) -> Templates:
    templates = REASONS.get(code, ALL)
    if code.startswith("safety_"):
        templates = SAFETY
    elif code.startswith("not_checked_"):
        templates = NOT_CHECKED
    return Templates.of(templates, _SHAPES)
