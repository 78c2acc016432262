"""Networks in whole numbers, which choose the same on every machine, with NumPy alone.

    ONE         the integer for 1.0: weights, biases and values are multiples of 1 / ONE
    layer       weights (inputs, outputs) and biases (outputs,); ReLU after all layers but the last
    about       what the network was trained for, in a file of it: any text
    file        a ``.npz`` with the arrays ``about``, ``weights0``, ``biases0``, ``weights1`` ...: numbers, no code

Sums use floating point, because that is fast, but of integers only and never beyond 2**53: these are exact, whatever
the order of additions and the library. Weights that could exceed that are refused.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from kibitz.errors import NotationError

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

GAME = "president"
"""The game with a trained player."""
ONE = 1 << 12
EXACT = 1 << 53
MAX_NUMBER = (1 << 15) - 1
"""Weights and biases are at most this, since files have two bytes for each."""
ONE_THREAD_FACTORS = 1 << 18
"""The maximum number of factors in one NumPy product: for larger products NumPy's library starts threads on other
cores, which takes longer than the product itself."""
MAX_BYTES = 1 << 24
"""The maximum number of bytes of an unpacked network, a hundred times as many as the network of ``veteran`` has."""
BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Compression methods that unpack to no more than the archive says; others may fill the memory."""


@dataclass(frozen=True)
class Network:
    """Layers, the first of which gets cells: 0 or 1. Raises NotationError if they do not fit together.

    >>> import numpy as np
    >>> half = Network((np.array([[ONE // 2], [-ONE]]),), (np.array([ONE]),))
    >>> half.values(np.array([[0, 0], [1, 0], [1, 1]], np.int8)) / ONE
    array([1. , 1.5, 0.5])
    """

    weights: tuple[Array, ...]
    biases: tuple[Array, ...]
    about: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        import numpy as np

        if sentence := why_not_network(self.weights, self.biases):
            raise NotationError(sentence)
        for name in ("weights", "biases"):
            object.__setattr__(self, name, tuple(part.astype(np.float64) for part in getattr(self, name)))

    @property
    def inputs(self) -> int:
        """How many input cells it has."""
        return len(self.weights[0])

    def values(self, cells: Array) -> Array:
        """The values of rows of cells (rows, ``inputs``): (rows,) int64, multiples of 1 / ONE."""
        import numpy as np

        chunk_size = max(1, ONE_THREAD_FACTORS // max(weights.size for weights in self.weights))
        parts = [self.values_of_chunk(cells[start : start + chunk_size]) for start in range(0, len(cells), chunk_size)]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def values_of_chunk(self, cells: Array) -> Array:
        """``values`` for few enough rows that NumPy starts no threads."""
        import numpy as np

        values = cells.astype(np.float64) @ self.weights[0] + self.biases[0]
        for weights, biases in zip(self.weights[1:], self.biases[1:], strict=True):
            values = np.floor((np.maximum(values, 0.0) @ weights + biases * ONE) / ONE)
        return values[:, 0].astype(np.int64)

    def write(self, file: IO[bytes]) -> None:
        """Write the network; the same network always gives the same bytes."""
        import numpy as np

        parts = {"weights": self.weights, "biases": self.biases}
        arrays: dict[str, Any] = {
            f"{name}{k}": array.astype(np.int16)
            for name, arrays_of_layers in parts.items()
            for k, array in enumerate(arrays_of_layers)
        }
        np.savez_compressed(file, about=np.array(self.about), **arrays)


def why_not_network(weights: Sequence[Array], biases: Sequence[Array]) -> str:
    """Why layers don't make a network; empty if they do."""
    import numpy as np

    if not weights or len(weights) != len(biases):
        return f"a network has as many weights as biases, not {len(weights)} and {len(biases)}."
    max_values, width = np.zeros(0), 0
    for k, (matrix, bias) in enumerate(zip(weights, biases, strict=True)):
        if (
            matrix.dtype.kind not in "if"
            or bias.dtype.kind not in "if"
            or matrix.ndim != 2
            or bias.shape != matrix.shape[1:]
        ):
            return f"layer {k} of a network isn't a matrix of numbers with a bias for each column."
        if k and len(matrix) != width:
            return f"layer {k} of a network takes {len(matrix)} numbers, and the one before it gives {width}."
        for part in (matrix, bias):
            if not (np.abs(part) <= MAX_NUMBER).all() or (part != np.rint(part)).any():
                return (
                    f"layer {k} of a network has numbers that are not whole, or not from -{MAX_NUMBER} to {MAX_NUMBER}."
                )
        width = matrix.shape[1]
        size, constant = np.abs(matrix.astype(np.float64)), np.abs(bias.astype(np.float64))
        sums = max_values @ size + constant * ONE if k else size.sum(0) + constant
        if (sums >= EXACT).any():
            return f"layer {k} of a network has weights so large that its sums are not exact."
        max_values = np.ceil(sums / ONE) + 1 if k else sums
    return "" if width == 1 else f"the last layer of a network gives one number, not {width}."


def read_content(path: Path) -> bytes:
    """The bytes of a network's file. Raises NotationError if it can't be one, OSError if it can't be read."""
    if path.exists() and not path.is_file():
        raise NotationError(f"{path} is not a network: it is not a file.")
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise NotationError(f"{path} is not a network: {MAX_BYTES:,} bytes are the most.")
    return content


def read_network(path: Path) -> Network:
    """The network in a file. Raises NotationError with the path if it isn't one, OSError if it can't be read."""
    return network_from_bytes(read_content(path), str(path))


def network_from_bytes(content: bytes, file_name: str) -> Network:
    """The network in a file's bytes. Raises NotationError, with ``file_name``, if there is none."""
    why = "it cannot be read as one that has been trained for Kibitz."
    try:
        return network_in(content)
    except NotationError as error:
        why = str(error)
    except Exception:  # anything that NumPy, the archive or its compression raise for untrusted bytes
        pass
    raise NotationError(f"{file_name} is not a network: {why}")


def network_in(content: bytes) -> Network:
    """The network in a file's bytes; NotationError, or any exception of NumPy's and the archive's, if there is none."""
    import numpy as np

    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        if (size := sum(member.file_size for member in packed.infolist())) > MAX_BYTES:
            raise NotationError(f"it has {size:,} bytes, and {MAX_BYTES:,} are the most.")
        if any(member.compress_type not in BOUNDED for member in packed.infolist()):
            raise NotationError("it isn't compressed as NumPy does it.")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        names = set(arrays.files)
        layers = [k for k in range(len(names)) if f"weights{k}" in names]
        weights = tuple(arrays[f"weights{k}"] for k in layers)
        biases = tuple(arrays[f"biases{k}"] for k in layers)
        return Network(weights, biases, str(arrays["about"]))
