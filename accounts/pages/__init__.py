"""Pages under /account/: one's own password and second factor."""
