"""Weights on disk in the safetensors format (https://github.com/huggingface/safetensors): a JSON header and raw numbers.

Nothing in such a file can be executed. Only what our models need is read: little-endian
float16, float32 and int32, and bytes, signed or not.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bridge.errors import ConfigurationError

Array = npt.NDArray[Any]
_TYPES: dict[str, np.dtype[Any]] = {
    "F16": np.dtype("<f2"),
    "F32": np.dtype("<f4"),
    "I32": np.dtype("<i4"),
    "U8": np.dtype("u1"),
    "I8": np.dtype("i1"),
}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}


def read(path: Path) -> dict[str, Array]:
    """The tensors of a file by name. Raises ``ConfigurationError`` for a missing, damaged or foreign file."""
    try:
        raw = path.read_bytes()
        size = int.from_bytes(raw[:8], "little")
        header = json.loads(raw[8 : 8 + size])
        header.pop("__metadata__", None)
        body = memoryview(raw)[8 + size :]
        made = {}
        for name, entry in header.items():
            start, end = entry["data_offsets"]
            made[name] = np.frombuffer(body[start:end], _TYPES[entry["dtype"]]).reshape(entry["shape"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigurationError(f"{path}: not a safetensors file of this policy ({error})") from error
    return made


def write(path: Path, tensors: Mapping[str, Array], note: Mapping[str, str]) -> None:
    """Write tensors and a note; the file is replaced as a whole."""
    header: dict[str, Any] = {"__metadata__": dict(note)}
    blocks, at = [], 0
    for name, tensor in sorted(tensors.items()):
        block = np.ascontiguousarray(tensor).tobytes()
        header[name] = {"dtype": _NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [at, at + len(block)]}
        blocks.append(block)
        at += len(block)
    head = json.dumps(header, sort_keys=True).encode()
    head += b" " * (-len(head) % 8)
    partial = path.with_suffix(".part")
    partial.write_bytes(len(head).to_bytes(8, "little") + head + b"".join(blocks))
    partial.replace(path)
