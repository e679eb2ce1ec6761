from pathlib import Path

import numpy as np
import pytest

from bridge.errors import ConfigurationError
from policies.trained import tensors
from policies.trained.models import WEIGHTS, Models


def test_tensors_come_back(tmp_path: Path) -> None:
    kept = {"a": np.arange(6, dtype=np.float16).reshape(2, 3), "b.c": np.array([1.5], np.float32), "d": np.array([[7]], np.int32)}
    tensors.write(tmp_path / "w.safetensors", kept, {"stage": "x"})
    found = tensors.read(tmp_path / "w.safetensors")
    assert found.keys() == kept.keys()
    assert all(np.array_equal(found[name], kept[name]) and found[name].dtype == kept[name].dtype for name in kept)


def test_the_safetensors_package_reads_it_too(tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors.numpy")
    tensors.write(tmp_path / "w.safetensors", {"a": np.ones((2, 2), np.float32)}, {"stage": "x"})
    assert np.array_equal(safetensors.load_file(tmp_path / "w.safetensors")["a"], np.ones((2, 2)))


@pytest.mark.parametrize("damage", [b"", b"\x80\x04}q\x00.", b"\x10\x00\x00\x00\x00\x00\x00\x00{not json at all}", b"\xff" * 40])
def test_anything_else_is_refused_in_one_line(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(damage)
    with pytest.raises(ConfigurationError, match="not a safetensors file") as error:
        tensors.read(path)
    assert "\n" not in str(error.value)


def test_a_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    tensors.write(path, {"a": np.ones(100, np.float32)}, {})
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(ConfigurationError):
        tensors.read(path)


def test_weights_of_another_version_are_one_line(tmp_path: Path) -> None:
    older = {name: tensor for name, tensor in tensors.read(WEIGHTS).items() if not name.startswith("worth.")}
    tensors.write(tmp_path / "w.safetensors", older, {})
    with pytest.raises(ConfigurationError, match=r"w\.safetensors: weights of another version, without 'worth\.feature'"):
        Models.load(tmp_path / "w.safetensors")
