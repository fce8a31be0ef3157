"""Every setting of a policy in plain words: what the form asks and the version's page shows."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting; `path` leads to it in the rules document."""

    path: str
    label: str | Promise
    help: str | Promise


@dataclass(frozen=True, slots=True)
class Group:
    """Settings that belong together."""

    title: str | Promise
    settings: tuple[Setting, ...]


def _group(title: Promise, *settings: tuple[str, Promise, Promise]) -> Group:
    return Group(title, tuple(Setting(*setting) for setting in settings))


GROUPS: tuple[Group, ...] = (
    _group(
        _("Risk score"),
        ("warn_at", _("Warn from"),
         _("Points from 0 to 100. From this risk score on the action is at least WARN.")),
        ("block_at", _("Block from"),
         _("Points from 0 to 100. From this risk score on the action is BLOCK.")),
        ("weights.internal_contradiction", _("Points for a contradiction within the answer"),
         _("Added where the answer says two things that cannot both be true.")),
        ("weights.rag_contradiction", _("Points for a contradicted claim"),
         _("Added where a source says otherwise.")),
        ("weights.rag_unverified", _("Points for an unverified claim"),
         _("Added where a claim is not supported by the sources.")),
        ("weights.overconfidence", _("Points for overconfidence"),
         _("Added where the wording is surer than the evidence.")),
    ),
    _group(
        _("What the verdicts on claims ask for"),
        ("verdicts.contradictory", _("A claim contradicts the sources"),
         _("The least severe action that follows.")),
        ("verdicts.contradictory_high_confidence", _("… with high confidence"),
         _("The same, where the contradiction reaches the threshold “sure from”.")),
        ("verdicts.low_confidence", _("Some claims are not supported"),
         _("Others are; the answer is right in part.")),
        ("verdicts.no_claim_supported", _("No claim is supported"),
         _("Sources were given or searched, and none of the claims rests on them.")),
        ("verdicts.no_sources", _("There are no sources"),
         _("None were given and none were to be searched, so nothing could be verified.")),
        ("verdicts.conflicting_sources", _("The sources disagree"),
         _("One source supports a claim and another contradicts it.")),
        ("verdicts.citation_mismatch", _("A citation does not support its claim"),
         _("The cited source exists, and what the answer says of it does not stand there.")),
        ("verdicts.unsupported_language", _("A text is not in English"),
         _("The models that judge were made for English; their verdict may be wrong.")),
        ("trust_flagged", _("Trust passages that the injection scan flags"),
         _("They count as evidence like all others, and no scan is made.")),
        ("verdicts.flagged_passages", _("Sources hold instructions to a model"),
         _("The injection scan flags a passage; it supports nothing.")),
    ),
    _group(
        _("Safety checks: what a failed one asks for"),
        ("safety.searched", _("Retrieval from the collections"),
         _("Too little was found, or nothing that speaks of the question.")),
        ("safety.given", _("Relevance of the client’s own sources"),
         _("They share little with the question; the client chose them, so this is a hint only.")),
        ("safety.citations", _("Citations"), _("One names nothing, or required ones are missing.")),
        ("safety.grounding", _("Grounding"),
         _("Too few claims are supported, or one is contradicted or fabricated.")),
    ),
    _group(
        _("Safety checks: thresholds"),
        ("safety.thresholds.min_retrieval_confidence", _("Mean confidence of the passages"),
         _("A share from 0 to 1. Less is a search that failed.")),
        ("safety.thresholds.min_similarity_score", _("Similarity of the best passage"),
         _("A share from 0 to 1.")),
        ("safety.thresholds.min_rerank_score", _("Rerank score of the best passage"),
         _("A share from 0 to 1. Used only where a reranker ran.")),
        ("safety.thresholds.min_chunks_required", _("Passages needed"), _("How many at least.")),
        ("safety.thresholds.min_total_context_length", _("Characters needed"),
         _("How long the passages are together at least; not asked of the client’s own sources.")),
        ("safety.thresholds.max_topic_mismatch_score", _("Another topic below"),
         _("A share from 0 to 1. A best similarity below this is off topic.")),
        ("safety.thresholds.require_citations", _("Require citations"),
         _("Of every answer; otherwise only those that are there are checked.")),
        ("safety.thresholds.min_citation_coverage", _("Sentences with a citation"),
         _("A share from 0 to 1. Asked where citations are required.")),
        ("safety.thresholds.min_grounding_score", _("Supported claims"),
         _("A share from 0 to 1. Less fails.")),
    ),
    _group(
        _("What could not be checked"),
        ("required_signals", _("Signals that must have run"),
         _("One that did not run to its end asks for the action below. An error always does.")),
        ("not_checked.unavailable", _("A required signal could not run"),
         _("A model was missing, or it took too long.")),
        ("not_checked.truncated", _("A required signal saw only a part"),
         _("The text was too long.")),
        ("not_checked.error", _("A signal failed"), _("It may never end in ALLOW.")),
    ),
    _group(
        _("What comes onto the review desk"),
        ("review.blocked", _("Blocked answers"), _("Each is reviewed by a person.")),
        ("review.warned", _("Answers with a warning"),
         _("Each is reviewed. What could not be fully checked and the quality sample always are.")),
    ),
    _group(
        _("When a claim is supported or contradicted"),
        ("aggregator", _("Who decides on a claim"),
         _("The table of rules, or the trained fusion of all signals.")),
        ("support_at", _("Supported from (by words)"),
         _("A share from 0 to 1. Where no model of entailment read the claim.")),
        ("contradict_at", _("Contradicted from (by words)"), _("A share from 0 to 1.")),
        ("high_confidence_at", _("High confidence from"),
         _("A share from 0 to 1. From here on a contradiction counts as certain.")),
        ("found_at", _("Found from"),
         _("A share from 0 to 1. Fewer of its words in a passage: nothing was found.")),
        ("model.support_at", _("Supported from (by the model)"),
         _("A share from 0 to 1. Its score of entailment.")),
        ("model.contradict_at", _("Contradicted from (by the model)"), _("A share from 0 to 1.")),
        ("model.suspect_at", _("Suspected from (by the model)"),
         _("A share from 0 to 1. Enough against a claim where words show a conflict too.")),
        ("model.doubt_at", _("Doubted from (by the model)"),
         _("A share from 0 to 1. How sure it must be that a word is not supported.")),
        ("score.warn_above", _("Warn above a score of"),
         _("A share from 0 to 1. The chance that the whole answer is not fully supported; 1: "
           "never.")),
        ("score.block_above", _("Block above a score of"), _("A share from 0 to 1. 1: never.")),
        ("fusion_at", _("Not supported from (by the fusion)"),
         _("A share from 0 to 1. The fused chance.")),
        (
            "unsupported_at",
            _("Not supported from (by the judge)"),
            _("A share from 0 to 1. The probability that the sources do not support a claim."),
        ),
        (
            "unsupported_sure_at",
            _("Surely not supported from"),
            _("A share from 0 to 1. An answer without a supported claim is blocked where all "
              "claims reach it."),
        ),
        ("band_high", _("High confidence from"), _("A share from 0 to 1. The band that is shown.")),
        ("band_medium", _("Medium confidence from"), _("A share from 0 to 1.")),
    ),
    _group(
        _("Agreement of the model with itself"),
        ("draw_samples", _("Further answers to ask for"),
         _("From the configured generator, for each check that comes without any; 0 asks for "
           "none.")),
        ("steady_at", _("Steady from"),
         _("A share from 0 to 1. Support below this does not hold where the model is unsure of "
           "itself.")),
        ("inconsistent_at", _("Disagreement from"),
         _("A share from 0 to 1. From here on the samples disagree.")),
        ("uncertain_at", _("Entropy from"), _("In nats; from here on the tokens were uncertain.")),
    ),
    _group(
        _("Collections"),
        ("overrides", _("Overrides for collections"),
         _("In YAML, a list of: name, collections, and the rules that differ for a check that "
         "searches exactly these. Empty: none.")),
    ),
    _group(
        _("What is shown instead"),
        ("language", _("Language"),
         _("Of the texts below, as long as they are the shipped ones, and of what is left out.")),
        ("refusal_text", _("Refusal"),
         _("In place of a blocked answer; {scope} is what was searched.")),
        ("refusal_scope", _("Scope in the refusal"),
         _("In place of the class and subject of the searched collections.")),
        ("partial_answers", _("Partial answers"),
         _("Show the supported sentences of a blocked answer instead of the refusal.")),
        ("mitigation.contradictory", _("A contradicted claim"),
         _("What becomes of it in the text.")),
        ("mitigation.low_confidence", _("An unverified claim"),
         _("What becomes of it in the text.")),
        ("mitigation.cite_supported", _("Cite supported claims"), _("Put a citation behind each.")),
        ("contradiction_warning", _("Warning"),
         _("Stands before or in place of a contradicted claim.")),
        ("low_confidence_flag", _("Flag"), _("Stands behind an unverified claim.")),
        ("withheld_text", _("Words in place of a claim"), _("Follow the warning or the flag.")),
    ),
)  # fmt: skip
SETTINGS = {setting.path: setting for group in GROUPS for setting in group.settings}
