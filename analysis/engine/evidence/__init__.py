"""Sources in searchable form: passages and records."""
