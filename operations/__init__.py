"""Tools for operators: diagnosis, backup and restore of an installation."""
