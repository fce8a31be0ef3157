"""The page on which a manager sees, corrects and deletes what is remembered."""
