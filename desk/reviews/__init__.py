"""The review desk: people read checks, decide reviews, and what they decided is counted."""
