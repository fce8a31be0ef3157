"""Traces by OpenTelemetry, with the attributes of OpenInference; nothing where none are asked for.

`telemetry.tracing` begins and continues spans, `telemetry.attributes` says what stands in them.
"""
