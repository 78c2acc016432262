"""The functions that assignments ask for, as model solutions; they take and return plain values and keep no state.

They don't repeat the rules: they convert the arguments and call the games' own kernels.
"""
