"""For those who run an installation: what is wrong with it, its backup and its restore."""
