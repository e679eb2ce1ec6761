import json
import pickle
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from bridge.actions import ValidActions  # noqa: E402
from bridge.errors import ConfigurationError  # noqa: E402
from bridge.goals import Goal  # noqa: E402
from policies.webshop import checkpoints  # noqa: E402
from policies.webshop.network import ChoiceNetwork  # noqa: E402
from policies.webshop.policy import ChoiceModel, SearchModel, WebShopPolicy  # noqa: E402

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
    "red",
    "lamp",
    "item",
    "-",
    "buy",
    "now",
    "button",
    "_",
    "back",
    "to",
    "search",
]
RESULTS = (
    "Instruction:\na lamp\n[button] Back to Search [button_]\nPage 1 (Total results: 1)\n\n[button] B000000001 [button_]\nRed Lamp\n$5.0\n"
)


def network(image: bool = False) -> ChoiceNetwork:
    torch.manual_seed(0)
    sizes = {"vocab_size": len(WORDS) + 4, "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 1, "intermediate_size": 48}
    return ChoiceNetwork(transformers.BertConfig(**sizes), image)


def save(folder: Path, image: bool = False, drop: str = "linear_3.") -> dict[str, Any]:
    state = {name: value for name, value in network(image).state_dict().items() if not name.startswith(drop)}
    state["bert.embeddings.position_ids"] = torch.arange(512)[None]
    torch.save(state, folder / "pytorch_model.bin")
    return state


@pytest.fixture
def tokenizer(tmp_path: Path) -> str:
    folder = tmp_path / "bert"
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": True}))
    return str(folder)


@pytest.mark.parametrize("image", [False, True])
def test_sizes_come_from_the_file_and_the_value_head_may_be_absent(tmp_path: Path, image: bool) -> None:
    state = save(tmp_path, image)
    made = checkpoints.choice_network(tmp_path)
    assert len(made.bert.encoder.layer) == 3
    assert (made.image_linear is not None) == image
    assert torch.equal(made.linear_1.weight, state["linear_1.weight"])


def test_a_safetensors_file_is_read(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    save_file(network().state_dict(), tmp_path / "model.safetensors")
    assert checkpoints.choice_network(tmp_path).linear_3[0].weight.shape == (128, 64)


def test_a_file_that_lacks_weights_is_refused(tmp_path: Path) -> None:
    save(tmp_path, drop="linear_1.")
    with pytest.raises(ConfigurationError, match="lacks"):
        checkpoints.choice_network(tmp_path)


def test_nothing_in_a_pickle_is_executed(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (tmp_path / "executed",))

    (tmp_path / "pytorch_model.bin").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ConfigurationError, match="tensors only"):
        checkpoints.choice_network(tmp_path)
    torch.save({"model": Trap()}, tmp_path / "pytorch_model.bin")
    with pytest.raises(ConfigurationError, match="tensors only"):
        checkpoints.choice_network(tmp_path)
    assert not (tmp_path / "executed").exists()


def test_marks_are_words_for_imitation_and_pieces_for_reinforcement(tmp_path: Path, tokenizer: str) -> None:
    save(tmp_path)
    words = ChoiceModel(str(tmp_path), tokenizer).ids("[button] lamp [button_]")
    pieces = ChoiceModel(str(tmp_path), tokenizer, marks="pieces").ids("[button] lamp [button_]")
    assert words == [2, len(WORDS), 9, len(WORDS) + 1, 3]
    assert len(pieces) > len(words)
    assert max(pieces) < len(WORDS)


def test_long_states_lose_their_beginning(tmp_path: Path, tokenizer: str) -> None:
    save(tmp_path)
    ids = ChoiceModel(str(tmp_path), tokenizer).ids("red " * 600 + "lamp")
    assert (len(ids), ids[0], ids[-2:]) == (512, 2, [9, 3])


class Queries:
    """A search model that knows its answers."""

    def queries(self, instruction: str) -> list[str]:
        return [f"{instruction} {n}" for n in range(5)]


def test_an_episode_of_the_policy(tmp_path: Path, tokenizer: str) -> None:
    save(tmp_path)
    start = "WebShop\nInstruction: \na red lamp\n[button] Search [button_]\n"
    valid = ValidActions(has_search_bar=False, clickables=("back to search", "b000000001"))
    chosen = set()
    for sample, seed in [(False, 0), (False, 1), *((True, seed) for seed in range(12))]:
        policy = WebShopPolicy(ChoiceModel(str(tmp_path), tokenizer), Queries(), sample)  # type: ignore[arg-type]
        policy.reset(Goal(instruction="a red lamp"), seed)
        query = policy.act(start, ValidActions(has_search_bar=True, clickables=("search",)), {}).action
        decision = policy.act(RESULTS, valid, {})
        assert decision.scores is not None
        assert decision.scores.keys() == {"click[back to search]", "click[b000000001]"}
        if not sample:
            assert (query, decision.action) == ("search[a red lamp 0]", max(decision.scores, key=decision.scores.__getitem__))
        chosen.add(query)
    assert len(chosen) > 1


def test_a_search_model_of_any_size_is_loaded(tmp_path: Path) -> None:
    sizes = {"d_model": 16, "encoder_layers": 1, "decoder_layers": 2, "encoder_attention_heads": 2, "decoder_attention_heads": 2}
    config = transformers.BartConfig(vocab_size=50, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=600, **sizes)
    model = transformers.BartForConditionalGeneration(config)
    model.save_pretrained(tmp_path)
    loaded = checkpoints.search_model(tmp_path)
    assert all(torch.equal(value, loaded.state_dict()[name]) for name, value in model.state_dict().items())


def test_names_that_lead_nowhere_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ConfigurationError, match="is no folder here"):
        SearchModel("nobody/nothing-at-all")
