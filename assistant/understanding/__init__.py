"""Reads a manager's message as questions that can be understood alone, in plain words. Pure."""
