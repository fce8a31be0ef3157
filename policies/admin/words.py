"""Every setting of a policy in plain words: what the form asks and the version's page shows."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting; `path` leads to it in the rules document."""

    path: str
    label: str
    help: str


@dataclass(frozen=True, slots=True)
class Group:
    """Settings that belong together."""

    title: str
    settings: tuple[Setting, ...]


def _group(title: str, *settings: tuple[str, str, str]) -> Group:
    return Group(title, tuple(Setting(*setting) for setting in settings))


_SCORE = "Points from 0 to 100."
_SHARE = "A share from 0 to 1."
GROUPS: tuple[Group, ...] = (
    _group(
        "Risk score",
        ("warn_at", "Warn from", f"{_SCORE} From this risk score on the action is at least WARN."),
        ("block_at", "Block from", f"{_SCORE} From this risk score on the action is BLOCK."),
        ("weights.internal_contradiction", "Points for a contradiction within the answer",
         "Added where the answer says two things that cannot both be true."),
        ("weights.rag_contradiction", "Points for a contradicted claim",
         "Added where a source says otherwise."),
        ("weights.rag_unverified", "Points for an unverified claim",
         "Added where a claim is not supported by the sources."),
        ("weights.overconfidence", "Points for overconfidence",
         "Added where the wording is surer than the evidence."),
    ),
    _group(
        "What the verdicts on claims ask for",
        ("verdicts.contradictory", "A claim contradicts the sources",
         "The least severe action that follows."),
        ("verdicts.contradictory_high_confidence", "… with high confidence",
         "The same, where the contradiction reaches the threshold “sure from”."),
        ("verdicts.low_confidence", "Some claims are not supported",
         "Others are; the answer is right in part."),
        ("verdicts.no_claim_supported", "No claim is supported",
         "Sources were given or searched, and none of the claims rests on them."),
        ("verdicts.no_sources", "There are no sources",
         "None were given and none were to be searched, so nothing could be verified."),
        ("verdicts.conflicting_sources", "The sources disagree",
         "One source supports a claim and another contradicts it."),
        ("verdicts.citation_mismatch", "A citation does not support its claim",
         "The cited source exists, and what the answer says of it does not stand there."),
        ("verdicts.unsupported_language", "A text is not in English",
         "The models that judge were made for English; their verdict may be wrong."),
        ("trust_flagged", "Trust passages that the injection scan flags",
         "They count as evidence like all others, and no scan is made."),
        ("verdicts.flagged_passages", "Sources hold instructions to a model",
         "The injection scan flags a passage; it supports nothing."),
    ),
    _group(
        "Safety checks: what a failed one asks for",
        ("safety.searched", "Retrieval from the collections",
         "Too little was found, or nothing that speaks of the question."),
        ("safety.given", "Relevance of the client’s own sources",
         "They share little with the question; the client chose them, so this is a hint only."),
        ("safety.citations", "Citations", "One names nothing, or required ones are missing."),
        ("safety.grounding", "Grounding",
         "Too few claims are supported, or one is contradicted or fabricated."),
    ),
    _group(
        "Safety checks: thresholds",
        ("safety.thresholds.min_retrieval_confidence", "Mean confidence of the passages",
         f"{_SHARE} Less is a search that failed."),
        ("safety.thresholds.min_similarity_score", "Similarity of the best passage", _SHARE),
        ("safety.thresholds.min_rerank_score", "Rerank score of the best passage",
         f"{_SHARE} Used only where a reranker ran."),
        ("safety.thresholds.min_chunks_required", "Passages needed", "How many at least."),
        ("safety.thresholds.min_total_context_length", "Characters needed",
         "How long the passages are together at least; not asked of the client’s own sources."),
        ("safety.thresholds.max_topic_mismatch_score", "Another topic below",
         f"{_SHARE} A best similarity below this is off topic."),
        ("safety.thresholds.require_citations", "Require citations",
         "Of every answer; otherwise only those that are there are checked."),
        ("safety.thresholds.min_citation_coverage", "Sentences with a citation",
         f"{_SHARE} Asked where citations are required."),
        ("safety.thresholds.min_grounding_score", "Supported claims", f"{_SHARE} Less fails."),
    ),
    _group(
        "What could not be checked",
        ("required_signals", "Signals that must have run",
         "One that did not run to its end asks for the action below. An error always does."),
        ("not_checked.unavailable", "A required signal could not run",
         "A model was missing, or it took too long."),
        ("not_checked.truncated", "A required signal saw only a part", "The text was too long."),
        ("not_checked.error", "A signal failed", "It may never end in ALLOW."),
    ),
    _group(
        "What comes onto the review desk",
        ("review.blocked", "Blocked answers", "Each is reviewed by a person."),
        ("review.warned", "Answers with a warning",
         "Each is reviewed. What could not be fully checked and the quality sample always are."),
    ),
    _group(
        "When a claim is supported or contradicted",
        ("aggregator", "Who decides on a claim",
         "The table of rules, or the trained fusion of all signals."),
        ("support_at", "Supported from (by words)",
         f"{_SHARE} Where no model of entailment read the claim."),
        ("contradict_at", "Contradicted from (by words)", _SHARE),
        ("high_confidence_at", "High confidence from",
         f"{_SHARE} From here on a contradiction counts as certain."),
        ("found_at", "Found from", f"{_SHARE} Fewer of its words in a passage: nothing was found."),
        ("model.support_at", "Supported from (by the model)", f"{_SHARE} Its score of entailment."),
        ("model.contradict_at", "Contradicted from (by the model)", _SHARE),
        ("model.suspect_at", "Suspected from (by the model)",
         f"{_SHARE} Enough against a claim where words show a conflict too."),
        ("model.doubt_at", "Doubted from (by the model)",
         f"{_SHARE} How sure it must be that a word is not supported."),
        ("score.warn_above", "Warn above a score of",
         f"{_SHARE} The chance that the whole answer is not fully supported; 1: never."),
        ("score.block_above", "Block above a score of", f"{_SHARE} 1: never."),
        ("fusion_at", "Not supported from (by the fusion)", f"{_SHARE} The fused chance."),
        (
            "unsupported_at",
            "Not supported from (by the judge)",
            f"{_SHARE} The probability that the sources do not support a claim.",
        ),
        (
            "unsupported_sure_at",
            "Surely not supported from",
            f"{_SHARE} An answer without a supported claim is blocked where all claims reach it.",
        ),
        ("band_high", "High confidence from", f"{_SHARE} The band that is shown."),
        ("band_medium", "Medium confidence from", _SHARE),
    ),
    _group(
        "Agreement of the model with itself",
        ("draw_samples", "Further answers to ask for",
         "From the configured generator, for each check that comes without any; 0 asks for none."),
        ("steady_at", "Steady from",
         f"{_SHARE} Support below this does not hold where the model is unsure of itself."),
        ("inconsistent_at", "Disagreement from", f"{_SHARE} From here on the samples disagree."),
        ("uncertain_at", "Entropy from", "In nats; from here on the tokens were uncertain."),
    ),
    _group(
        "Collections",
        ("overrides", "Overrides for collections",
         "In YAML, a list of: name, collections, and the rules that differ for a check that "
         "searches exactly these. Empty: none."),
    ),
    _group(
        "What is shown instead",
        ("refusal_text", "Refusal", "In place of a blocked answer; {scope} is what was searched."),
        ("refusal_scope", "Scope in the refusal",
         "In place of the class and subject of the searched collections."),
        ("partial_answers", "Partial answers",
         "Show the supported sentences of a blocked answer instead of the refusal."),
        ("mitigation.contradictory", "A contradicted claim", "What becomes of it in the text."),
        ("mitigation.low_confidence", "An unverified claim", "What becomes of it in the text."),
        ("mitigation.cite_supported", "Cite supported claims", "Put a citation behind each."),
        ("contradiction_warning", "Warning", "Stands before or in place of a contradicted claim."),
        ("low_confidence_flag", "Flag", "Stands behind an unverified claim."),
        ("withheld_text", "Words in place of a claim", "Follow the warning or the flag."),
    ),
)  # fmt: skip
SETTINGS = {setting.path: setting for group in GROUPS for setting in group.settings}
