"""Tiny checkpoints in the form of WebShop's, with a tokenizer of a few words beside each; and WebShop's own modules from a checkout."""

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "click",
    "[",
    "]",
    "item",
    "-",
    "buy",
    "now",
    "red",
    "lamp",
    "button",
    "_",
    "clicked",
]
WORDS += ["search", "back", "to", "next", ">", "a"]
SIZES = {"hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 1, "intermediate_size": 48}
MARKS = 4
"""Button marks that the choice models add to the words."""


def tokenizer(folder: Path) -> Path:
    """Write the tokenizer into the folder, which is made."""
    folder.mkdir(exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": True}))
    return folder


def choice(folder: Path, image: bool = False, drop: str = "linear_3.") -> dict[str, Any]:
    """Write a choice checkpoint with random weights, without those whose names begin with ``drop``; its tensors."""
    import torch
    from transformers import BertConfig

    from policies.webshop.network import ChoiceNetwork

    torch.manual_seed(0)
    network = ChoiceNetwork(BertConfig(vocab_size=len(WORDS) + MARKS, **SIZES), image)
    state = {name: value for name, value in network.state_dict().items() if not name.startswith(drop)}
    state["bert.embeddings.position_ids"] = torch.arange(512)[None]  # a buffer of old files
    torch.save(state, tokenizer(folder) / "pytorch_model.bin")
    return state


def plain_bert(folder: Path) -> dict[str, Any]:
    """Write a BERT without WebShop's heads and marks, named as the files of 2018 are; its tensors."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    torch.manual_seed(0)
    state = BertForMaskedLM(BertConfig(vocab_size=len(WORDS), **SIZES)).state_dict()
    greek = {name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): state[name] for name in state}
    torch.save(greek, tokenizer(folder) / "pytorch_model.bin")
    return dict(state)


def search(folder: Path) -> Any:
    """Write a search checkpoint with random weights and the rules of decoding of BART's published ``config.json``; the model."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    torch.manual_seed(0)
    sizes = {"d_model": 16, "encoder_layers": 1, "decoder_layers": 2, "encoder_attention_heads": 2, "decoder_attention_heads": 2}
    sizes |= {"vocab_size": len(WORDS), "encoder_ffn_dim": 16, "decoder_ffn_dim": 16, "max_position_embeddings": 600}
    words = {"pad_token_id": 0, "bos_token_id": 2, "decoder_start_token_id": 3, "eos_token_id": 3, "forced_eos_token_id": 3}
    model = BartForConditionalGeneration(BartConfig(**sizes, **words)).eval()
    model.final_logits_bias[0, 3] = 0.1  # ends its queries at last
    torch.save(model.state_dict(), tokenizer(folder) / "pytorch_model.bin")
    rules = {"num_beams": 4, "no_repeat_ngram_size": 3, "early_stopping": True, "forced_bos_token_id": 2}
    (folder / "config.json").write_text(json.dumps({"model_type": "bart", **sizes, **words, **rules}))
    return model


def own_module(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module of WebShop's ``baseline_models`` from the checkout that ``WEBSHOP_CHECKOUT`` names; skips where there is none."""
    from transformers import BertConfig

    checkout = os.environ.get("WEBSHOP_CHECKOUT")
    if not checkout:
        pytest.skip("WEBSHOP_CHECKOUT names no checkout of princeton-nlp/WebShop")
    monkeypatch.syspath_prepend(str(Path(checkout) / "baseline_models"))
    monkeypatch.setattr(BertConfig, "from_pretrained", classmethod(lambda cls, *_: cls()))  # else it downloads one
    made = importlib.import_module(name)
    for known in ("models", "agent"):
        sys.modules.pop(known, None)
    return made


def own_network(image: bool, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """WebShop's own choice network with random weights, two layers deep, and ours with the same."""
    from transformers import BertConfig

    from policies.webshop.network import ChoiceNetwork

    module = own_module("models.bert", monkeypatch)
    sizes = {"vocab_size": 30526, "num_hidden_layers": 2}
    fields = BertConfig(**sizes).to_dict()
    del fields["model_type"], fields["transformers_version"]
    theirs = module.BertModelForWebshop(module.BertConfigForWebshop(pretrained_bert=False, image=image, **fields)).eval()
    ours = ChoiceNetwork(BertConfig(**sizes), image).eval()
    ours.load_state_dict(theirs.state_dict())
    return theirs, ours
