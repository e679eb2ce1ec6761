"""WebShop's checkpoints from a folder or a Hugging Face id, by our own code: tensors only, nothing in them is executed."""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import BartConfig, BartForConditionalGeneration, BertConfig, GenerationConfig

from bridge.errors import ConfigurationError
from policies.webshop.network import ChoiceNetwork

_FILES = ("model.safetensors", "pytorch_model.bin")
_SETTINGS = ("config.json", "generation_config.json")
_WORDS = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
)
_IGNORED = ("embeddings.position_ids", ".version")
"""Buffers that old files hold and the networks do not have."""


def folder_of(name: str, weights: bool = True) -> Path:
    """The folder or file itself, or the download of a Hugging Face id (settings, tokenizer and weights, nothing else).

    What was downloaded once is there without a network, too. Raises ``ConfigurationError`` if it is neither.
    """
    if Path(name).exists():
        return Path(name)
    try:
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(name, allow_patterns=[*_SETTINGS, *_WORDS, *(_FILES if weights else ())]))
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
    """The choice network of a checkpoint. Sizes come from the tensors, what they do not show from ``config.json`` if it is there.

    Raises ``ConfigurationError`` if it is no such checkpoint.
    """
    state = {name.removeprefix("module."): value for name, value in tensors(path).items()}
    try:
        network = ChoiceNetwork(_bert(state, "bert.", _config(path)), image="image_linear.weight" in state)
    except (KeyError, ValueError) as error:
        raise ConfigurationError(f"{path}: not one of WebShop's choice models ({error})") from error
    # Only the value head may be absent: imitation never trained it.
    _fill(network, state, path, "one of WebShop's choice models", "linear_3.")
    return network


def untrained_choice_network(path: Path, words: int) -> ChoiceNetwork:
    """What WebShop's training of choices begins with: a plain BERT, widened to a vocabulary of ``words``, under untrained heads.

    Raises ``ConfigurationError`` if it is no BERT.
    """
    state = {_bert_name(name): value for name, value in tensors(path).items() if not name.startswith("cls.")}
    try:
        config = _bert(state, "", _config(path))
    except (KeyError, ValueError) as error:
        raise ConfigurationError(f"{path}: not a BERT ({error})") from error
    config.vocab_size = words
    network = ChoiceNetwork(config, image=False)
    table = network.bert.embeddings.word_embeddings.weight.detach().clone()
    known = state["embeddings.word_embeddings.weight"][:words]
    table[: len(known)] = known
    _fill(network.bert, {**state, "embeddings.word_embeddings.weight": table}, path, "a BERT", "pooler.")
    return network


def search_model(path: Path) -> BartForConditionalGeneration:
    """The search model, or a plain BART to train one from. Width, depth and the rules of decoding come from its ``config.json``.

    Raises ``ConfigurationError`` without one, or if it is no BART.
    """
    if not (path / "config.json").is_file():
        raise ConfigurationError(f"{path}: a search model needs its config.json")
    settings = _config(path)
    model = BartForConditionalGeneration(BartConfig(**settings))
    # A plain BART has no head over it, so its names lack the first part.
    heads = ("model.", "lm_head.", "final_logits_bias")
    state = {name if name.startswith(heads) else f"model.{name}": value for name, value in tensors(path).items()}
    tied = ("lm_head.weight", "model.encoder.embed_tokens.", "model.decoder.embed_tokens.")
    _fill(model, state, path, "a BART search model", *tied, "final_logits_bias")
    model.tie_weights()
    rules = _config(path, "generation_config.json") or settings
    known = GenerationConfig.from_dict({})
    model.generation_config = GenerationConfig.from_dict({name: value for name, value in rules.items() if hasattr(known, name)})
    return model


def _bert(state: dict[str, Tensor], prefix: str, settings: dict[str, Any]) -> BertConfig:
    """Sizes of the BERT whose tensors have the prefix. Raises ``KeyError`` or ``ValueError`` if there is none."""
    words, size = state[f"{prefix}embeddings.word_embeddings.weight"].shape
    layer = f"{prefix}encoder.layer."
    return BertConfig(
        vocab_size=words,
        hidden_size=size,
        num_hidden_layers=1 + max(int(name.removeprefix(layer).split(".")[0]) for name in state if name.startswith(layer)),
        num_attention_heads=settings.get("num_attention_heads") or max(size // 64, 1),
        intermediate_size=state[f"{layer}0.intermediate.dense.weight"].shape[0],
        max_position_embeddings=state[f"{prefix}embeddings.position_embeddings.weight"].shape[0],
        type_vocab_size=state[f"{prefix}embeddings.token_type_embeddings.weight"].shape[0],
    )


def _bert_name(name: str) -> str:
    """The name without its model's prefix; the files of 2018 call a norm's weight and bias by Greek letters."""
    return name.removeprefix("bert.").replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")


def _fill(network: torch.nn.Module, state: dict[str, Tensor], path: Path, what: str, *absent: str) -> None:
    """Load the tensors; those whose names begin with ``absent`` may lack. Raises ``ConfigurationError``."""
    try:
        missing, unknown = network.load_state_dict(state, strict=False)
    except RuntimeError as error:  # a tensor of another shape
        raise ConfigurationError(f"{path}: not {what}: {error}".replace("\n", " ")) from error
    lacking = [name for name in missing if not name.startswith(absent)]
    strange = [name for name in unknown if not name.endswith(_IGNORED)]
    if lacking or strange:
        raise ConfigurationError(f"{path}: not {what}: lacks {lacking[:3]}, has {strange[:3]}")
    network.eval()


def _config(path: Path, name: str = "config.json") -> dict[str, Any]:
    file = (path if path.is_dir() else path.parent) / name
    if not file.is_file():
        return {}
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found
