"""The example payloads of the verifier API, as they stand there."""

QUERY = {
    "id": "q_20250201_001",
    "text": "Who founded the FEVER dataset project?",
    "timestamp": "2025-02-01T10:10:10Z",
}
EVIDENCE_CHUNK = {
    "doc_id": "enwiki_12345",
    "sent_id": 17,
    "text": "The FEVER dataset was introduced in 2018 by...",
    "char_start": 210,
    "char_end": 265,
    "score_bm25": 7.43,
    "score_dense": 0.62,
    "score_hybrid": 0.69,
    "rank": 3,
    "source": "wikipedia",
    "version": "wiki_sent_v1",
}
CLAIM = {
    "claim_id": "c_0007",
    "answer_id": "ans_001",
    "text": "The FEVER dataset was introduced in 2018.",
    "answer_char_span": [134, 175],
    "extraction_method": "rule_sentence_split_v1",
}
CLAIM_EVIDENCE_PAIR = {
    "claim_id": "c_0007",
    "evidence_candidates": ["enwiki_12345#17", "enwiki_77889#04"],
    "top_evidence": "enwiki_12345#17",
    "evidence_spans": [
        {
            "doc_id": "enwiki_12345",
            "sent_id": 17,
            "text": "The FEVER dataset was introduced in 2018...",
            "rank": 3,
        }
    ],
}
PASSAGES = [
    {"text": "The FEVER dataset was introduced in 2018 by...", "title": "FEVER"},
    {"text": "FEVER is a benchmark for fact verification.", "title": "FEVER"},
]
CITATION_FORMATTER_OUTPUT = {
    "formatted_text": "The FEVER dataset was introduced in 2018. [1]",
    "citation_map": {"c_0007": [1]},
    "passages": PASSAGES,
    "notes": {"merged_redundant": True, "method": "right_span_insertion_v1"},
}
CITEEVAL_SYSTEM_EXAMPLE = {
    "id": "ex_0001",
    "query": "Who introduced the FEVER dataset?",
    "passages": PASSAGES,
    "pred": "The FEVER dataset was introduced in 2018. [1]",
}
VERIFIER_SIGNAL = {
    "claim_id": "c_0007",
    "doc_id": "enwiki_12345",
    "sent_id": 17,
    "nli": {"entail": 0.81, "contradict": 0.03, "neutral": 0.16},
    "coverage": {"entities": 0.83, "numbers": 1.0, "tokens_overlap": 0.74},
    "uncertainty": {"mean_entropy": 1.12},
    "consistency": {"variance": None},
    "citation_span_match": 0.9,
    "numeric_check": True,
}
CLAIM_DECISION = {
    "claim_id": "c_0007",
    "status": "Supported",
    "rationale": "High entail prob, good entity coverage",
    "primary_evidence": "enwiki_12345#17",
    "signals_ref": ["sig_c_0007_17"],
    "confidence": {
        "support_prob": 0.81,
        "contradict_prob": 0.03,
        "overall_confidence": 0.74,
        "band": "High",
    },
}
ANNOTATED_ANSWER = {
    "answer_id": "ans_001",
    "query_id": "q_20250201_001",
    "raw_answer": "…",
    "claims": [CLAIM_DECISION],
    "summary_stats": {
        "claims_total": 9,
        "supported_high": 5,
        "supported_low": 1,
        "contradicted": 1,
        "insufficient": 2,
        "mean_overall_confidence": 0.61,
    },
    "mitigation_actions": ["removed_contradicted_claims"],
    "version": "pipeline_v0.3",
}
EXAMPLES = {
    "Query": QUERY,
    "EvidenceChunk": EVIDENCE_CHUNK,
    "Claim": CLAIM,
    "ClaimEvidencePair": CLAIM_EVIDENCE_PAIR,
    "CitationFormatterOutput": CITATION_FORMATTER_OUTPUT,
    "CiteEvalSystemExample": CITEEVAL_SYSTEM_EXAMPLE,
    "VerifierSignal": VERIFIER_SIGNAL,
    "ClaimDecision": CLAIM_DECISION,
    "AnnotatedAnswer": ANNOTATED_ANSWER,
}
