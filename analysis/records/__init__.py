"""Decision records: one check with all its evidence as a signed document. No database."""
