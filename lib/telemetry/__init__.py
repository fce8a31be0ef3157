"""Traces by OpenTelemetry with the attributes of OpenInference; without a tracer nothing is done.

`lib.telemetry.tracing` begins and continues spans; `lib.telemetry.attributes` names what they hold.
"""
