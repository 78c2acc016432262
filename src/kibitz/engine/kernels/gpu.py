"""An NVIDIA GPU for batches, through numba-cuda: whether there is one, its memory, and kernels on its lanes.

lane        a thread of the GPU with memory of its own (``kibitz.engine.kernels.gpu_kernels``)
simulator   Numba's, which runs kernels as Python where NUMBA_ENABLE_CUDASIM is 1: for tests, without a GPU

The games' own kernels are used: a plain copy of each is marked for the GPU (``kibitz.engine.kernels.gpu_code``). The
first batch of a game compiles them, and later processes read the machine code from the cache.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from kibitz.cards import short_repr
from kibitz.engine.kernels import compilation
from kibitz.errors import MachineError, NotationError

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

CUDA = "cuda"
"""The name of this device, for ``on``."""
LOCAL_NAMES = (None, "local")
"""The values of ``on`` that mean this machine's cores."""
LEAVE_ON_OUT = "leave 'on' out for this machine's cores."
BLOCK = 64
"""Threads that a GPU starts together."""
LANES = 1 << 17
"""The default number of lanes: as many threads as a large GPU runs at a time."""
MEMORY_SHARE = 0.5
"""The share of the free memory that the default number of lanes may take."""
NUMBA_ARRAY = "__cuda_ndarray__"
"""The attribute of numba-cuda's arrays, in the simulator too."""
MISSING_LIBRARY = ("DynamicLibNotFoundError", "NvvmSupportError", "NvrtcSupportError")
"""The exceptions raised when a library of NVIDIA's compiler is missing."""


class Gpu:
    """The GPU that this process uses."""

    def __init__(self, numba_cuda: Any) -> None:
        self.cuda = numba_cuda
        self.tables: dict[Callable[[], Any], list[Any]] = {}

    @property
    def free(self) -> float:
        """Free bytes of its memory; unlimited in the simulator."""
        return float(self.cuda.current_context().get_memory_info().free)

    @property
    def name(self) -> str:
        """The manufacturer's name for the GPU."""
        device_name = getattr(self.cuda.get_current_device(), "name", "Numba's simulator")
        return device_name.decode() if isinstance(device_name, bytes) else str(device_name)

    def kernels(self, module: ModuleType, *implementations: ModuleType, words: int = 0) -> SimpleNamespace:
        """The kernels of ``module`` for this GPU, hooks implemented; ``words`` is the size of a lane's memory."""
        return kernels(module, *implementations, words=words)

    def lanes(self, n: int, lane_bytes: int, result_bytes: int, requested: int | None) -> int:
        """How many lanes share ``n`` pieces of work (see ``lane_count``), with the memory that is free now."""
        return lane_count(n, lane_bytes, result_bytes, requested, self.free)

    def put(self, array: Array) -> Any:
        """A copy of an array in its memory."""
        with errors_translated():
            return self.cuda.to_device(array)

    def on_device(self, array: Any, what: str) -> Any:
        """Integers in its memory: a copy of a NumPy array, or the array itself if it is already there.

        Raises NotationError for an array on the GPU that has another type or is not C-contiguous; ``what`` names its
        contents.
        """
        if not is_on_gpu(array):
            return self.put(array)
        with errors_translated():
            array_on_gpu = array if hasattr(array, NUMBA_ARRAY) else self.cuda.as_cuda_array(array)
        if array_on_gpu.dtype.kind not in "iu":
            raise NotationError(f"{what} must be whole numbers, not {array_on_gpu.dtype}.")
        if not array_on_gpu.is_c_contiguous():
            raise NotationError(f"{what} on a GPU must be C-contiguous: copy the array first.")
        return array_on_gpu.view("int64") if array_on_gpu.dtype == "uint64" else array_on_gpu

    def tables_of(self, make: Callable[[], Array | tuple[Array, ...]]) -> list[Any]:
        """The tables that a function makes, copied to its memory once in a process."""
        if make not in self.tables:
            tables = make()
            self.tables[make] = [self.put(table) for table in (tables if isinstance(tables, tuple) else (tables,))]
        return self.tables[make]

    def empty(self, *shape: int, dtype: str = "int64", order: str = "C") -> Any:
        """An uninitialised array of whole numbers in its memory; stored column by column in the order ``"F"``."""
        with errors_translated():
            return self.cuda.device_array(shape, dtype, order=order)

    def columns(self, words: int, lanes: int) -> Any:
        """A column of words for each lane; an array of one word if lanes keep them in local memory."""
        return self.empty(words, lanes) if gpu_code().in_columns(words) else self.empty(1, 1)

    def run(self, kernel: Callable[..., None], lanes: int, *arguments: Any) -> None:
        """Run a kernel on this many lanes, and wait until all are done.

        Raises MachineError if the GPU fails, ImportError if NVIDIA's compiler is missing.
        """
        with errors_translated(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Grid size")  # few lanes leave most of the GPU idle, as requested
            launchable(kernel)[-(-lanes // BLOCK), BLOCK](*arguments)
            self.cuda.synchronize()


def open_gpu(on: object) -> Gpu:
    """The GPU that ``on="cuda"`` means.

    Raises NotationError for an unknown device, ImportError without numba-cuda, and MachineError without a GPU that it
    can use.
    """
    if not isinstance(on, str) or on != CUDA:
        raise NotationError(
            f"{short_repr(on)} isn't a device for batches: write 'cuda' for an NVIDIA GPU, or {LEAVE_ON_OUT}"
        )
    numba_cuda = numba_cuda_module()
    if not numba_cuda.is_available():
        raise MachineError(f"on='cuda' needs an NVIDIA GPU with its driver, and there is none here: {LEAVE_ON_OUT}")
    return the_gpu(numba_cuda)


@cache
def the_gpu(numba_cuda: Any) -> Gpu:
    """The one GPU of this process, which keeps its tables."""
    return Gpu(numba_cuda)


def gpu_of(on: object, *arrays: object) -> Gpu | None:
    """The GPU if ``on`` names it or one of the arrays is in its memory, else None; errors as of ``open_gpu``."""
    if isinstance(on, str | None) and on in LOCAL_NAMES:
        return open_gpu(CUDA) if any(map(is_on_gpu, arrays)) else None
    return open_gpu(on)


def is_on_gpu(array: object) -> bool:
    """Whether an array, such as one of CuPy, PyTorch, JAX or Numba, is in a GPU's memory."""
    return hasattr(array, "__cuda_array_interface__") or hasattr(array, NUMBA_ARRAY)


def numba_cuda_module() -> Any:
    """``numba.cuda`` as numba-cuda has it. Raises ImportError with a clear sentence where that is not installed."""
    try:
        importlib.import_module("numba_cuda")
        return importlib.import_module("numba.cuda")
    except ImportError as error:
        raise ImportError("on='cuda' needs numba-cuda: pip install 'kibitz[cuda]'.", name=error.name) from None


@contextmanager
def errors_translated() -> Iterator[None]:
    """A block whose exceptions from NVIDIA's libraries and numba-cuda become Kibitz's own errors, of one sentence."""
    try:
        yield
    except Exception as error:
        error_type = type(error)
        if error_type.__name__ in MISSING_LIBRARY:
            sentence = "on='cuda' needs NVIDIA's compiler, which is not found here: pip install 'kibitz[cuda]'."
            raise ImportError(sentence) from error
        if error_type.__module__.startswith(("numba.cuda.cudadrv.", "cuda.")):
            raise MachineError(f"the GPU failed: {' '.join(str(error).split())}") from error
        raise


def lane_count(n: int, lane_bytes: int, result_bytes: int, requested: int | None, free: float) -> int:
    """How many lanes share ``n`` pieces of work: as many as ``requested``, or by default as are useful and fit.

    A lane takes ``lane_bytes``, and all results together ``result_bytes``. Raises MachineError if ``free`` bytes are
    too few.
    """
    available = free - result_bytes
    if available < lane_bytes:
        raise MachineError(
            f"the results and one lane take {gib(result_bytes + lane_bytes)}, and the GPU has {gib(free)} free:"
            " ask for less at once."
        )
    if requested is not None:
        lanes = max(1, min(requested, n))
        if lanes * lane_bytes > available:
            needed = gib(lanes * lane_bytes + result_bytes)
            raise MachineError(
                f"{lanes:,} lanes with their results take {needed}, and the GPU has {gib(free)} free:"
                f" ask for {int(available // lane_bytes):,} at most."
            )
        return lanes
    return max(1, min(n, LANES, int(available * MEMORY_SHARE // lane_bytes) if available < float("inf") else LANES))


def gib(size: float) -> str:
    """Bytes in words.

    >>> gib(3 << 30), gib(5 << 20)
    ('3.00 GiB', '5.00 MiB')
    """
    return f"{size / 2**30:.2f} GiB" if size >= 2**30 else f"{size / 2**20:.2f} MiB"


@cache
def kernels(module: ModuleType, *implementations: ModuleType, words: int) -> SimpleNamespace:
    """The kernels of ``module`` for the GPU, with its hooks implemented; compiled when they are run."""
    dtype = implementations[0].LAYOUT.dtype if implementations else None
    options = frozenset(option.name for each in implementations for option in getattr(each, "OPTIONS", ()))
    hooks = gpu_code().hooks(dtype, options, words)
    folder = compilation.cache_directory(module, *implementations) / f"cuda-{words}"
    result: SimpleNamespace = gpu_code().compiled_kernels(compilation.plain(module, *implementations, **hooks), folder)
    return result


def launchable(kernel: Callable[..., None]) -> Any:
    """A kernel in the form in which the GPU starts it."""
    return gpu_code().launchable(kernel)


def gpu_code() -> Any:
    """The module ``gpu_code``, imported only when it is needed because it imports numba-cuda."""
    return importlib.import_module("kibitz.engine.kernels.gpu_code")
