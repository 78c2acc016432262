"""The arena: many games between many players, and what they say about who is better."""
