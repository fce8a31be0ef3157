"""Sources in searchable form: passages, records, windows for the model."""
