"""What figures over time say: readings, topics, unusual changes. Pure Python."""
