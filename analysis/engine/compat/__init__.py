"""The call shapes of the older risk and safety interfaces."""
