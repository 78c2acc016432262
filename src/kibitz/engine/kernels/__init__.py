"""Kernels: what they call, how they become machine code, and batches of games on cores or a GPU."""
