"""The engine: games, their states and records, the registry; kernels, views, scenes and the contract."""
