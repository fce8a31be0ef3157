"""Analysis of figures over time: readings, topics, unusual changes. Pure Python."""
