"""WebShop's own training, as a preset: BART writes queries, BERT chooses, by imitation and then by reinforcement (extra ``models``).

Losses, optimizers and hyper-parameters are those of the repository (``baseline_models``), see
:class:`~bridge.training.webshop.task.Preset`; what is imitated is the simulator's oracle, and no images are read.
"""

import argparse
from dataclasses import asdict, replace

import torch

from bridge.errors import ConfigurationError
from bridge.training.material import load
from bridge.training.run import Run
from bridge.training.webshop.choice import imitate
from bridge.training.webshop.rl import reinforce
from bridge.training.webshop.search import imitate_queries
from bridge.training.webshop.task import Preset, Task


def train(options: argparse.Namespace) -> None:
    """Train a stage: ``options.out`` must hold the models to start from, ``bert`` and ``bart``, each a checkpoint folder with its
    tokenizer (or links to Hugging Face ids in ``base.json``): plain ones, or WebShop's; the trained ones take their place.

    ``options.rounds`` are epochs, or updates of reinforcement; the small scale takes 20 goals or queries, and one round. Raises
    ``ConfigurationError`` if models or data are missing.
    """
    if options.stage == "reader":
        raise ConfigurationError("--preset webshop has no stage 'reader': its models read instructions as they are")
    run = Run(options.out, f"webshop-{options.stage}", resume=False)
    material = load(options.data, options.seed)
    small = (options.scale or ("full" if options.data else "small")) == "small"
    rounds = options.rounds if options.rounds is not None else 1 if small else None
    preset = Preset()
    if rounds is not None:
        preset = replace(preset, search_epochs=rounds, choice_epochs=rounds, rl_steps=rounds * preset.unroll)
    torch.manual_seed(options.seed)
    stage = {"search": imitate_queries, "choice": imitate, "rl": reinforce}[options.stage]
    found = stage(Task(run, material, preset, options.seed, 20 if small else None, options.limit, options.resume))
    run.results(
        command=f"python -m bridge.train {options.stage} --preset webshop --seed {options.seed}",
        data=material.source,
        preset=asdict(preset),
        figures=found,
    )
