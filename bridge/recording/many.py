"""Many recordings at once: finding them, checking them on all cores in flat memory, taking their policies along."""

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import policies.base
from bridge.errors import ConfigurationError
from bridge.recording.format import MANIFEST
from bridge.recording.verify import Verdict, check
from policies.base import Policy


def recordings_in(paths: Sequence[Path]) -> list[Path]:
    """The recordings at these paths: each is one, or a folder that holds some, at any depth.

    Raises ``ConfigurationError`` for a path that does not exist and for a folder without any.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir() and not (path / MANIFEST).is_file():
            inside = [*path.rglob("*.zip"), *(manifest.parent for manifest in path.rglob(MANIFEST))]
            # what a killed process was making, or removing, when it ended
            inside = sorted(each for each in inside if not any(part.startswith(".") for part in each.relative_to(path).parts))
            if not inside:
                raise ConfigurationError(f"no recordings in {path}")
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise ConfigurationError(f"no such recording: {path}")
    return found


def check_many(paths: Sequence[Path]) -> Iterator[Verdict]:
    """The verdicts in the order of the paths, each as soon as it and those before it are there."""
    if len(paths) == 1:
        yield check(paths[0])
        return
    workers = min(len(paths), os.cpu_count() or 1)
    quiet = (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the command, which ends its workers
    # a worker is replaced now and then, so that what a parser leaks does not add up
    with multiprocessing.get_context("spawn").Pool(workers, signal.signal, quiet, maxtasksperchild=500) as pool:
        yield from pool.imap(_check, paths)


@lru_cache(maxsize=4)
def _policy(name: str) -> Policy:
    """A policy for all recordings of a process: each check resets it."""
    return policies.base.load(name)


def _check(path: Path) -> Verdict:
    return check(path, load_policy=_policy)
