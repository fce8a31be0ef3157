"""What a manager's message asks: its questions as they would stand alone, in plain words. Pure."""
