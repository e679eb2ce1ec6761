"""WebShop's choice network as published and as here: CPU time of a decision, and the largest difference of the logits.

python benchmarks/webshop_models.py CHECKOUT [--rounds 5] [--threads 1]

CHECKOUT is a clone of princeton-nlp/WebShop; its module is imported from there. Both run the same random weights of BERT-base's size
on the same threads, in turns; medians. "published" is the forward pass of ``bert_predict`` in ``transfer/app.py`` on what its collator
makes: the state once, the actions as one batch as wide as the longest. Ours is shown

- at first sight of a screen,
- with its actions known (an option was clicked, a sub page was left: the list is the same, the screen is not),
- with the whole screen known (come back to, drawn from again).

Padding weighs in WebShop's second attention, so its rows must go through BERT here as well: at first sight both have the same tokens to
encode, and with known actions the state's remain. The columns "tokens" show how many, which is what limits the gain.
"""

import argparse
import importlib
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from transformers import BertConfig

from policies.webshop.network import ChoiceNetwork, Scorer

SCREENS: dict[str, tuple[int, list[int]]] = {
    "item, 30 actions": (
        219,
        [8, 8, 6, 6, 6, 7, 6, 9, 7, 6, 6, 6, 6, 9, 10, 8, 8, 9, 11, 10, 9, 8, 8, 9, 8, 6, 6, 6, 8, 8],
    ),
    "results, 12 actions": (486, [8, 7, 32, 52, 38, 31, 25, 36, 37, 22, 36, 24]),
    "results cut at 512, 13 actions": (512, [8, 8, 7, 45, 39, 37, 46, 48, 40, 46, 40, 35, 33]),
    "512 tokens, 30 actions of a title's length": (512, [8, 8] + 4 * [32, 52, 38, 31, 25, 36, 37]),
}
"""Tokens of the state and of each action. The first three are screens of WebShop's simulator in the words of its tokenizer: the item page
with 30 actions among 3,350 recorded screens, the results page of median length, one that is cut; the last is made up."""


def published(checkout: Path, config: BertConfig) -> Any:
    """WebShop's own module with random weights; it would download BERT's, so that is turned off."""
    sys.path.insert(0, str(checkout / "baseline_models"))
    download, BertConfig.from_pretrained = BertConfig.from_pretrained, classmethod(lambda cls, *_: cls())  # type: ignore[method-assign,assignment]
    module = importlib.import_module("models.bert")
    fields = {k: v for k, v in config.to_dict().items() if k not in ("model_type", "transformers_version")}
    made = module.BertModelForWebshop(module.BertConfigForWebshop(pretrained_bert=False, image=False, **fields)).eval()
    BertConfig.from_pretrained = download  # type: ignore[method-assign]
    return made


def collated(state: list[int], actions: list[list[int]]) -> dict[str, Any]:
    """The arguments of the published forward pass."""
    width = max(map(len, actions))
    return {
        "state_input_ids": torch.tensor([state]),
        "state_attention_mask": torch.ones(1, len(state), dtype=torch.long),
        "action_input_ids": torch.tensor([ids + [0] * (width - len(ids)) for ids in actions]),
        "action_attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in actions]),
        "sizes": torch.tensor([len(actions)]),
        "images": torch.zeros(1, 512),
        "labels": torch.tensor([0]),
    }


def clock(calls: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Median CPU milliseconds of each call, all in turns."""
    spent: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            begun = time.process_time()
            call()
            spent[name].append(1000 * (time.process_time() - begun))
    return {name: statistics.median(times) for name, times in spent.items()}


def main() -> None:
    """Print one line a screen."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("checkout", type=Path)
    made.add_argument("--rounds", type=int, default=5)
    made.add_argument("--threads", type=int, default=1)
    options = made.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    config = BertConfig(vocab_size=30526)
    theirs = published(options.checkout, config)
    ours = ChoiceNetwork(config, image=False)
    ours.load_state_dict(theirs.state_dict())
    print("| screen | published | first sight | actions known | screen known | tokens: published, actions known | largest difference |")
    print("|---|---|---|---|---|---|---|")
    for name, (length, lengths) in SCREENS.items():
        state = torch.randint(1000, 30000, (length,)).tolist()
        actions = [torch.randint(1000, 30000, (tokens,)).tolist() for tokens in lengths]
        batch = collated(state, actions)
        difference = (theirs(**batch).logits[0] - Scorer(ours)([(state, actions, None)])[0]).abs().max().item()
        scorer, changes = Scorer(ours), iter(range(1000, 30000))
        scorer([(state, actions, None)])
        spent = clock(
            {
                "published": lambda batch=batch: theirs(**batch),
                "first": lambda state=state, actions=actions: Scorer(ours)([(state, actions, None)]),
                "actions": lambda state=state, actions=actions, scorer=scorer, changes=changes: scorer(
                    [([*state[:-1], next(changes)], actions, None)]
                ),
                "screen": lambda state=state, actions=actions, scorer=scorer: scorer([(state, actions, None)]),
            },
            options.rounds,
        )
        cells = [f"{spent[part]:.0f} ms, {spent['published'] / spent[part]:.1f} ×" for part in ("first", "actions", "screen")]
        tokens = f"{length + len(actions) * max(lengths)}, {length}"
        print(f"| {name} | {spent['published']:.0f} ms | {' | '.join(cells)} | {tokens} | {difference:.1e} |", flush=True)


if __name__ == "__main__":
    main()
