"""The older risk and safety interfaces."""
