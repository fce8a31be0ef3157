"""The review desk: people read checks and decide reviews, and their decisions are counted."""
