"""Sign-in at an OpenID Connect provider: the protocol, rights by group, and people."""
