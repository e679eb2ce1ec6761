"""WebShop's choice network as published and as here: time of a decision, and the largest difference of the logits.

python benchmarks/webshop_models.py CHECKOUT [--actions 30] [--state 250] [--repeats 3]

CHECKOUT is a clone of princeton-nlp/WebShop; its module is imported from there. Both run the same random weights of BERT-base's size
on the same threads. "as published" is the forward pass of ``transfer/app.py``. Ours is shown for a screen that is seen for the first time,
for one whose actions are known (an option was clicked, a sub screen was left), and for one that is known (come back to, drawn again).
"""

import argparse
import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from transformers import BertConfig

from policies.webshop.network import ChoiceNetwork, Scorer


def published(checkout: Path, config: BertConfig) -> Any:
    """WebShop's own module with random weights; it would download BERT's, so that is turned off."""
    sys.path.insert(0, str(checkout / "baseline_models"))
    download, BertConfig.from_pretrained = BertConfig.from_pretrained, classmethod(lambda cls, *_: cls())  # type: ignore[method-assign,assignment]
    module = importlib.import_module("models.bert")
    fields = {k: v for k, v in config.to_dict().items() if k not in ("model_type", "transformers_version")}
    made = module.BertModelForWebshop(module.BertConfigForWebshop(pretrained_bert=False, image=False, **fields)).eval()
    BertConfig.from_pretrained = download  # type: ignore[method-assign]
    return made


def clock(call: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Best time of several calls, and the last result."""
    best, made = float("inf"), None
    for _ in range(repeats):
        begun = time.perf_counter()
        made = call()
        best = min(best, time.perf_counter() - begun)
    return best, made


def main() -> None:
    """Print one line a case."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("checkout", type=Path)
    made.add_argument("--actions", type=int, default=30)
    made.add_argument("--state", type=int, default=250, help="tokens of the screen")
    made.add_argument("--repeats", type=int, default=3)
    options = made.parse_args()
    torch.manual_seed(0)
    config = BertConfig(vocab_size=30526)
    theirs = published(options.checkout, config)
    ours = ChoiceNetwork(config, image=False)
    ours.load_state_dict(theirs.state_dict())
    state = torch.randint(1000, 30000, (options.state,)).tolist()
    # Lengths as they are in WebShop: short clicks, and some that name a product or a long option.
    lengths = [5, 6, 5, 8, 5, 12, 5, 30, 5, 22]
    actions = [torch.randint(1000, 30000, (lengths[i % len(lengths)],)).tolist() for i in range(options.actions)]
    width = max(map(len, actions))
    batch = {
        "state_input_ids": torch.tensor([state]),
        "state_attention_mask": torch.ones(1, len(state), dtype=torch.long),
        "action_input_ids": torch.tensor([ids + [0] * (width - len(ids)) for ids in actions]),
        "action_attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in actions]),
        "sizes": torch.tensor([len(actions)]),
        "images": torch.zeros(1, 512),
        "labels": torch.tensor([0]),
    }
    slow, wanted = clock(lambda: theirs(**batch).logits[0], options.repeats)
    first, found = clock(lambda: Scorer(ours)([(state, actions, None)])[0], options.repeats)
    scorer = Scorer(ours)
    scorer([(state, actions, None)])
    changes = iter(range(10**6))
    actions_known, _ = clock(lambda: scorer([([*state[:-1], next(changes)], actions, None)]), options.repeats)
    known, _ = clock(lambda: scorer([(state, actions, None)]), options.repeats)
    print(f"{options.actions} actions, {options.state} tokens of state, {torch.get_num_threads()} threads")
    print(f"largest difference of the logits: {float((wanted.detach() - found).abs().max()):.1e}")
    print(f"as published          {1000 * slow:8.0f} ms")
    for name, spent in (("first sight", first), ("actions known", actions_known), ("screen known", known)):
        print(f"{name:20}  {1000 * spent:8.0f} ms   {slow / spent:5.1f} times faster")


if __name__ == "__main__":
    main()
