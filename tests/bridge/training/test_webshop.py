"""WebShop's preset from end to end on tiny models made here."""

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from bridge import train  # noqa: E402
from bridge.training import webshop  # noqa: E402
from policies.webshop import checkpoints  # noqa: E402
from policies.webshop.network import ChoiceNetwork  # noqa: E402

pytestmark = pytest.mark.models
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
    "search",
    "back",
    "to",
    "next",
    ">",
]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    torch.manual_seed(0)
    bert, bart = tmp_path / "bert", tmp_path / "bart"
    for folder in (bert, bart):
        folder.mkdir()
        (folder / "vocab.txt").write_text("\n".join(dict.fromkeys(WORDS)) + "\n")
        (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": True}))
    sizes = {"vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 16}
    torch.save(ChoiceNetwork(transformers.BertConfig(**sizes), False).state_dict(), bert / "pytorch_model.bin")
    sizes = {"d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2, "decoder_attention_heads": 2}
    config = transformers.BartConfig(vocab_size=40, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=600, **sizes)
    transformers.BartForConditionalGeneration(config).save_pretrained(bart)
    return tmp_path


@pytest.mark.parametrize(("stage", "kept"), [("search", "bart"), ("choice", "bert"), ("rl", "bert")])
def test_a_stage_trains_and_leaves_a_checkpoint(out: Path, stage: str, kept: str) -> None:
    load = checkpoints.choice_network if kept == "bert" else checkpoints.search_model
    before = {name: value.clone() for name, value in load(out / kept).state_dict().items()}
    assert train.main([stage, "--preset", "webshop", "--out", str(out), "--rounds", "1", "--limit", "3"]) == 0
    after = load(out / kept).state_dict()
    assert after.keys() == before.keys()
    assert any(not torch.equal(before[name], after[name]) for name in before)
    assert "preset" in json.loads((out / f"results-webshop-{stage}.json").read_text())


def test_without_a_model_to_start_from_it_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main(["choice", "--preset", "webshop", "--out", str(tmp_path)]) == 2
    assert "no model to start from" in capsys.readouterr().err


def test_the_preset_is_the_papers() -> None:
    preset = webshop.Preset()
    assert (preset.search_epochs, preset.search_batch, preset.search_length) == (10, 4, 256)
    assert (preset.choice_epochs, preset.choice_batch, preset.choice_rate) == (10, 32, 2e-5)
    assert (preset.unroll, preset.environments, preset.discount, preset.rl_rate, preset.clip) == (8, 4, 0.9, 1e-5, 10.0)
