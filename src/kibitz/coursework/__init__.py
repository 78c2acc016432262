"""The functions that assignments ask for, as models: plain values in, plain values out, any call at any time.

No rule is written here a second time: arguments are read, the games' own kernels answer.
"""
