"""Decision records: one check with everything it rests on, as a signed document. No database."""
