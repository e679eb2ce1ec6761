"""WebShop's checkpoints from a folder or a Hugging Face id, by our own code: tensors only, nothing in them is executed."""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import BartConfig, BartForConditionalGeneration, BertConfig

from bridge.errors import ConfigurationError
from policies.webshop.network import ChoiceNetwork

_FILES = ("model.safetensors", "pytorch_model.bin")
_IGNORED = ("bert.embeddings.position_ids",)
"""Buffers that old files hold and the network does not have."""


def folder_of(name: str) -> Path:
    """The folder or file itself, or the download of a Hugging Face id (config, weights and tokenizer files only).

    Raises ``ConfigurationError`` if it is neither.
    """
    if Path(name).exists():
        return Path(name)
    try:
        from huggingface_hub import snapshot_download

        wanted = ["config.json", *_FILES, "tokenizer.json", "tokenizer_config.json", "vocab.txt", "vocab.json", "merges.txt"]
        return Path(snapshot_download(name, allow_patterns=wanted))
    except Exception as error:  # no such id, no network, no right to it: all the same to the user
        raise ConfigurationError(
            f"'{name}' is no folder here and cannot be had from Hugging Face ({type(error).__name__}: {error})"
        ) from error


def tensors(path: Path) -> dict[str, Tensor]:
    """The state dict of a folder or of one file (``.safetensors``, ``.bin``, ``.pth``).

    Raises ``ConfigurationError`` if there is none, or if it holds more than tensors (WebShop's RL saves are pickled modules: refused).
    """
    file = next((path / name for name in _FILES if (path / name).is_file()), path) if path.is_dir() else path
    if not file.is_file():
        raise ConfigurationError(f"{path}: neither {' nor '.join(_FILES)} is there")
    try:
        if file.suffix == ".safetensors":
            from safetensors.torch import load_file

            loaded: dict[str, Tensor] = load_file(file)
            return loaded
        found: Any = torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:  # damaged, or a pickle with code in it
        raise ConfigurationError(f"{file}: not a file of tensors only ({type(error).__name__}: {error})") from error
    if not isinstance(found, dict) or not all(isinstance(value, Tensor) for value in found.values()):
        raise ConfigurationError(f"{file}: not a state dict")
    return found


def choice_network(path: Path) -> ChoiceNetwork:
    """The choice network of a checkpoint. Sizes come from the tensors, what they do not show from ``config.json`` if it is there."""
    state = {name.removeprefix("module."): value for name, value in tensors(path).items()}
    try:
        words, size = state["bert.embeddings.word_embeddings.weight"].shape
        layers = 1 + max(int(name.split(".")[3]) for name in state if name.startswith("bert.encoder.layer."))
        config = BertConfig(
            vocab_size=words,
            hidden_size=size,
            num_hidden_layers=layers,
            num_attention_heads=_config(path).get("num_attention_heads") or max(size // 64, 1),
            intermediate_size=state["bert.encoder.layer.0.intermediate.dense.weight"].shape[0],
            max_position_embeddings=state["bert.embeddings.position_embeddings.weight"].shape[0],
            type_vocab_size=state["bert.embeddings.token_type_embeddings.weight"].shape[0],
        )
    except KeyError as error:
        raise ConfigurationError(f"{path}: not one of WebShop's choice models (no {error})") from error
    network = ChoiceNetwork(config, image="image_linear.weight" in state)
    missing, unknown = network.load_state_dict(state, strict=False)
    # Only the value head may be absent: imitation never trained it.
    lacking = [name for name in missing if not name.startswith("linear_3.")]
    strange = [name for name in unknown if name not in _IGNORED]
    if lacking or strange:
        raise ConfigurationError(f"{path}: not one of WebShop's choice models: lacks {lacking[:3]}, has {strange[:3]}")
    network.eval()
    return network


def search_model(path: Path) -> BartForConditionalGeneration:
    """The search model (BART). Width and depth come from its ``config.json``. Raises ``ConfigurationError`` without one."""
    if not (path / "config.json").is_file():
        raise ConfigurationError(f"{path}: a search model needs its config.json")
    model = BartForConditionalGeneration(BartConfig(**_config(path)))
    missing, unknown = model.load_state_dict(tensors(path), strict=False)
    tied = ("lm_head.weight", "embed_tokens.weight", "final_logits_bias")
    if lacking := [name for name in missing if not name.endswith(tied)]:
        raise ConfigurationError(f"{path}: not a BART search model: lacks {lacking[:3]}, has {unknown[:3]}")
    model.tie_weights()
    model.train(False)
    return model


def _config(path: Path) -> dict[str, Any]:
    file = (path if path.is_dir() else path.parent) / "config.json"
    if not file.is_file():
        return {}
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found
