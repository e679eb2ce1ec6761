"""Episodes as Gymnasium environments: ``bridge/WebShop-v0`` (the simulator) and ``bridge/Transfer-v0`` (a store).

Importing this module registers both names. Gymnasium can do that itself: ``gymnasium.make("bridge.environment:bridge/WebShop-v0")``.
"""

import random
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import msgspec
import numpy as np

from bridge.episode import Episode, Settings
from bridge.errors import ConfigurationError
from bridge.experiment import open_source
from bridge.goals import Goal, draw, read_goals, synthetic_goals
from bridge.nouns import tagger
from bridge.observations import View
from bridge.outcomes import Outcome
from bridge.reward import evidence_reward
from bridge.setup import Setup
from bridge.simulator.shop import Shop
from bridge.vector import ShardedVectorEnv

_LONGEST_SAMPLE = 20
_METADATA: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}


class Words(gymnasium.Space[str]):
    """Any text: observations hold whatever a page holds, and any action is taken (or does nothing)."""

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__((), np.str_, seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Texts have no fixed size."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Random lower-case letters; choose from ``info["valid_actions"]`` to act at random."""
        length = self.np_random.integers(1, _LONGEST_SAMPLE, endpoint=True)
        return "".join(map(chr, self.np_random.integers(ord("a"), ord("z"), length, endpoint=True)))

    def contains(self, x: Any) -> bool:
        """Whether it is a text."""
        return isinstance(x, str)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words)

    def __hash__(self) -> int:
        return hash(Words)


class EpisodeEnv(gymnasium.Env[str, str]):
    """One episode after another: texts in, texts out.

    ``terminated`` is the policy's own end (a purchase, or "no such product"); ``truncated`` any other: a limit, or a store
    that blocks or fails (``info["outcome"]`` says which). ``info`` holds what WebShop's ``get_available_actions`` tells
    (``has_search_bar``; ``valid_actions``, the clicks as whole actions), ``instruction``, ``goal`` (its id), ``changed``
    (False where the action did nothing), ``screen``, ``steps``; at the end ``outcome``, ``detail`` and, after a purchase,
    ``purchase`` and ``reward_parts`` as plain values.
    """

    metadata = _METADATA

    def __init__(self, view: View, settings: Settings, render_mode: str | None) -> None:
        self.observation_space = Words()
        self.action_space = Words()
        self.render_mode = render_mode
        self.view = view
        self.settings = settings
        self.episode: Episode | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode. ``options={"goal": …}`` takes a goal by its place in the list, or a ``Goal``; else one is drawn."""
        super().reset(seed=seed)
        wanted = (options or {}).get("goal")
        if wanted is None:
            wanted = self._draw()
        elif not isinstance(wanted, Goal):
            wanted = self.goals[int(wanted)]
        self.episode = self._begin(wanted)
        return self.episode.observation(self.view), self._info(self.episode, changed=True)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take one action; one that is not valid does nothing, as in WebShop."""
        episode = self.episode
        if episode is None or episode.outcome is not None:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset() first")
        result = episode.step(action)
        info = self._info(episode, result.changed)
        value = 0.0
        if result.outcome is not None:
            info |= {"outcome": str(result.outcome), "detail": result.detail}
        if episode.purchase is not None:
            parts = self._parts(episode)
            value = parts["total"]
            info |= {"purchase": msgspec.to_builtins(episode.purchase), "reward_parts": parts}
        ended = result.outcome in (Outcome.BUY_NOW, Outcome.DECLINED)
        return episode.observation(self.view), value, ended, result.outcome is not None and not ended, info

    def render(self) -> str | None:
        """The current observation."""
        return self.episode.observation(self.view) if self.episode and self.render_mode == "ansi" else None

    @property
    def goals(self) -> Sequence[Goal]:
        """The goals that are drawn from."""
        raise NotImplementedError

    def _draw(self) -> Goal:
        raise NotImplementedError

    def _begin(self, goal: Goal) -> Episode:
        raise NotImplementedError

    def _parts(self, episode: Episode) -> dict[str, Any]:
        raise NotImplementedError

    def _info(self, episode: Episode, changed: bool) -> dict[str, Any]:
        actions = episode.valid_actions
        return {
            "valid_actions": tuple(f"click[{value}]" for value in actions.clickables if value != "search"),
            "has_search_bar": actions.has_search_bar,
            "instruction": episode.goal.instruction,
            "goal": episode.goal.id,
            "changed": changed,
            "screen": episode.state.screen,
            "steps": episode.steps,
        }


class WebShopEnv(EpisodeEnv):
    """WebShop's simulator, ``bridge/WebShop-v0``. The reward is WebShop's, 0 to 1, paid with the purchase.

    ``shop`` shares one between environments; else ``files`` are the arguments of ``Shop.load`` (``catalogue``,
    ``attributes``, ``human``, ``limit``, ``goals``, ``nouns``, ``seed``).
    """

    def __init__(
        self,
        shop: Shop | None = None,
        view: View = "text_rich",
        settings: Settings = Settings(),
        render_mode: str | None = None,
        **files: Any,
    ) -> None:
        super().__init__(view, settings, render_mode)
        if shop is not None and files:
            raise ConfigurationError(f"a shop is given, so these have no use: {', '.join(files)}")
        self.shop = shop or Shop.load(**files)

    @property
    def goals(self) -> Sequence[Goal]:
        """The shop's goals."""
        return self.shop.goals

    def _draw(self) -> Goal:
        return self.shop.draw(self.np_random.random())

    def _begin(self, goal: Goal) -> Episode:
        return self.shop.episode(goal, self.settings)

    def _parts(self, episode: Episode) -> dict[str, Any]:
        purchase = episode.purchase
        assert purchase is not None
        parts: dict[str, Any] = msgspec.to_builtins(self.shop.reward(episode.goal, purchase.id, purchase.clicked))
        return parts | {"tagger": self.shop.nouns.name}


class TransferEnv(EpisodeEnv):
    """A store, ``bridge/Transfer-v0``. The reward is the evidence reward (``bridge.reward.evidence_reward``), not WebShop's.

    ``goals`` is a JSON lines file or the goals themselves; the synthetic goals of the shipped catalogue if not given.
    ``setup`` are the fields of ``bridge.experiment.Setup``: ``site``, ``origin``, ``fetcher``, ``locale``, …
    """

    def __init__(
        self,
        goals: str | Path | Sequence[Goal] | None = None,
        view: View = "text_rich",
        nouns: str = "rule",
        render_mode: str | None = None,
        **setup: Any,
    ) -> None:
        self._held = ExitStack()
        try:
            made = Setup(**setup)
        except TypeError as error:
            raise ConfigurationError(f"bridge/Transfer-v0: {error}") from error
        super().__init__(view, made.settings, render_mode)
        self._goals = _goals(goals)
        self._nouns = tagger(nouns)
        self.source = self._held.enter_context(open_source(made))

    @property
    def goals(self) -> Sequence[Goal]:
        """The goals that are drawn from."""
        return self._goals

    def close(self) -> None:
        """End the store server, browser and connections that were opened."""
        self._held.close()

    def _draw(self) -> Goal:
        return draw(self._goals, random.Random(int(self.np_random.integers(1 << 62))))

    def _begin(self, goal: Goal) -> Episode:
        return Episode(self.source, goal, self.settings)

    def _parts(self, episode: Episode) -> dict[str, Any]:
        purchase, item = episode.purchase, episode.state.item
        assert purchase is not None and item is not None
        parts: dict[str, Any] = msgspec.to_builtins(evidence_reward(episode.goal, item.page, purchase.effective, self._nouns))
        return parts


def _goals(goals: str | Path | Sequence[Goal] | None) -> list[Goal]:
    if goals is None:
        from bridge.simulator.catalogue import load

        catalogue = load()
        rng = random.Random(0)
        return synthetic_goals(catalogue, catalogue.draw_prices(rng), rng)
    made = read_goals(goals) if isinstance(goals, str | Path) else list(goals)
    if not made:
        raise ConfigurationError("bridge/Transfer-v0 needs at least one goal")
    return made


def webshop_vector(num_envs: int, processes: int | None = None, shop: Shop | None = None, **arguments: Any) -> ShardedVectorEnv:
    """``gymnasium.make_vec("bridge/WebShop-v0", …)``: environments that share one shop, over ``processes`` (one a core)."""
    of_env = {name: arguments.pop(name) for name in ("view", "settings", "render_mode") if name in arguments}
    return ShardedVectorEnv(partial(WebShopEnv, shop or Shop.load(**arguments), **of_env), num_envs, processes)


gymnasium.register("bridge/WebShop-v0", entry_point=WebShopEnv, vector_entry_point="bridge.environment:webshop_vector")
gymnasium.register("bridge/Transfer-v0", entry_point=TransferEnv)
