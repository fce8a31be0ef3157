"""Thresholds, weights and actions: typed, validated, with presets."""
