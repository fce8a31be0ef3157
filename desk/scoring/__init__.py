"""Checks and scores answers from files, labelled or not, outside the database."""
