"""Search: small games are solved, all others are searched."""
