"""Gathering the evidence: documents and weather at the same time, memory read beside them."""

from assistant.gathering.collecting import gather_evidence

__all__ = ["gather_evidence"]
