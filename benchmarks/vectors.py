"""How vector environments scale with cores: steps a second of the same work in one process and in one process a core.

    python benchmarks/vectors.py [--envs 512] [--steps 100]

Wall time on an otherwise idle machine; the shipped catalogue, random valid actions from one seed.
"""

import argparse
import os
import random
import time
from typing import Any

import gymnasium

import bridge.environment


def steps_a_second(shop: object, envs_count: int, steps: int, processes: int) -> float:
    """Environment steps a second, the start of the processes left out."""
    envs: Any = gymnasium.make_vec("bridge/WebShop-v0", num_envs=envs_count, shop=shop, processes=processes)
    rng = random.Random(0)
    _, info = envs.reset(seed=0)
    started = time.perf_counter()
    for _ in range(steps):
        actions = [rng.choice(valid) if len(valid) else "search[red cotton shirt]" for valid in info["valid_actions"]]
        *_, info = envs.step(actions)
    seconds = time.perf_counter() - started
    envs.close()
    return envs_count * steps / seconds


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--envs", type=int, default=512)
    arguments.add_argument("--steps", type=int, default=100)
    options = arguments.parse_args()
    shop = bridge.environment.Shop.load()
    base = 0.0
    for processes in sorted({1, 2, os.cpu_count() or 1}):
        speed = steps_a_second(shop, options.envs, options.steps, processes)
        base = base or speed
        print(f"{processes:>3} processes  {speed:>9.0f} steps/s  {speed / base:.2f} ×")


if __name__ == "__main__":
    main()
