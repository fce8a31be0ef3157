"""Traces by OpenTelemetry, with the attributes of OpenInference; nothing where none are asked for.

`lib.telemetry.tracing` begins and continues spans; `lib.telemetry.attributes` names what they hold.
"""
