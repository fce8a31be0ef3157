"""A stored result as the payloads of the verifier API, with its names and shapes."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from analysis.models import AnnotatedAnswer, CheckState
from analysis.records.document import by_ref, ref_of
from analysis.selectors.results import in_place, stored_row

Payload = dict[str, Any]
_PAIR_SPAN = ("doc_id", "sent_id", "text")
_BATCH = 200


class NotDecided(Exception):
    """Raised if a check has no verdict; `state` is its state."""

    def __init__(self, state: str) -> None:
        super().__init__(state)
        self.state = state


def check_payloads(application_id: UUID, check_id: UUID) -> Payload:
    """Return everything known about a decided check, in the nine payloads.

    Raises Check.DoesNotExist, also for another application's check; NotDecided.
    """
    row = stored_row(application_id, check_id)
    if row["state"] != CheckState.DONE:
        raise NotDecided(row["state"])
    claims = row["claims"] or []
    decision = in_place(row["decision"], row["held"], row["answer"])
    citations = decision["citations"]
    return {
        "query": {"id": str(row["id"]), "text": row["query"], "timestamp": row["created_at"]},
        "evidence": row["measurement"]["evidence"],
        "claims": [
            {
                "claim_id": claim["claim_id"],
                "answer_id": str(row["id"]),
                "text": claim["text"],
                "answer_char_span": [claim["start"], claim["end"]],
                "extraction_method": claim["extraction_method"],
                "subject": claim["subject"],
            }
            for claim in claims
        ],
        "claim_evidence_pairs": [_pair(row, claim) for claim in claims],
        "signals": [claim["signal"] for claim in claims],
        "citations": citations,
        "citeeval": citeeval_example(row["id"], row["query"], citations),
        "annotated_answer": {
            "answer_id": str(row["id"]),
            "query_id": str(row["id"]),
            "raw_answer": row["answer"],
            "claims": [claim["decision"] for claim in claims],
            "summary_stats": decision["summary_stats"],
            "mitigation_actions": decision["mitigation_actions"],
            "version": f"pipeline_v{row['engine_version']}",
            "final_response": decision["final_response"],
            "action": row["action"],
        },
    }


def citeeval_example(check_id: UUID, query: str, citations: Payload) -> Payload:
    """Return the verifier API's CiteEvalSystemExample; `[i]` in `pred` is `passages[i - 1]`."""
    passages = [{"text": p["text"], "title": p["title"]} for p in citations["passages"]]
    pred = citations["formatted_text"]
    return {"id": str(check_id), "query": query, "passages": passages, "pred": pred}


def citeeval_examples(answers: QuerySet[AnnotatedAnswer]) -> Iterator[Payload]:
    """Yield an example for each stored result, oldest first; some have no passages."""
    rows = answers.select_related("check_record").order_by("check_record_id")
    for answer in rows.iterator(chunk_size=_BATCH):
        check = answer.check_record
        yield citeeval_example(check.pk, check.query, answer.decision["citations"])


def _pair(row: Payload, claim: Payload) -> Payload:
    """Return the claim's passages: candidates by reference, decisive ones with their text."""
    signal = claim["signal"]
    sides = [ref for ref in (signal["supported_by"], signal["contradicted_by"]) if ref]
    candidates = list(dict.fromkeys([*signal["candidates"], *sides]))
    top = None if signal["doc_id"] is None else ref_of(signal)
    chunks = by_ref(row["measurement"]["evidence"])
    spans = [
        {name: chunks[ref][name] for name in _PAIR_SPAN} | {"rank": candidates.index(ref) + 1}
        for ref in dict.fromkeys(sides)
        if ref in chunks
    ]
    return {
        "claim_id": claim["claim_id"],
        "evidence_candidates": candidates,
        "top_evidence": top,
        "evidence_spans": sorted(spans, key=lambda span: span["rank"]),
    }
