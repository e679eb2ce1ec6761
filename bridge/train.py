"""``python -m bridge.train reader|search|choice|rl``: train the policy that ships, stage by stage.

``reader`` learns to read instructions (torch, the extra ``models``); ``search`` what to search for, with that reader or, without
one, with the one that ships; ``choice`` to judge results, items and option values and to choose as a shopper who knows the answer;
``rl`` improves the choices by reinforcement in the simulator. Each stage goes on from the weights that the one before left in
``--out``. A run that was stopped goes on with ``--resume``. What ``reader`` is evaluated on are people's instructions: ``--limit``,
``--rounds`` and ``--test`` are for the other stages.

Exit codes: 0 done; 2 wrong usage; 130 stopped by Ctrl-C (the last checkpoint is kept).
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from bridge.command import CommandParser, finish
from bridge.errors import ConfigurationError


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = CommandParser("python -m bridge.train", __doc__)
    made.add_argument("stage", choices=["reader", "search", "choice", "rl"], help="what to train")
    made.add_argument("--data", type=Path, metavar="FOLDER", help="WebShop's data (default: the shipped catalogue, at a small scale)")
    made.add_argument(
        "--out", type=Path, default=Path("trained"), metavar="FOLDER", help="weights, checkpoints, results (default: trained)"
    )
    made.add_argument(
        "--preset", choices=["shipped", "webshop"], default="shipped", help="our models, or WebShop's BART and BERT (extra 'models')"
    )
    made.add_argument("--scale", choices=["small", "full"], help="how much is trained (default: full with --data, else small)")
    made.add_argument("--rounds", type=int, metavar="N", help="rounds of reinforcement; with --preset webshop epochs, or updates of rl")
    made.add_argument("--limit", type=int, default=500, metavar="N", help="held-out goals to evaluate on (default: 500)")
    made.add_argument("--seed", type=int, default=0, help="seed of all randomness (default: 0)")
    made.add_argument("--resume", action="store_true", help="go on where a stopped run of this stage ended")
    made.add_argument("--test", action="store_true", help="evaluate on the test products too, not only on the validation products")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Run the command; the exit code."""
    options = parser().parse_args(arguments)
    try:
        _stage_of(options.preset)(options)
    except ConfigurationError as error:
        print(f"bridge.train: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; go on with --resume", file=sys.stderr)
        return 130
    return 0


def _stage_of(preset: str | None) -> Callable[[argparse.Namespace], None]:
    """What trains with this preset. Raises ``ConfigurationError`` where a package that it needs is missing."""
    if preset != "webshop":
        try:
            from bridge.training.run import train
        except ImportError as error:
            raise ConfigurationError(f"training needs an extra: pip install 'webshop-bridge[train]' ({error})") from None
        return train
    try:
        from bridge.training.webshop import train as train_webshop
    except ImportError as error:
        raise ConfigurationError(f"--preset webshop needs an extra: pip install 'webshop-bridge[models]' ({error})") from None
    return train_webshop


if __name__ == "__main__":
    finish(main)
