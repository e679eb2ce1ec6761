"""Words as numbers of pieces, and the weights on disk."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.errors import ConfigurationError
from policies.trained import tensors
from policies.trained.encoder import LONGEST, PIECES, Encoder, Layer, pieces, sequences
from policies.trained.reader import Reader


@pytest.mark.parametrize(
    ("word", "found"),
    [("shirt", ["shirt"]), ("waterproofed", ["water", "##proof", "##ed"]), ("40", ["40"]), ("größe", ["[UNK]"]), ("☃", ["[UNK]"])],
)
def test_a_word_is_cut_as_bert_cuts_it(word: str, found: list[str]) -> None:
    assert [PIECES[number] for number in pieces(word)] == found


@given(st.lists(st.tuples(st.text("abz09é", min_size=1, max_size=300), st.sampled_from([" ", "", ",", "☃"])), min_size=1, max_size=90))
def test_every_word_of_a_text_of_any_length_has_its_place(text: list[tuple[str, str]]) -> None:
    words, marks = zip(*text, strict=True)
    parts = sequences(words, marks)
    assert sum(len(firsts) for _, firsts in parts) == len(words)
    assert all(len(ids) <= LONGEST and (PIECES[ids[0]], PIECES[ids[-1]]) == ("[CLS]", "[SEP]") for ids, _ in parts)
    began = [ids[first] for ids, firsts in parts for first in firsts]
    assert began == [pieces(word)[0] for word in words]


def test_a_mark_stands_before_its_word() -> None:
    ((ids, firsts),) = sequences(["red", "shirts"], [" ", ","])
    assert [PIECES[number] for number in ids] == ["[CLS]", "red", ",", "shirts", "[SEP]"]
    assert firsts == [1, 3]


def test_a_word_of_ten_thousand_letters_is_read() -> None:
    assert len(pieces("ab" * 5000)) > 100


def random_encoder(rng: np.random.Generator, size: int = 24) -> Encoder:
    def drawn(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32)

    layer = Layer(
        drawn(size, 3 * size), drawn(3 * size), drawn(size, size), drawn(size), drawn(size), drawn(size), drawn(size, 2 * size),
        drawn(2 * size), drawn(2 * size, size), drawn(size), drawn(size), drawn(size),
    )  # fmt: skip
    return Encoder(drawn(len(PIECES), size), drawn(LONGEST, size), drawn(size), drawn(size), (layer,))


def test_weights_in_bytes_are_off_by_half_a_step_at_most() -> None:
    encoder = random_encoder(np.random.default_rng(0))
    again = Encoder.load("e", encoder.tensors("e"))
    for table, kept, axis in ((encoder.words, again.words, 1), (encoder.layers[0].narrow, again.layers[0].narrow, 0)):
        step = np.abs(table).max(axis=axis, keepdims=True) / 127
        assert (np.abs(table - kept) <= 0.501 * step).all()
    assert (again.layers[0].second_bias == encoder.layers[0].second_bias).all()


@pytest.mark.parametrize("damage", ["few words", "no layer", "no scale", "tags", "places"])
def test_damaged_weights_are_one_clear_line(tmp_path: Path, damage: str) -> None:
    encoder = random_encoder(np.random.default_rng(0))
    kept = {f"reader.{n}": v for n, v in {"out": np.ones((24, 8)), "out_bias": np.ones(8), "transitions": np.ones((9, 8))}.items()}
    kept = {name: value.astype(np.float32) for name, value in kept.items()} | encoder.tensors("reader.encoder")
    tensors.write(tmp_path / "whole.safetensors", kept, {})
    assert Reader.load(tmp_path / "whole.safetensors").read("a red shirt").words == ("a", "red", "shirt")
    if damage == "few words":
        kept["reader.encoder.words"] = kept["reader.encoder.words"][:100]
        kept["reader.encoder.words.scale"] = kept["reader.encoder.words.scale"][:100]
    if damage == "no layer":
        kept = {name: value for name, value in kept.items() if "layer0" not in name}
    if damage == "no scale":
        del kept["reader.encoder.layer0.gather.scale"]
    if damage == "tags":
        kept["reader.out"] = kept["reader.out"][:, :7]
    if damage == "places":
        kept["reader.encoder.places"] = kept["reader.encoder.places"][:64]
    path = tmp_path / "damaged.safetensors"
    tensors.write(path, kept, {})
    with pytest.raises(ConfigurationError, match=f"{path}: ") as told:
        Reader.load(path)
    assert "\n" not in str(told.value)
