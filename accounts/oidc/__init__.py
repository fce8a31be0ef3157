"""Sign-in at an OpenID Connect provider: the protocol, what groups may do, and people."""
