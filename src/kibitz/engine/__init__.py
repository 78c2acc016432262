"""The engine: states, kernels, compilation, views, events, records, the registry, and the contract of a game."""
