"""Labelled or unlabelled answers from files, checked and scored outside of the database."""
