"""The engine: states, kernels and their twins, the contract of a game, batches, records, the registry."""
