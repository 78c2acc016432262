"""The network that learns, in PyTorch: what an action is worth to the seat that looks.

    seen        the cells of what a seat sees, (rows, seen)
    taken       the cells of actions, (actions, taken); ``rows`` says which row of ``seen`` each belongs to

The first layer takes both: what is seen is multiplied once, however many actions there are.
"""

from itertools import pairwise

import numpy as np
import torch
from torch import nn

from kibitz.search.networks import MAX_NUMBER, ONE, Network


class Net(nn.Module):
    """A network of fully connected layers with ReLU, ``hidden`` numbers wide, and one number at the end."""

    def __init__(self, seen, taken, hidden):
        super().__init__()
        self.seen, self.taken = nn.Linear(seen, hidden[0]), nn.Linear(taken, hidden[0], bias=False)
        self.layers = nn.ModuleList(nn.Linear(*widths) for widths in pairwise((*hidden, 1)))

    def forward(self, seen, taken, rows=None):
        """The worth of actions, (actions,); without ``rows`` each has a row of ``seen`` of its own."""
        found = self.seen(seen)
        found = (found if rows is None else found[rows]) + self.taken(taken)
        for layer in self.layers:
            found = layer(torch.relu(found))
        return found[:, 0]

    def values(self, seen, taken, rows):
        """The same for arrays of NumPy, without learning from it."""
        with torch.inference_mode():
            return self(floats(seen), floats(taken), torch.from_numpy(rows)).numpy()

    def shipped(self, about):
        """The same in whole numbers, for NumPy alone."""
        first = torch.cat((self.seen.weight, self.taken.weight), 1)
        parts = [(first, self.seen.bias), *((layer.weight, layer.bias) for layer in self.layers)]
        return Network(tuple(whole(weight.T) for weight, _ in parts), tuple(whole(bias) for _, bias in parts), about)


def floats(cells):
    """Cells as numbers that PyTorch multiplies."""
    return torch.from_numpy(cells).float()


def whole(numbers):
    """Numbers as whole multiples of 1 / ONE."""
    return np.clip(np.rint(numbers.detach().numpy() * ONE), -MAX_NUMBER, MAX_NUMBER).astype(np.int32)
