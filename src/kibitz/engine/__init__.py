"""The engine: states, kernels and their copies, the contract of a game, batches, records, the registry."""
