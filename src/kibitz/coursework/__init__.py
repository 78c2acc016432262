"""The functions that assignments ask for, as models: plain values in, plain values out, any call at any time.

The rules are not repeated here: the arguments are converted, and the games' own kernels answer.
"""
