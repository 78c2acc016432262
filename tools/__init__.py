"""Scripts that fit the numbers of the computer players: what they write is part of the package."""
