"""When an answer must be declined, and what is said in its place."""
