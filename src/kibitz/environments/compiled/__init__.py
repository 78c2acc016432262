"""Tensors written by machine code, straight from states: kernels made from the declarations of views."""
