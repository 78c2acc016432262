"""The games, one package each; ``kibitz.engine.registry`` finds them by their names."""
