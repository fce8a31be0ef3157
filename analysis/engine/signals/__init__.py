"""One module a signal; each is a pure function of a reading and says what it found."""
