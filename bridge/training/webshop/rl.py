"""WebShop's reinforcement of choices (``baseline_models/train_rl.py``, ``agent.py``): advantage actor-critic over several shops."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from bridge.episode import Episode, Settings
from bridge.evaluation.transfer_table import results, simulator, summary
from bridge.goals import Goal
from bridge.training.progress import Progress
from bridge.training.webshop.task import Preset, Task, cut, scores
from policies.webshop.network import ChoiceNetwork, Scorer
from policies.webshop.policy import ChoiceModel, SearchModel, WebShopPolicy
from policies.webshop.texts import goal_text, named_actions, titles

CHECKPOINT_EVERY = 100
"""Updates."""


@dataclass(frozen=True)
class Turn:
    """What one shop showed and what was done there."""

    state: list[int]
    actions: list[list[int]]
    place: int
    """The action taken."""
    gained: float
    ended: bool


class Shops:
    """The environments, each in an episode of its own: a new one begins where one ends."""

    def __init__(self, task: Task, model: ChoiceModel, search: SearchModel) -> None:
        self._task, self._model, self._search = task, model, search
        self._goals: list[Goal] = task.some(task.material.train)
        self._settings = Settings(max_steps=task.preset.episode_limit)
        self.rewards: list[float] = []
        """Of the episodes that ended."""
        self._episodes: list[Episode] = []

    def begin(self, rng: random.Random) -> None:
        """Start an episode in every environment."""
        self._episodes = [self._begun(rng) for _ in range(self._task.preset.environments)]

    def _begun(self, rng: random.Random) -> Episode:
        return self._task.material.shop.episode(rng.choice(self._goals), self._settings)

    def states(self) -> list[list[int]]:
        """Token ids of what the shops show."""
        return [self._model.ids(episode.observation("text_rich")) for episode in self._episodes]

    def _offered(self, episode: Episode, rng: random.Random) -> dict[str, str]:
        """The choice model's names of what can be done, to the actions: on the start page queries, as WebShop's environment lists them."""
        state = episode.observation("text_rich")
        if not episode.valid_actions.has_search_bar:
            named = named_actions(episode.valid_actions.clickables, titles(state))
            return {name: named[name] for name in cut(list(named), rng)}
        queries = [*self._search.queries(goal_text(state), self._task.preset.candidates), episode.goal.instruction.lower()]
        return {f"search[{query}]": f"search[{query}]" for query in queries}

    def turn(self, scorer: Scorer, rng: random.Random) -> list[Turn]:
        """One action in each shop, drawn by the network's chances."""
        offered = [self._offered(episode, rng) for episode in self._episodes]
        states = self.states()
        actions = [[self._model.ids(name, self._task.preset.rl_action_length) for name in names] for names in offered]
        found = scorer([(state, listed, None) for state, listed in zip(states, actions, strict=True)])
        made = []
        for number, names in enumerate(offered):
            episode = self._episodes[number]
            place = rng.choices(range(len(names)), found[number].exp().tolist())[0]
            episode.step(list(names.values())[place])
            ended = episode.outcome is not None
            gained = episode.reward or 0.0
            made.append(Turn(states[number], actions[number], place, self._task.preset.reward_scale * gained, ended))
            if ended:
                self.rewards.append(gained)
                self._episodes[number] = self._begun(rng)
        return made


def reinforce(task: Task) -> dict[str, Any]:
    """Train the choice model; the search model beside it offers the queries. Figures of the greedy policy on validation goals."""
    preset, say = task.preset, task.run.say
    model = task.choice_model()
    search = task.search_model()
    network = model.scorer.network
    optimizer = torch.optim.Adam(network.parameters(), preset.rl_rate)
    progress = Progress(task.run, task.resume, network, optimizer)
    shops = Shops(task, model, search)
    updates = max(1, preset.rl_steps // preset.unroll)
    rng = random.Random(f"{task.seed} {progress.done}")
    shops.begin(rng)
    for update in range(progress.done, updates):
        scorer = Scorer(network)  # encodings are of these weights
        turns = [shops.turn(scorer, rng) for _ in range(preset.unroll)]
        learn(network, turns, shops.states(), preset)
        optimizer.step()
        optimizer.zero_grad()
        last = shops.rewards[-100:]
        if (update + 1) % CHECKPOINT_EVERY == 0:
            progress.save(update + 1)
        say(f"update {update + 1}: {len(shops.rewards)} episodes, mean reward of the last {len(last)} {sum(last) / max(len(last), 1):.3f}")
    task.keep(model)
    progress.end()
    goals = task.material.validation[: task.limit]
    policy = WebShopPolicy(model, search)
    place = simulator(task.material.shop, Settings(max_steps=preset.episode_limit))
    found = summary(results(place, policy, goals, task.material.shop, lambda number: None))
    return {
        "episodes": len(shops.rewards),
        "reward": sum(shops.rewards[-100:]) / max(len(shops.rewards[-100:]), 1),
        "validation": {"goals": len(goals), "score": found["score"].mean, "success_rate": found["success"].mean, "steps": found["steps"]},
    }


def learn(network: ChoiceNetwork, turns: Sequence[Sequence[Turn]], later: Sequence[list[int]], preset: Preset) -> None:
    """Add up the gradients of an unroll, ``turns`` by step and shop: policy gradient and value error by shop, entropy by action.

    What comes after the unroll is worth what the network says of the states that it left (``later``).
    """
    with torch.no_grad():
        worth = [float(network.value(network.encode([state], [len(state)])[0])) for state in later]
    returns: list[list[float]] = []
    for step in reversed(turns):
        worth = [turn.gained + (0.0 if turn.ended else preset.discount * left) for turn, left in zip(step, worth, strict=True)]
        returns.insert(0, worth)
    for step, wanted in zip(turns, returns, strict=True):
        weighed = sum(len(turn.actions) for turn in step)
        for turn, target in zip(step, wanted, strict=True):
            found, value = scores(network, turn.state, turn.actions)
            gain = target - value[0]
            loss: Tensor = (preset.value * gain.pow(2) - preset.policy * found[turn.place] * gain.detach()) / len(step)
            loss = loss + preset.entropy * (found.exp() * found).sum() / weighed
            torch.autograd.backward(loss / len(turns))
        torch.nn.utils.clip_grad_norm_(network.parameters(), preset.clip)
