"""Gathers the evidence: documents and weather in parallel, memory meanwhile."""

from assistant.gathering.collecting import gather_evidence

__all__ = ["gather_evidence"]
