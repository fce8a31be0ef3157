"""The arithmetic of the review desk: business hours, agreement. Pure functions, no tables."""
