"""Sets WATCHDOG up on one machine and keeps it running (docs/operations/running.md)."""
