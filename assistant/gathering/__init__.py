"""Gathers the evidence: documents and weather in parallel, memory meanwhile."""
