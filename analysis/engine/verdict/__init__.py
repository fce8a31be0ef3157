"""Turns a claim's signals into its verdict, and claims into scores and actions."""
