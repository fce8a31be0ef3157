"""The page on which a manager asks questions."""
