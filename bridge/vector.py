"""Many environments over the machine's cores: each process steps a share of them in turn, one message a share and step.

A step of the simulator takes less time than a message between processes, so an environment a process would be slower than none.
"""

import multiprocessing
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from multiprocessing.connection import Connection
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space

MakeEnv = Callable[[], gymnasium.Env[str, str]]
Texts = tuple[str, ...]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class ShardedVectorEnv(VectorEnv[Texts, Sequence[str], npt.NDArray[Any]]):
    """``num_envs`` environments in ``processes`` processes (by default one a core). Results are those of ``SyncVectorEnv``.

    Errors of an environment are raised here, as ``RuntimeError`` with the text of the first one.
    """

    def __init__(self, make_env: MakeEnv, num_envs: int, processes: int | None = None) -> None:
        self.num_envs = num_envs
        sample = make_env()
        self.metadata = {**sample.metadata, "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}
        self.single_observation_space, self.single_action_space = sample.observation_space, sample.action_space
        self.observation_space = batch_space(sample.observation_space, num_envs)
        self.action_space = batch_space(sample.action_space, num_envs)
        sample.close()
        count = max(1, min(num_envs, processes or os.cpu_count() or 1))
        bounds = [round(i * num_envs / count) for i in range(count + 1)]
        self._shares = [slice(low, high) for low, high in pairwise(bounds)]
        self._ends: list[Connection] = []
        self._workers: list[multiprocessing.Process] = []
        for share in self._shares:
            here, there = multiprocessing.Pipe()
            worker = multiprocessing.Process(target=_work, args=(there, make_env, share.stop - share.start), daemon=True)
            worker.start()
            there.close()
            self._ends.append(here)
            self._workers.append(worker)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Texts, dict[str, Any]]:
        """Begin an episode in each; an integer seeds environment ``i`` with ``seed + i``."""
        seeds = [None if seed is None else seed + i for i in range(self.num_envs)] if seed is None or isinstance(seed, int) else list(seed)
        answers = self._ask("reset", [(seeds[share], options) for share in self._shares])
        return sum((texts for texts, _ in answers), ()), _joined(self._shares, [info for _, info in answers])

    def step(self, actions: Sequence[str]) -> tuple[Texts, Floats, Flags, Flags, dict[str, Any]]:
        """Take one action in each; an environment whose episode ended begins its next one instead."""
        answers = self._ask("step", [(tuple(actions[share]),) for share in self._shares])
        texts, rewards, terminated, truncated, infos = zip(*answers, strict=True)
        return sum(texts, ()), np.concatenate(rewards), np.concatenate(terminated), np.concatenate(truncated), _joined(self._shares, infos)

    def close_extras(self, **kwargs: Any) -> None:
        """End the processes."""
        for end, worker in zip(self._ends, self._workers, strict=True):
            with suppress(OSError):  # it is at its end already
                end.send(("close", ()))
            worker.join(timeout=5)
            worker.kill()
            end.close()

    def _ask(self, name: str, arguments: list[tuple[Any, ...]]) -> list[Any]:
        for end, given in zip(self._ends, arguments, strict=True):
            end.send((name, given))
        answers = [end.recv() for end in self._ends]
        failed = next((error for _, error in answers if error), None)
        if failed:
            raise RuntimeError(failed)
        return [answer for answer, _ in answers]


def _joined(shares: Sequence[slice], infos: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One info of all shares: an array a key over all environments, and ``_key`` telling which of them have it."""
    made: dict[str, Any] = {}
    for key in dict.fromkeys(key for info in infos for key in info):
        parts = [info.get(key) for info in infos]
        if any(isinstance(part, dict) for part in parts):
            made[key] = _joined(shares, [part or {} for part in parts])
            continue
        kind = next(part.dtype for part in parts if part is not None)
        made[key] = np.zeros(shares[-1].stop, dtype=kind)
        for share, part in zip(shares, parts, strict=True):
            if part is not None:
                made[key][share] = part
    return made


def _work(end: Connection, make_env: MakeEnv, num_envs: int) -> None:
    """Step a share of the environments until the other end closes."""
    envs: Any = SyncVectorEnv([make_env] * num_envs)
    while True:
        try:
            name, given = end.recv()
        except (EOFError, KeyboardInterrupt):
            break
        if name == "close":
            break
        try:
            answer = envs.reset(seed=given[0], options=given[1]) if name == "reset" else envs.step(*given)
            end.send((answer, None))
        except KeyboardInterrupt:
            break
        except Exception as error:  # told to whoever asked
            end.send((None, f"{type(error).__name__}: {error}"))
    envs.close()
