"""Benchmarks of `manage.py bench`: the engine alone, and the product end to end."""
