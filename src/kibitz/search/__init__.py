"""Looking ahead: games that are small enough are solved, all others are searched."""
