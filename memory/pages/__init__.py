"""The page on which managers see, correct and delete their memory."""
