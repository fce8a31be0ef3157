"""Writes of the desk, with their entries in the trail."""
