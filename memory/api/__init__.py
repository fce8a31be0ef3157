"""The REST interface of managers and what they stated."""
