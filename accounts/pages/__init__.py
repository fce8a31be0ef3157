"""Pages under /account/: the user's own password and second factor."""
