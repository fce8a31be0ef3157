"""The assistant over REST."""
