"""The measurements of an answer; each module is a pure function."""
