"""One run of a training stage: its checkpoints, its progress, its results file."""

import argparse
import json
import os
import platform
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bridge.errors import ConfigurationError
from bridge.training import stages
from bridge.training.gradient import Adam
from bridge.training.material import Material, load
from bridge.training.shopping import RATE, reinforce
from bridge.training.stores import stores
from policies.trained import tensors
from policies.trained.models import Models
from policies.trained.reader import Reader

CHECKPOINT_EVERY = 20
"""Rounds of reinforcement between checkpoints."""


class Run:
    """The folder of a run: ``reader.safetensors``, ``weights.safetensors``, ``progress.json``, ``log.jsonl``, ``results-STAGE.json``."""

    def __init__(self, folder: Path, stage: str, resume: bool) -> None:
        self.folder = folder
        self.stage = stage
        self.weights = folder / "weights.safetensors"
        self.reader = folder / "reader.safetensors"
        self.begun = time.monotonic()
        self._progress = folder / "progress.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(f"--out {folder}: no folder can be made there ({error.strerror})") from None
        known = json.loads(self._progress.read_text(encoding="utf-8")) if self._progress.is_file() else {}
        self.done: list[str] = known.get("done", []) if resume and known.get("stage") == stage else []
        self.spent: float = known.get("seconds", 0.0) if self.done else 0.0
        if resume and not self.done:
            self.say("nothing to resume: from the start")

    def say(self, line: str) -> None:
        """A line of progress, to the terminal and to the log."""
        print(line, file=sys.stderr, flush=True)
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps({"stage": self.stage, "seconds": round(self.seconds, 1), "line": line}) + "\n")

    @property
    def seconds(self) -> float:
        """Time spent on this stage, with that of earlier runs that it resumes (the reader's and WebShop's models: of this run)."""
        return self.spent + time.monotonic() - self.begun

    def save(self, models: Models, part: str) -> None:
        """Keep the weights, and that a part is finished."""
        tensors.write(self.weights, models.tensors(), {"stage": self.stage, "part": part})
        self.done.append(part)
        state = {"stage": self.stage, "done": self.done, "seconds": self.seconds}
        partial = self._progress.with_suffix(".part")
        partial.write_text(json.dumps(state), encoding="utf-8")
        partial.replace(self._progress)

    def results(self, **found: Any) -> None:
        """Write the results file and show it."""
        machine = {"python": platform.python_version(), "numpy": np.__version__, "cores": os.cpu_count(), "machine": platform.machine()}
        made = {"stage": self.stage, "seconds": round(self.seconds, 1), "machine": machine, **found}
        (self.folder / f"results-{self.stage}.json").write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
        print(json.dumps(made, indent=2))


def train(options: argparse.Namespace) -> None:
    """Run a stage as the command's options say. Raises ``ConfigurationError`` for missing data, weights or packages."""
    run = Run(options.out, options.stage, options.resume and options.stage != "reader")
    material = load(options.data, options.seed)
    scale = stages.Scale() if (options.scale or ("full" if options.data else "small")) == "full" else stages.SMALL
    if options.rounds is not None:
        scale = replace(scale, rounds=options.rounds)
    run.say(f"{options.stage}: {material.source}")
    if run.stage == "reader":
        figures: dict[str, Any] = {"human_test": stages.reading_figures(_reader(run, material, scale, options), material)}
    else:
        models = _stage(run, material, scale, options.seed)
        parts = ["validation", "test"] if options.test else ["validation"]
        figures = {part: stages.figures(models, material, part, options.limit) for part in parts}
    run.results(
        command=f"python -m bridge.train {options.stage} --seed {options.seed}",
        data=material.source,
        scale=stages.described(scale),
        figures=figures,
    )


def _reader(run: Run, material: Material, scale: stages.Scale, options: argparse.Namespace) -> Reader:
    """The reader, learnt epoch by epoch."""
    try:
        from bridge.training.tagging import base_model, train_reader
    except ImportError as error:
        raise ConfigurationError(f"the reader needs one more extra: pip install 'webshop-bridge[models]' ({error})") from None

    base, rows = base_model(), stages.reader_rows(material, scale, options.seed)
    run.say(f"{len(rows)} instructions")
    reader = train_reader(run, rows, base, scale.reader_epochs, options.seed, options.resume)
    tensors.write(run.reader, reader.tagger.tensors("reader"), {"stage": run.stage})
    return Reader.load(run.reader)


def _stage(run: Run, material: Material, scale: stages.Scale, seed: int) -> Models:
    if run.stage == "search":
        if "search" not in run.done:
            own = run.reader.is_file()
            run.say(f"the reader of {run.reader}" if own else "the reader that ships (train another one by the stage 'reader')")
            reader = Reader.load(run.reader) if own else Models.load().reader
            run.save(stages.search_stage(reader, material, scale, seed, run.say), "search")
        return Models.load(run.weights)
    if not run.weights.is_file():
        raise ConfigurationError(f"{run.weights} does not exist: train the stage before '{run.stage}' first, into the same --out")
    models = Models.load(run.weights)
    if run.stage == "choice":
        return stages.choice_stage(models, material, scale, seed, run.say, run.save, run.done)
    return _reinforced(run, models, material, scale, seed)


def _reinforced(run: Run, models: Models, material: Material, scale: stages.Scale, seed: int) -> Models:
    """Reinforcement; of the weights at the checkpoints those that do best on validation goals are kept in the end."""
    first = int(run.done[-1].removeprefix("round ")) if run.done else 0
    adam = Adam(models.choice, RATE)
    moments, best = run.folder / "adam.safetensors", run.folder / "best.safetensors"
    tops: list[float] = []
    if first:
        adam.restore(tensors.read(moments))
        tops.append(stages.standing(Models.load(best), material, seed))

    def report(number: int, score: float, wins: float, steps: float) -> None:
        run.say(f"round {number + 1}: score {100 * score:.1f}, success {wins:.0%}, median steps {steps:.0f}")
        if (number + 1) % CHECKPOINT_EVERY == 0 or number + 1 == scale.rounds:
            standing = stages.standing(models, material, seed)
            run.say(f"validation: {standing:.2f} (mean of score and success rate)")
            if standing >= max(tops, default=0.0):
                tensors.write(best, models.tensors(), {"stage": run.stage, "round": str(number + 1)})
            tops.append(standing)
            tensors.write(moments, adam.moments(), {"round": str(number + 1)})
            run.save(models, f"round {number + 1}")

    goals = stages.reinforcement_goals(material, seed)
    reinforce(models, stores(material.shop), goals, range(first, scale.rounds), seed, report, adam, scale.goals_a_round, scale.tries)
    if not best.is_file():
        return models
    chosen = Models.load(best)
    tensors.write(run.weights, chosen.tensors(), {"stage": run.stage, "part": "best"})
    return chosen
