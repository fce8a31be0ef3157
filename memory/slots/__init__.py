"""Slots: things with one value at a time (a limit, a role, a count), by small rules."""
