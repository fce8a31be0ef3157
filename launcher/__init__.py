"""Sets WATCHDOG up on one machine and keeps its processes running (see docs/operations.md)."""
