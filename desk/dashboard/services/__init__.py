"""Topics of the uncovered questions, and notifications of unusual rates."""
