"""What has one value at a time: a limit, a role, a count. By small rules over a fact's words."""
