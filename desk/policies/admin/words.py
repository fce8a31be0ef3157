"""Labels and explanations of every policy setting, for the form and the version's page."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from analysis.engine.types import AnswerKind
from desk.policies.advice.report import KINDS


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting; `path` is its place in the rules document."""

    path: str
    label: str | Promise
    help: str | Promise


@dataclass(frozen=True, slots=True)
class SettingGroup:
    """A group of related settings."""

    title: str | Promise
    settings: tuple[Setting, ...]


def _group(title: Promise, *settings: tuple[str, Promise, Promise]) -> SettingGroup:
    return SettingGroup(title, tuple(Setting(*setting) for setting in settings))


GROUPS: tuple[SettingGroup, ...] = (
    _group(
        _("Risk score"),
        ("warn_at", _("Warn from"),
         _("Points from 0 to 100. From this risk score, the action is at least WARN.")),
        ("block_at", _("Block from"),
         _("Points from 0 to 100. From this risk score, the action is BLOCK.")),
        ("weights.internal_contradiction", _("Points for a contradiction within the answer"),
         _("Added if the answer says two things that cannot both be true.")),
        ("weights.rag_contradiction", _("Points for a contradicted claim"),
         _("Added if a source says otherwise.")),
        ("weights.rag_unverified", _("Points for a claim that is not confirmed"),
         _("Added if a claim is not supported by the sources.")),
        ("weights.overconfidence", _("Points for overconfidence"),
         _("Added if the wording is more certain than the evidence.")),
    ),
    _group(
        _("What each finding leads to"),
        ("verdicts.contradictory", _("A claim contradicts the sources"),
         _("The action is at least this one.")),
        ("verdicts.contradictory_high_confidence", _("A claim clearly contradicts the sources"),
         _("Applies if the contradiction is at least as probable as “Clear "
           "contradiction from”.")),
        ("verdicts.not_confirmed", _("Some claims are not clearly supported"),
         _("The sources more likely do not support them, below the limit that counts as "
           "not supported.")),
        ("verdicts.low_confidence", _("Some claims are not supported"),
         _("At least one other claim is supported.")),
        ("verdicts.no_claim_supported", _("No claim is supported"),
         _("There were sources, and they support none of the claims.")),
        ("verdicts.no_sources", _("There are no sources"),
         _("None were sent and no collection was named, so nothing could be verified.")),
        ("verdicts.conflicting_sources", _("The sources disagree"),
         _("One source supports a claim and another contradicts it.")),
        ("verdicts.citation_mismatch", _("A citation does not support its claim"),
         _("The cited source exists, but does not say what the answer claims.")),
        ("verdicts.unsupported_language", _("A text is not in English"),
         _("The models that judge were made for English; their verdict may be wrong.")),
        ("verdicts.unknown_names", _("A tool call has unknown names"),
         _("An identifier, address, path or function that no message and no source has.")),
        ("trust_flagged", _("Trust passages with instructions to a model"),
         _("Such passages then count as evidence like all others; sources are "
           "not scanned for them.")),
        ("verdicts.flagged_passages", _("Sources contain instructions to a model"),
         _("A passage reads like a command to a model. It is not used as evidence.")),
    ),
    _group(
        _("Safety checks: actions"),
        ("safety.retrieval", _("Retrieval from the collections"),
         _("Too little was found, or nothing about the question.")),
        ("safety.sources", _("Relevance of the client’s own sources"),
         _("They share little with the question; the client chose them, so this is a hint only.")),
        ("safety.citations", _("Citations"),
         _("One refers to nothing, or required ones are missing.")),
        ("safety.grounding", _("Support of the claims"),
         _("Too few claims are supported, or one is contradicted or fabricated.")),
    ),
    _group(
        _("Safety checks: thresholds"),
        ("safety.thresholds.min_retrieval_confidence", _("Confidence in the best passage"),
         _("From 0 to 1. Below this, the search counts as failed.")),
        ("safety.thresholds.min_similarity_score", _("Similarity of the best passage"),
         _("From 0 to 1.")),
        ("safety.thresholds.min_rerank_score", _("Rerank score of the best passage"),
         _("From 0 to 1. Used only if a reranker is configured.")),
        ("safety.thresholds.min_chunks_required", _("Passages needed"), _("The minimum number.")),
        ("safety.thresholds.min_total_context_length", _("Characters needed"),
         _(
             "The minimum length of all passages together; does not apply to the client’s own "
             "sources."
         )),
        ("safety.thresholds.max_topic_mismatch_score", _("Off topic below"),
         _("From 0 to 1. If the most similar passage is below this, the question "
           "is off topic.")),
        ("safety.thresholds.require_citations", _("Require citations"),
         _("In every answer; otherwise only existing citations are checked.")),
        ("safety.thresholds.min_citation_coverage", _("Sentences with a citation"),
         _("Share from 0 to 1. Applies if citations are required.")),
        ("safety.thresholds.min_grounding_score", _("Supported claims"),
         _("Share from 0 to 1. Below this, the check fails.")),
    ),
    _group(
        _("What could not be checked"),
        ("required_signals", _("Required signals"),
         _("If one does not finish, the action below applies. It always applies to an error.")),
        ("not_checked.unavailable", _("A required signal could not run"),
         _("A model was missing, or it took too long.")),
        ("not_checked.truncated", _("A required signal was truncated"),
         _("The text was too long.")),
        ("not_checked.error", _("A signal failed"), _("This can never be ALLOW.")),
    ),
    _group(
        _(
            "What goes to the review "
            "desk"
        ),
        ("review.blocked", _("Blocked answers"), _("Each is reviewed by a person.")),
        ("review.warned", _("Answers with a warning"),
         _("Each is reviewed. Answers that were not fully checked, and the quality sample, "
           "always are.")),
        ("review.opinion_first", _("The verdict after a first opinion"),
         _("The review screen shows an item without its verdict, until the reviewer has said "
           "whether they would show the answer.")),
    ),
    _group(
        _("Answers that a person approves before they are shown"),
        ("hold.risk_at", _("Hold from"),
         _("Points from 0 to 101. From this risk score, an answer is held: with 0 all are, "
           "with 101 none.")),
        ("hold.words", _("Hold answers about"),
         _("Words, separated by commas. An answer with a claim that has one of them is held.")),
        ("hold.hours", _("Desk hours until a held answer is due"),
         _("The client is told when that is.")),
        ("hold.on_expiry", _("A held answer that nobody decided in time"),
         _("Refused, or released as this policy shows it without the hold.")),
        ("hold.four_eyes", _("A second person approves it too"),
         _("The answer is shown once both have approved the same text.")),
        ("waiting_text", _("Text while an answer is held"), _("It stands in place of the answer.")),
    ),
    _group(
        _("When a claim is supported or contradicted"),
        ("support_at", _("Supported from (by words)"),
         _("From 0 to 1. Used if no model read the claim.")),
        ("contradict_at", _("Contradicted from (by words)"), _("From 0 to 1.")),
        ("high_confidence_at", _("Clear contradiction from"),
         _("Probability from 0 to 1. From here, a contradiction counts as clear.")),
        ("found_at", _("Related passage from"),
         _("Share of the claim’s words, from 0 to 1. If no passage has that "
           "many, nothing was found about it.")),
        ("doubt_at", _("Doubtful word from (by the model)"),
         _("Probability from 0 to 1 that a word is not supported. Such words are "
           "marked.")),
        ("score.warn_above", _("Warn above a probability of"),
         _("From 0 to 1: the probability that the answer as a whole is not fully "
           "supported. 1 switches this off.")),
        ("score.block_above", _("Block above a probability of"),
         _("The same probability. 1 switches this off.")),
        (
            "unsupported_at",
            _("Not supported from (by the judge)"),
            _("Probability from 0 to 1 that the sources do not support a claim, by "
           "the model that reads all sources."),
        ),
        (
            "unsupported_sure_at",
            _("Clearly not supported from"),
            _("Probability from 0 to 1. An answer without a supported claim is "
           "blocked if all its claims reach this."),
        ),
        ("band_high", _("Shown as high confidence from"),
         _("Probability from 0 to 1. Below this, a claim is called “probably "
           "supported”.")),
        ("band_medium", _("Shown as medium confidence from"),
         _("Probability from 0 to 1. Below this, support is called uncertain.")),
    ),
    _group(
        _("Limit for “not supported”, by kind of answer"),
        *(
            (f"by_kind.{kind}",
             format_lazy("{}: {}", _("Not supported from (by the judge)"), KINDS[kind]),
             _("Probability from 0 to 1. With 0 the limit of all kinds counts."))
            for kind in AnswerKind
        ),
    ),
    _group(
        _("Consistency of the model that answered"),
        ("draw_samples", _("Further answers to request"),
         _("The configured generator is asked the same question again for each "
           "check that has none. 0 requests none.")),
        ("steady_at", _("Support needed if the model was unsure"),
         _("From 0 to 1. If the model was unsure of its words, support below "
           "this does not count.")),
        ("inconsistent_at", _("Answers disagree from"),
         _("From 0 to 1. From here, the further answers count as disagreeing "
           "with the claim.")),
        ("uncertain_at", _("Model unsure from (entropy)"),
         _("Mean entropy of its words, in nats. From here, the model counts as unsure.")),
    ),
    _group(
        _("Collections"),
        ("overrides", _("Overrides for collections"),
         _("A list in YAML. Each entry has a name, its collections, and the "
           "rules that differ for a check that searches exactly those. Leave it "
           "empty for none.")),
    ),
    _group(
        _("What is shown instead of the answer"),
        ("observe", _("Only observe"),
         _("Record the verdicts, and show every answer as it stands.")),
        ("language", _("Language"),
         _("Language of the default texts below, and of the note on what was left out.")),
        ("refusal_text", _("Refusal"),
         _("Replaces a blocked answer; {scope} is what was searched.")),
        ("refusal_scope", _("Scope in the refusal"),
         _("Replaces the class and subject of the searched collections.")),
        ("partial_answers", _("Partial answers"),
         _("Show the supported sentences of a blocked answer instead of the refusal.")),
        ("mitigation.contradictory", _("A contradicted claim"),
         _("What happens to it in the text.")),
        ("mitigation.low_confidence", _("A claim that is not confirmed"),
         _("What happens to it in the text.")),
        ("mitigation.cite_supported", _("Cite supported claims"), _("Put a citation after each.")),
        ("contradiction_warning", _("Warning"),
         _("Appears before a contradicted claim, or replaces it.")),
        ("low_confidence_flag", _("Flag"), _("Appears after a claim that is not confirmed.")),
        ("withheld_text", _("Replacement of a claim"), _("Appears after the warning or the flag.")),
    ),
)  # fmt: skip
SETTINGS = {setting.path: setting for group in GROUPS for setting in group.settings}
"""By path, in the order of the form."""
