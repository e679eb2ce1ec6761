"""WebShop's models as a policy (extra ``models``: torch, transformers, safetensors)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor
from transformers import AutoTokenizer

from bridge.actions import ValidActions
from bridge.errors import ConfigurationError
from bridge.goals import Goal
from bridge.observations import View
from policies.base import Decision
from policies.webshop import checkpoints
from policies.webshop.network import ChoiceNetwork, Scorer
from policies.webshop.texts import MARKS, clean, goal_text, named_actions, reduced, titles

MOST_TOKENS = 512
"""Longest text that the choice model reads; longer ones lose their beginning, as in training."""
IMAGE_FEATURES = 512
Marks = Literal["words", "pieces"]
"""How the button marks are read: as words of their own (imitation), or in pieces (reinforcement)."""


class ChoiceModel:
    """A choice checkpoint with its tokenizer."""

    def __init__(self, checkpoint: str | ChoiceNetwork, tokenizer: str = "bert-base-uncased", marks: Marks | None = None) -> None:
        """``marks`` is ``pieces`` for a checkpoint whose name holds ``il-rl``, else ``words``, unless given.

        Raises ``ConfigurationError`` for what cannot be loaded, and for a tokenizer with more words than the checkpoint.
        """
        network = checkpoints.choice_network(checkpoints.folder_of(checkpoint)) if isinstance(checkpoint, str) else checkpoint
        reinforced = isinstance(checkpoint, str) and "il-rl" in checkpoint
        self.tokenizer = choice_tokenizer(tokenizer, marks or ("pieces" if reinforced else "words"))
        known = network.bert.config.vocab_size
        if len(self.tokenizer) > known:
            raise ConfigurationError(f"tokenizer '{tokenizer}' has {len(self.tokenizer)} words and the checkpoint {known}: not a pair")
        self.scorer = Scorer(network)

    def ids(self, text: str, most: int = MOST_TOKENS) -> list[int]:
        """Token ids of a state or an action."""
        made: list[int] = self.tokenizer(clean(text), max_length=most, truncation=True)["input_ids"]
        return made

    def scores(self, decisions: list[tuple[str, list[str], Tensor | None]]) -> list[Tensor]:
        """Log-chances of the actions of several decisions at once: state, actions, image features (zeros if none)."""
        return self.scorer([(self.ids(state), [self.ids(action) for action in actions], image) for state, actions, image in decisions])


class SearchModel:
    """The search checkpoint (BART) with its tokenizer."""

    def __init__(self, checkpoint: str, tokenizer: str = "facebook/bart-large") -> None:
        self.model: Any = checkpoints.search_model(checkpoints.folder_of(checkpoint))
        self.tokenizer = tokenizer_of(tokenizer)
        self._known: dict[tuple[str, int], list[str]] = {}

    def queries(self, instruction: str, count: int = 5) -> list[str]:
        """The best queries of a beam search as wide as their number, best first (five is the published setting).

        They are searched for once: an agent that comes back to the search page reads the same instruction.
        """
        if (instruction, count) not in self._known:
            self._known[instruction, count] = self._searched(instruction, count)
        return self._known[instruction, count]

    def _searched(self, instruction: str, count: int) -> list[str]:
        ids = torch.tensor([self.tokenizer(instruction)["input_ids"]])
        with torch.inference_mode():
            found = self.model.generate(ids, max_length=512, num_beams=count, num_return_sequences=count)
        made: list[str] = self.tokenizer.batch_decode(found.tolist(), skip_special_tokens=True)
        return made


def choice_tokenizer(name: str, marks: Marks) -> Any:
    """BERT's tokenizer as the choice model uses it. Raises ``ConfigurationError`` if it cannot be had."""
    made = tokenizer_of(name, truncation_side="left")
    if marks == "words":
        made.add_tokens(list(MARKS), special_tokens=True)
    return made


def tokenizer_of(name: str, **settings: Any) -> Any:
    """The tokenizer of a folder or a Hugging Face id; code that comes with it is not run.

    Raises ``ConfigurationError`` if it cannot be had.
    """
    folder = checkpoints.folder_of(name, weights=False)
    try:
        return AutoTokenizer.from_pretrained(folder, trust_remote_code=False, local_files_only=True, **settings)
    except Exception as error:  # not a tokenizer's folder, or one that needs its own code
        raise ConfigurationError(f"tokenizer '{name}' cannot be read ({type(error).__name__}: {error})") from error


class WebShopPolicy:
    """Searches and chooses as the paper's agents do.

    Checkpoints are folders or Hugging Face ids. ``sample`` draws the query from the best five and the click by its chance, as in
    the paper; else the best of both is taken. ``images`` maps product ids to 512 features; zeros are used for others, as in
    the published transfer.
    """

    name = "webshop"
    version = "2"
    deterministic = True  # all randomness comes from the seed
    view: View = "text_rich"

    def __init__(
        self,
        choice: ChoiceModel | str = "webshop/il-choice-bert-image_0",
        search: SearchModel | str = "webshop/il_search_bart",
        sample: bool | str = False,
        images: Mapping[str, Tensor] | str | None = None,
        bert: str = "bert-base-uncased",
        bart: str = "facebook/bart-large",
    ) -> None:
        """Models, or where their checkpoints are; ``bert`` and ``bart`` are where the tokenizers are, ``images`` a safetensors file.

        Raises ``ConfigurationError`` for what cannot be loaded.
        """
        self.choice = choice if isinstance(choice, ChoiceModel) else ChoiceModel(choice, bert)
        self.search = search if not isinstance(search, str) else SearchModel(search, bart)
        self.sample = sample not in (False, "", "0")
        self.images = features_file(Path(images)) if isinstance(images, str) else images or {}
        if self.images and self.choice.scorer.network.image_linear is None:
            raise ConfigurationError("image features are given, but the choice checkpoint reads none")

    def reset(self, goal: Goal, seed: int) -> None:
        """Begin an episode."""
        self._random = torch.Generator().manual_seed(seed)
        self._opened = ""

    def act(self, observation: str, valid_actions: ValidActions, info: Mapping[str, Any]) -> Decision:
        """The next action, with the log-chances of the clicks."""
        if valid_actions.has_search_bar:
            queries = self.search.queries(goal_text(observation))
            query = queries[int(torch.randint(len(queries), (1,), generator=self._random))] if self.sample else queries[0]
            return Decision(action=f"search[{query}]", note="the search model's query")
        named = named_actions(valid_actions.clickables, titles(observation))
        draws = torch.randperm(max(len(named) - 6, 0), generator=self._random)[:10].tolist()
        names = reduced(list(named), draws) if self.sample else list(named)
        if not names:
            return Decision(action="finish", note="nothing can be clicked")
        image = self.images.get(self._opened) if "buy now" in valid_actions.clickables else None
        scores = self.choice.scores([(observation, names, image)])[0]
        place = int(torch.multinomial(scores.exp(), 1, generator=self._random)) if self.sample else int(scores.argmax())
        action = named[names[place]]
        if names[place].startswith("click[item - "):
            self._opened = action[6:-1]
        return Decision(action=action, scores={named[name]: float(score) for name, score in zip(names, scores, strict=True)})

    def close(self) -> None:
        """Models go with the policy."""


def features_file(path: Path) -> dict[str, Tensor]:
    """Image features of products, by id in lower case, from a safetensors file. Raises ``ConfigurationError``."""
    found = checkpoints.tensors(path)
    if wrong := [name for name, value in found.items() if value.shape != (IMAGE_FEATURES,)]:
        raise ConfigurationError(f"{path}: '{wrong[0]}' is not {IMAGE_FEATURES} image features")
    return {name.lower(): value.float() for name, value in found.items()}
