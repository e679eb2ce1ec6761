"""Stopping and going on with what torch trains."""

import pickle
from typing import Any

import torch

from bridge.errors import ConfigurationError
from bridge.training.run import Run


class Progress:
    """What a stopped stage goes on from: weights, optimizer and schedule after each finished part, in one file of tensors.

    Raises ``ConfigurationError`` for a file that is damaged or of another stage.
    """

    def __init__(self, run: Run, resume: bool, network: torch.nn.Module, *state: Any) -> None:
        self._file = run.folder / f"{run.stage}.checkpoint"
        self._network = network
        self._state = state
        self.done = 0
        """Parts (epochs, updates) that are finished."""
        if resume and self._file.is_file():
            try:
                found = torch.load(self._file, map_location="cpu", weights_only=True)
                network.load_state_dict(found["network"])
                for one, known in zip(state, found["state"], strict=True):
                    one.load_state_dict(known)
                self.done = found["done"]
            except (RuntimeError, pickle.UnpicklingError, KeyError, TypeError, ValueError, EOFError) as error:
                raise ConfigurationError(f"{self._file}: no checkpoint of this stage; delete it to begin anew") from error
        elif resume:
            run.say("nothing to resume: from the start")

    def save(self, done: int) -> None:
        """Keep everything; ``done`` parts are finished."""
        partial = self._file.with_suffix(".part")
        state = [one.state_dict() for one in self._state]
        torch.save({"done": done, "network": self._network.state_dict(), "state": state}, partial)
        partial.replace(self._file)

    def end(self) -> None:
        """The stage is finished: there is nothing to go on with."""
        self._file.unlink(missing_ok=True)


def falling(optimizer: torch.optim.Optimizer, steps: int, warmup: int = 0) -> Any:
    """A rate that rises for ``warmup`` steps and then falls to nothing, both linearly."""
    return torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: step / warmup if step < warmup else max(0.0, (steps - step) / max(1, steps - warmup))
    )
