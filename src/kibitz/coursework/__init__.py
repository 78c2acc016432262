"""The functions that assignments ask for, as model solutions: plain values in, plain values out, in any order of calls.

The rules are not repeated here: these functions convert the arguments, and the games' own kernels answer.
"""
