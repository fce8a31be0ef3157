"""What is never stored, whatever a judge says of it."""
