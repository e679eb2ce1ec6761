"""What the stages of WebShop's own training share: hyper-parameters, models to start from, checkpoints."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import torch
from safetensors.torch import save_file
from torch import Tensor

from bridge.errors import ConfigurationError
from bridge.training.material import Material
from bridge.training.run import Run
from policies.webshop import checkpoints
from policies.webshop.network import ChoiceNetwork
from policies.webshop.policy import ChoiceModel, SearchModel, choice_tokenizer
from policies.webshop.texts import reduced

Row = TypeVar("Row")


@dataclass(frozen=True)
class Preset:
    """WebShop's hyper-parameters: the defaults of ``train_search_il.py``, ``train_choice_il.py`` and ``train_rl.py``."""

    search_epochs: int = 10
    search_batch: int = 4
    search_rate: float = 5e-5
    search_warmup: int = 50
    search_decay: float = 0.01
    """Not of biases and norms, as Hugging Face's trainer does."""
    search_clip: float = 1.0
    search_length: int = 256
    choice_epochs: int = 10
    choice_batch: int = 32
    """One decision at a time, 32 to a step."""
    choice_rate: float = 2e-5
    choice_decay: float = 0.0
    choice_action_length: int = 128
    unroll: int = 8
    environments: int = 4
    discount: float = 0.9
    rl_rate: float = 1e-5
    clip: float = 10.0
    policy: float = 1.0
    value: float = 1.0
    entropy: float = 1.0
    reward_scale: float = 10.0
    rl_steps: int = 300_000
    """Steps of every environment."""
    rl_action_length: int = 64
    candidates: int = 10
    """Queries of the search model that reinforcement chooses from, beside the instruction."""
    episode_limit: int = 100


@dataclass(frozen=True)
class Task:
    """What a stage is given."""

    run: Run
    material: Material
    preset: Preset
    seed: int
    most: int | None
    """Goals or queries to train on, all of them if ``None``."""
    limit: int
    """Held-out goals to evaluate on."""
    resume: bool

    def _base(self, name: str) -> str:
        links = self.run.folder / "base.json"
        known = json.loads(links.read_text(encoding="utf-8")) if links.is_file() else {}
        if (self.run.folder / name).is_dir():
            return str(self.run.folder / name)
        if name in known:
            return str(known[name])
        example = f'{{"{name}": "FOLDER or Hugging Face id"}}'
        raise ConfigurationError(f"{self.run.folder / name}: no model to start from; put a checkpoint there or {example} in {links}")

    def search_model(self) -> SearchModel:
        """The search model to start from, WebShop's or a plain BART. Raises ``ConfigurationError`` if there is none."""
        base = self._base("bart")
        return SearchModel(base, base)

    def choice_model(self) -> ChoiceModel:
        """The choice model to start from, WebShop's or a plain BERT under untrained heads. Raises as ``search_model`` does."""
        base = self._base("bert")
        folder = checkpoints.folder_of(base)
        if "attn.dot_scale" in checkpoints.tensors(folder):
            return ChoiceModel(base, base)
        words = len(choice_tokenizer(base, "words"))
        return ChoiceModel(checkpoints.untrained_choice_network(folder, words), base)

    def keep(self, model: ChoiceModel) -> None:
        """Write the choice model with its tokenizer as a checkpoint folder."""
        folder, network = self.run.folder / "bert", model.scorer.network
        folder.mkdir(exist_ok=True)
        save_file({name: value.contiguous() for name, value in network.state_dict().items()}, folder / "model.safetensors")
        settings = {"model_type": "bert", "num_attention_heads": network.bert.config.num_attention_heads}
        (folder / "config.json").write_text(json.dumps(settings) + "\n", encoding="utf-8")
        model.tokenizer.save_pretrained(folder)

    def some(self, rows: Sequence[Row]) -> list[Row]:
        """Those to train on: all, or as many as a small scale takes."""
        return list(rows) if self.most is None else random.Random(self.seed).sample(list(rows), min(self.most, len(rows)))


def shuffled(rows: Sequence[Row], size: int, seed: int, epoch: int) -> Iterator[Sequence[Row]]:
    """The rows in this epoch's order, in batches; torch's randomness (dropout) begins with the epoch, too, so that a resumed run is
    the same as one that was not stopped."""
    torch.manual_seed(seed * 1000 + epoch)
    order = random.Random(f"{seed} {epoch}").sample(rows, len(rows))
    return (order[at : at + size] for at in range(0, len(order), size))


def cut(names: Sequence[str], rng: random.Random) -> list[str]:
    """What WebShop weighs of the names, the others drawn by ``rng``."""
    return reduced(names, rng.sample(range(len(names) - 6), 10) if len(names) > 20 else [])


def scores(network: ChoiceNetwork, state: list[int], actions: list[list[int]]) -> tuple[Tensor, Tensor]:
    """Log-chances of the actions (no image) and the state's value, with gradients."""
    width = max(map(len, actions))
    encoded, *others = network.encode([state, *actions], [len(state), *[width] * len(actions)])
    found = network.score(network.seen(encoded, None), torch.stack(others), [len(action) for action in actions])
    return found, network.value(encoded)
