"""Gathering the evidence: documents and weather at the same time, memory read beside them."""

from assistant.gathering.collecting import gather_bag

__all__ = ["gather_bag"]
