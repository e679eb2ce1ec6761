"""WebShop's checkpoints: what is loaded, what is refused, and what the policy makes of it."""

import json
import pickle
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import webshop_checkpoints as tiny

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from bridge.actions import ValidActions  # noqa: E402
from bridge.errors import ConfigurationError  # noqa: E402
from bridge.goals import Goal  # noqa: E402
from policies.webshop import checkpoints  # noqa: E402
from policies.webshop.policy import ChoiceModel, SearchModel, WebShopPolicy, features_file  # noqa: E402

pytestmark = pytest.mark.models
torch.set_num_threads(1)  # the models are so small that threads only wait for each other
START = "WebShop\nInstruction: \na red lamp\n[button] Search [button_]\n"
RESULTS = (
    "Instruction:\na lamp\n[button] Back to Search [button_]\nPage 1 (Total results: 1)\n\n[button] B000000001 [button_]\nRed Lamp\n$5.0\n"
)
ITEM = "Instruction:\na lamp\n[button] < Prev [button_]\nRed Lamp\nPrice: $5.0\n[button] Buy Now [button_]\n"
SEARCH_PAGE = ValidActions(has_search_bar=True, clickables=("search",))
RESULTS_PAGE = ValidActions(has_search_bar=False, clickables=("back to search", "b000000001"))
ITEM_PAGE = ValidActions(has_search_bar=False, clickables=("< prev", "buy now"))


@pytest.mark.parametrize("image", [False, True])
def test_sizes_come_from_the_file_and_the_value_head_may_be_absent(tmp_path: Path, image: bool) -> None:
    state = tiny.choice(tmp_path, image)
    made = checkpoints.choice_network(tmp_path)
    assert len(made.bert.encoder.layer) == 3
    assert (made.image_linear is not None) == image
    assert torch.equal(made.linear_1.weight, state["linear_1.weight"])


def test_a_bare_file_and_safetensors_are_read(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    state = tiny.choice(tmp_path)
    file = (tmp_path / "pytorch_model.bin").rename(tmp_path / "choice_il_epoch9.pth")
    assert torch.equal(checkpoints.choice_network(file).linear_2.weight, state["linear_2.weight"])
    save_file(state, tmp_path / "model.safetensors")
    assert torch.equal(checkpoints.choice_network(tmp_path).linear_2.weight, state["linear_2.weight"])


@pytest.mark.parametrize("drop", ["linear_1.", "bert.encoder.layer.1.", "bert.embeddings.word", "attn."])
def test_a_file_that_lacks_weights_is_refused(tmp_path: Path, drop: str) -> None:
    tiny.choice(tmp_path, drop=drop)
    with pytest.raises(ConfigurationError, match="not one of WebShop's choice models"):
        checkpoints.choice_network(tmp_path)


def test_a_file_with_a_tensor_of_another_shape_is_refused(tmp_path: Path) -> None:
    state = tiny.choice(tmp_path)
    torch.save({**state, "linear_1.weight": torch.zeros(2, 2)}, tmp_path / "pytorch_model.bin")
    with pytest.raises(ConfigurationError, match=r"linear_1\.weight"):
        checkpoints.choice_network(tmp_path)


class Trap:
    """Executed when it is unpickled without care."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.file,))


class Module(torch.nn.Module):  # type: ignore[misc]
    """A whole module, as WebShop's reinforcement saves it."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.trap = Trap(file)


@pytest.mark.parametrize(
    ("load", "name"),
    [
        (checkpoints.choice_network, "pytorch_model.bin"),
        (checkpoints.choice_network, "choice_il_epoch9.pth"),
        (checkpoints.search_model, "pytorch_model.bin"),
        (features_file, "images.pt"),
    ],
)
@pytest.mark.parametrize(
    "write",
    [
        lambda trap, file: file.write_bytes(pickle.dumps(trap)),
        lambda trap, file: torch.save({"linear_1.weight": torch.zeros(2), "more": trap}, file),
        lambda trap, file: torch.save({"linear_1.weight": trap}, file, _use_new_zipfile_serialization=False),
        lambda trap, file: torch.save(Module(trap.file), file),
    ],
    ids=["pickle", "zip", "file of old", "module"],
)
def test_nothing_in_a_pickle_is_executed(tmp_path: Path, load: Callable[[Path], Any], name: str, write: Any) -> None:
    executed, file = tmp_path / "executed", tmp_path / name
    write(Trap(executed), file)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bart", "d_model": 16}))
    with pytest.raises(ConfigurationError, match="tensors only"):
        load(tmp_path if name == "pytorch_model.bin" else file)
    assert not executed.exists()


def test_code_that_comes_with_a_checkpoint_is_not_run(tmp_path: Path) -> None:
    executed = tmp_path / "executed"
    tiny.choice(tmp_path)
    (tmp_path / "webshop_bert.py").write_text(f"import pathlib\npathlib.Path({str(executed)!r}).touch()\nclass Own: pass\n")
    own = {"auto_map": {"AutoModel": "webshop_bert.Own", "AutoConfig": "webshop_bert.Own"}, "model_type": "bert"}
    (tmp_path / "config.json").write_text(json.dumps(own))
    ChoiceModel(str(tmp_path), str(tmp_path))
    settings = {"tokenizer_class": "Own", "auto_map": {"AutoTokenizer": ["webshop_bert.Own", "webshop_bert.Own"]}}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings))
    with pytest.raises(ConfigurationError, match="tokenizer"):
        ChoiceModel(str(tmp_path), str(tmp_path))
    assert not executed.exists()


def test_everything_loads_with_the_network_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From folders, and by name from what was downloaded once."""
    from huggingface_hub import constants

    def down(*_: Any, **__: Any) -> None:
        raise OSError("the network is off")

    monkeypatch.setattr(socket, "getaddrinfo", down)
    monkeypatch.setattr(socket.socket, "connect", down)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    choice, search = tmp_path / "choice", tmp_path / "search"
    tiny.choice(choice)
    tiny.search(search)
    for name, folder in (("somebody/choice", choice), ("somebody/search", search)):
        kept = tmp_path / "cache" / f"models--{name.replace('/', '--')}"
        (kept / "refs").mkdir(parents=True)
        (kept / "refs" / "main").write_text("0" * 40)
        shutil.copytree(folder, kept / "snapshots" / ("0" * 40))
    wanted = ChoiceModel(str(choice), str(choice)).scores([(RESULTS, ["click[buy now]", "click[back to search]"], None)])
    found = ChoiceModel("somebody/choice", "somebody/choice").scores([(RESULTS, ["click[buy now]", "click[back to search]"], None)])
    assert torch.equal(wanted[0], found[0])
    assert SearchModel("somebody/search", "somebody/search").queries("a red lamp") == SearchModel(str(search), str(search)).queries(
        "a red lamp"
    )


def test_names_that_lead_nowhere_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ConfigurationError, match="is no folder here"):
        SearchModel("nobody/nothing-at-all")
    with pytest.raises(ConfigurationError, match="is no folder here"):
        ChoiceModel("nobody/nothing-at-all")


def test_marks_are_words_for_imitation_and_pieces_for_reinforcement(tmp_path: Path) -> None:
    imitated, reinforced = tmp_path / "il-choice-bert-image_0", tmp_path / "il-rl-choice-bert-image_1"
    for folder in (imitated, reinforced):
        tiny.choice(folder)
    text = "[button] lamp [button_] [clicked button] lamp [clicked button_]"
    first, lamp = len(tiny.WORDS), tiny.WORDS.index("lamp")
    words = [2, first, lamp, first + 1, first + 2, lamp, first + 3, 3]
    assert ChoiceModel(str(imitated), str(imitated)).ids(text) == words
    pieces = ChoiceModel(str(reinforced), str(reinforced)).ids(text)
    assert [tiny.WORDS[word] for word in pieces[1:9]] == ["[", "button", "]", "lamp", "[", "button", "_", "]"]
    assert ChoiceModel(str(imitated), str(imitated), marks="pieces").ids(text) == pieces
    assert ChoiceModel(str(reinforced), str(imitated), marks="words").ids(text) == words


def test_a_tokenizer_with_more_words_than_the_checkpoint_is_refused(tmp_path: Path) -> None:
    tiny.choice(tmp_path)
    with (tmp_path / "vocab.txt").open("a") as words:
        words.write("\n".join(f"word{number}" for number in range(9)) + "\n")
    with pytest.raises(ConfigurationError, match="not a pair"):
        ChoiceModel(str(tmp_path), str(tmp_path))


def test_long_states_lose_their_beginning(tmp_path: Path) -> None:
    tiny.choice(tmp_path)
    ids = ChoiceModel(str(tmp_path), str(tmp_path)).ids("red " * 600 + "lamp")
    assert (len(ids), ids[0], ids[-2:]) == (512, 2, [tiny.WORDS.index("lamp"), 3])


def test_several_episodes_are_scored_at_once_as_if_alone(tmp_path: Path) -> None:
    tiny.choice(tmp_path)
    decisions = [(RESULTS, ["click[back to search]", "click[item - red lamp]"], None), (ITEM, ["click[< prev]", "click[buy now]"], None)]
    alone = [ChoiceModel(str(tmp_path), str(tmp_path)).scores([decision])[0] for decision in decisions]
    together = ChoiceModel(str(tmp_path), str(tmp_path)).scores(decisions)
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(alone, together, strict=True))


def test_queries_are_those_of_the_published_call(tmp_path: Path) -> None:
    tiny.search(tmp_path)
    model = transformers.BartForConditionalGeneration.from_pretrained(tmp_path)
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    found = model.generate(torch.tensor([tokenizer("a red lamp")["input_ids"]]), max_length=512, num_return_sequences=5, num_beams=5)
    wanted = tokenizer.batch_decode(found.tolist(), skip_special_tokens=True)
    assert SearchModel(str(tmp_path), str(tmp_path)).queries("a red lamp") == wanted
    assert len(set(wanted)) == 5
    # The rules of decoding are in config.json (2022) or in a file of their own (now).
    rules = {"num_beams": 4, "no_repeat_ngram_size": 1, "decoder_start_token_id": 3, "eos_token_id": 3, "pad_token_id": 0}
    (tmp_path / "generation_config.json").write_text(json.dumps(rules))
    assert SearchModel(str(tmp_path), str(tmp_path)).model.generation_config.no_repeat_ngram_size == 1


@pytest.mark.parametrize("plain", [False, True])
def test_a_search_model_of_any_size_is_loaded(tmp_path: Path, plain: bool) -> None:
    wanted = tiny.search(tmp_path).state_dict()
    if plain:  # BART as it is published: without a head, its names without the first part
        names = [name for name in wanted if name.startswith("model.")]
        torch.save({name.removeprefix("model."): wanted[name] for name in names}, tmp_path / "pytorch_model.bin")
        wanted["final_logits_bias"] = torch.zeros_like(wanted["final_logits_bias"])
    found = checkpoints.search_model(tmp_path).state_dict()
    assert found.keys() == wanted.keys()
    assert all(torch.equal(wanted[name], found[name]) for name in wanted)


def test_a_search_model_that_lacks_weights_is_refused(tmp_path: Path) -> None:
    state = tiny.search(tmp_path).state_dict()
    del state["model.encoder.embed_positions.weight"]
    torch.save(state, tmp_path / "pytorch_model.bin")
    with pytest.raises(ConfigurationError, match="embed_positions"):
        checkpoints.search_model(tmp_path)
    (tmp_path / "config.json").unlink()
    with pytest.raises(ConfigurationError, match=r"needs its config\.json"):
        checkpoints.search_model(tmp_path)


class Queries:
    """A search model that knows its answers."""

    def queries(self, instruction: str) -> list[str]:
        return [f"{instruction} {n}" for n in range(5)]


def policy(folder: Path, **settings: Any) -> WebShopPolicy:
    made = WebShopPolicy(ChoiceModel(str(folder), str(folder)), Queries(), **settings)  # type: ignore[arg-type]
    made.reset(Goal(instruction="a red lamp"), 0)
    return made


def test_the_best_of_both_models_is_taken(tmp_path: Path) -> None:
    tiny.choice(tmp_path)
    made = policy(tmp_path)
    assert made.act(START, SEARCH_PAGE, {}).action == "search[a red lamp 0]"
    decision = made.act(RESULTS, RESULTS_PAGE, {})
    # A product is scored by its title and clicked by its id.
    scores = made.choice.scores([(RESULTS, ["click[back to search]", "click[item - red lamp]"], None)])[0].tolist()
    assert decision.scores == dict(zip(["click[back to search]", "click[b000000001]"], scores, strict=True))
    assert decision.action == max(decision.scores, key=decision.scores.__getitem__)


def test_queries_and_clicks_are_drawn_by_the_seed_if_asked(tmp_path: Path) -> None:
    tiny.choice(tmp_path)
    made = policy(tmp_path, sample=True)

    def walk(seed: int) -> tuple[str, str]:
        made.reset(Goal(instruction="a red lamp"), seed)
        return made.act(START, SEARCH_PAGE, {}).action, made.act(RESULTS, RESULTS_PAGE, {}).action

    walks = [walk(seed) for seed in range(40)]
    assert walks == [walk(seed) for seed in range(40)]
    assert {query for query, _ in walks} == {f"search[a red lamp {n}]" for n in range(5)}
    assert {click for _, click in walks} == {"click[back to search]", "click[b000000001]"}


def test_the_image_head_gets_zeros_or_the_opened_products_features(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    tiny.choice(tmp_path, image=True)
    features = torch.arange(512) / 10  # far from the states: random weights hardly look at an image else
    save_file({"B000000001": features, "B000000002": features + 1}, tmp_path / "images.safetensors")
    bare, seeing = policy(tmp_path), policy(tmp_path, images=str(tmp_path / "images.safetensors"))
    names = ["click[< prev]", "click[buy now]"]
    zeros, own = (bare.choice.scores([(ITEM, names, image)])[0].tolist() for image in (torch.zeros(512), features))
    assert zeros != own
    only = ValidActions(has_search_bar=False, clickables=("b000000001",))
    for made, wanted in ((bare, zeros), (seeing, own)):
        assert made.act(RESULTS, only, {}).action == "click[b000000001]"
        found = made.act(ITEM, ITEM_PAGE, {}).scores
        assert found is not None
        assert list(found.values()) == wanted


def test_features_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    tiny.choice(tmp_path)
    with pytest.raises(ConfigurationError, match="reads none"):
        policy(tmp_path, images={"b000000001": torch.zeros(512)})
    torch.save({"B000000001": torch.zeros(3)}, tmp_path / "images.pt")
    with pytest.raises(ConfigurationError, match="not 512 image features"):
        features_file(tmp_path / "images.pt")
