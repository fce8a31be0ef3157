"""What is done with policies besides putting them in force."""
