"""Learning which action to take: by imitating a shopper who knows the rewards, then by reinforcement."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from bridge.episode import Episode, Settings
from bridge.errors import PolicyError
from bridge.goals import Goal
from bridge.reward import FULL
from bridge.simulator.shop import Shop
from bridge.training.examples import Judge, hits, right_values
from bridge.training.gradient import Adam, standardise
from bridge.training.wording import reword
from policies.trained.choice import Choice
from policies.trained.models import MEMBERS, Models, fold
from policies.trained.network import Floats, Network
from policies.trained.policy import TrainedPolicy
from policies.trained.screens import Screen

RATE = 1e-3
"""Of reinforcement in its first round; it falls to a tenth."""
CLIP, PASSES, BATCH, SPREAD = 0.2, 3, 512, 0.3
"""How far a round moves the chance of a decision; how often it goes over its decisions, and how many make a step; the deviation
that their gains are brought to (PPO; Schulman et al., 2017)."""
Drawn = tuple[Floats, int, float, float]
"""What was weighed, what was taken, how much better than other tries it went, the logarithm of its chance."""


@dataclass
class Walk:
    """One episode: what was weighed at each decision, what was taken and what the teacher would have taken, and how it ended."""

    rows: list[Floats] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)
    advised: list[int | None] = field(default_factory=list)
    reward: float = 0.0
    steps: int = 0

    @property
    def success(self) -> bool:
        """Whether the purchase was right in everything."""
        return self.reward >= FULL


class Learner(TrainedPolicy):
    """The policy while it learns: draws its actions, asks the teacher, remembers both."""

    def __init__(
        self, models: Models, temperature: float, shop: Shop, judge: Judge | None = None, follow: float = 0.0, blind: bool = True
    ) -> None:
        super().__init__(models, temperature)
        self.shop, self.judge, self.follow = shop, judge, follow
        self._judges = [models.blind(number) if blind else models for number in range(MEMBERS)]
        self.walk = Walk()
        self.goal = Goal(instruction="")
        self._worded: str | None = None

    def start(self, goal: Goal, instruction: str, seed: int) -> None:
        """Begin a walk; the teacher knows the goal, the policy its wording only. The same wording again is not read again.

        A ``blind`` learner judges as one who never saw the product: else it would trust its judges more than it may elsewhere.
        """
        again = self._worded == instruction
        self.models = self._judges[fold(goal.target or "")]
        self.goal, self.walk, self._worded = goal, Walk(), instruction
        self._worth: dict[str, float] = {}
        self._windows: dict[str, list[int]] = {}
        self.reset(Goal(instruction=instruction), seed, self.wish if again else None)

    def pick(self, screen: Screen, found: list[Choice], scores: Floats) -> int:
        """The policy's choice, or the teacher's in ``follow`` of the cases."""
        index = super().pick(screen, found, scores)
        if self.judge:
            advice = self._advice(screen, found)
            self.walk.advised.append(advice)
            if advice is not None and self._rng.random() < self.follow:
                return advice
        return index

    def _value(self, id: str) -> float:
        assert self.judge is not None
        id = id.upper()
        if id not in self._worth:
            self._worth[id] = self.judge.best(self.goal, self.shop.catalogue.by_asin[id])
        return self._worth[id]

    def _good_windows(self, query: str) -> list[int]:
        """Windows of a search, from 1, that show a product worth buying."""
        if query not in self._windows:
            good = [i for i, product in enumerate(hits(self.shop, query)) if self._value(product.asin) >= FULL]
            self._windows[query] = sorted({1 + i // 10 for i in good})
        return self._windows[query]

    def _advice(self, screen: Screen, found: list[Choice]) -> int | None:
        def first(*kinds: str) -> int | None:
            return next((i for kind in kinds for i, choice in enumerate(found) if choice.kind == kind), None)

        if screen.kind == "item":
            here = self.memory.here
            assert here is not None
            right = self._value(here.row.id) >= FULL
            # One who does not know the answer has to read: so that the learner tries it, too.
            if here.weakest < 0.9 and (right or self._rng.random() < 0.2) and (reading := first("read")) is not None:
                return reading
            if not right:
                return first("leave", "option", "buy")
            for group in screen.groups:
                asked = right_values(self.goal, group)
                for i, choice in enumerate(found):
                    if choice.kind == "option" and choice.value in group.values and asked[group.values.index(choice.value)] > 0:
                        return i
            return first("buy", "option", "leave")
        rows = [(i, choice) for i, choice in enumerate(found) if choice.kind in ("open", "reopen")]
        good = [(choice.own[0], i) for i, choice in rows if self._value(choice.value) >= FULL]
        if good:
            return max(good)[1]
        # The nearest window with a good product: of this search, or (two steps away) of the next.
        ways = [
            (abs(window - screen.window), "next" if window > screen.window else "previous")
            for window in self._good_windows(self.memory.query)
        ]
        if self.queries and self.memory.searches < 3:
            ways += [(1 + window, "again") for window in self._good_windows(self.queries[0])[:1]]
        for _, kind in sorted(ways):
            if (index := first(kind)) is not None:
                return index
        return max(((self._value(choice.value), i) for i, choice in rows), default=(0.0, None))[1]


def walk(learner: Learner, goal: Goal, instruction: str, seed: int, limit: int = 20) -> Walk:
    """One simulated episode of a learner."""
    episode: Episode = learner.shop.episode(goal, Settings(max_steps=limit))
    learner.start(goal, instruction, seed)
    while episode.outcome is None:
        learner.weighed = None
        try:
            decision = learner.act(episode.observation("text_rich"), episode.valid_actions, {"steps": episode.steps})
        except PolicyError:
            break  # nothing found in a store that knows titles only: nothing bought
        if learner.weighed:
            rows, index = learner.weighed
            learner.walk.rows.append(rows)
            learner.walk.taken.append(index)
        episode.step(decision.action)
    learner.walk.reward, learner.walk.steps = episode.reward or 0.0, episode.steps
    return learner.walk


def log_chances(scores: Floats) -> Floats:
    """The logarithms of the chances that scores stand for."""
    logs = scores - scores.max()
    made: Floats = logs - np.log(np.exp(logs).sum())
    return made


def learn_from(network: Network, adam: Adam, decisions: Sequence[tuple[Floats, int, float]], entropy: float = 0.0) -> float:
    """One step: make choices more likely in proportion to their weights (negative: less likely). Returns the mean loss."""
    inputs = np.concatenate([rows for rows, _, _ in decisions])
    scores = network(inputs)
    slopes, at, loss = np.empty_like(scores), 0, 0.0
    for rows, index, weight in decisions:
        logs = log_chances(scores[at : at + len(rows)])
        chances = np.exp(logs)
        slope = weight * chances
        slope[index] -= weight
        if entropy:
            slope += entropy * chances * (logs - (chances * logs).sum())
        slopes[at : at + len(rows)] = slope
        loss -= weight * float(logs[index])
        at += len(rows)
    adam.step(inputs, (slopes / len(decisions)).astype(np.float32))
    return loss / len(decisions)


def clipped(network: Network, drawn: Sequence[Drawn]) -> list[tuple[Floats, int, float]]:
    """The decisions with what they gained, by how much likelier they are now than when they were drawn; nothing for those that
    went ``CLIP`` that way already."""
    made = []
    for rows, index, gain, before in drawn:
        ratio = float(np.exp(log_chances(network(rows))[index] - before))
        done = ratio > 1 + CLIP if gain > 0 else ratio < 1 - CLIP
        made.append((rows, index, 0.0 if done else gain * ratio))
    return made


def imitate(
    models: Models,
    shops: Sequence[Shop],
    goals: Sequence[Goal],
    rounds: int,
    epochs: int,
    units: int,
    seed: int,
    report: Callable[[int, float, float], None],
) -> Network:
    """Learn the teacher's choices in the situations that the learner gets itself into (DAgger; Ross et al., 2011). Each
    goal is shopped in one of the ``shops``."""
    rng, judge = random.Random(seed), Judge(shops[0])
    kept: list[tuple[Floats, int, float]] = []
    network = models.choice
    for number in range(rounds):
        learner = Learner(models, 1.0, shops[0], judge, follow=0.9 if number == 0 else 0.3)
        wins = 0
        for i, goal in enumerate(goals[number::rounds]):
            text = reword(goal, rng).text if rng.random() < 0.6 else goal.instruction
            learner.shop = rng.choice(shops)
            done = walk(learner, goal, text, seed + i)
            wins += done.success
            kept += [(rows, advice, 1.0) for rows, advice in zip(done.rows, done.advised, strict=True) if advice is not None]
        network = Network.fresh(kept[0][0].shape[1], units, seed)
        standardise(network, np.concatenate([rows for rows, _, _ in kept]))
        adam = Adam(network, 3e-3, 1e-4)
        order, loss = np.random.default_rng(seed), 0.0
        for epoch in range(epochs):
            adam.rate = 3e-3 * (1 - epoch / epochs)
            mixed = order.permutation(len(kept))
            losses = [learn_from(network, adam, [kept[i] for i in mixed[s : s + 64]]) for s in range(0, len(mixed), 64)]
            loss = float(np.mean(losses))
        models.choice = network
        report(number, wins / max(len(goals[number::rounds]), 1), loss)
    return network


def reinforce(
    models: Models,
    shops: Sequence[Shop],
    goals: Sequence[Goal],
    rounds: range,
    seed: int,
    report: Callable[[int, float, float, float], None],
    adam: Adam,
    goals_a_round: int = 24,
    tries: int = 6,
    step_cost: float = 0.004,
    bonus: float = 0.5,
    entropy: float = 0.01,
) -> None:
    """Proximal policy optimisation in the simulator: several tries at the same goal, each weighed by how much better it went
    than the others (their mean is the baseline). A try is worth its reward, a bonus for full success, less a cost a step. ``rounds``
    may begin where an earlier run stopped: what a round draws depends on its number and the seed only. Each goal is shopped in one
    of the ``shops``."""  # fmt: skip
    learner = Learner(models, 1.0, shops[0])
    for number in rounds:
        rng = random.Random(f"{seed} {number}")
        adam.rate = RATE * (1 - 0.9 * number / rounds.stop)
        drawn: list[Drawn] = []
        scores, wins, steps = [], [], []
        for goal in rng.sample(list(goals), min(goals_a_round, len(goals))):
            text = reword(goal, rng).text if rng.random() < 0.6 else goal.instruction
            learner.shop = rng.choice(shops)
            done = [walk(learner, goal, text, rng.randrange(1 << 30)) for _ in range(tries)]
            worth = np.array([w.reward + bonus * w.success - step_cost * w.steps for w in done])
            for one, gain in zip(done, worth - worth.mean(), strict=True):
                drawn += [
                    (rows, index, float(gain), float(log_chances(models.choice(rows))[index]))
                    for rows, index in zip(one.rows, one.taken, strict=True)
                    if len(rows) > 1
                ]
            scores += [w.reward for w in done]
            wins += [w.success for w in done]
            steps += [w.steps for w in done]
        order = np.random.default_rng([seed, number])
        spread = float(np.std([gain for _, _, gain, _ in drawn] or [0.0]))
        drawn = [(rows, index, gain * SPREAD / (spread + 1e-6), before) for rows, index, gain, before in drawn]
        for _ in range(PASSES):
            mixed = order.permutation(len(drawn))
            for at in range(0, len(mixed), BATCH):
                learn_from(models.choice, adam, clipped(models.choice, [drawn[i] for i in mixed[at : at + BATCH]]), entropy)
        report(number, float(np.mean(scores)), float(np.mean(wins)), float(np.median(steps)))


def evaluate(
    models: Models, shop: Shop, goals: Sequence[Goal], instructions: Sequence[str] | None = None, limit: int = 20, blind: bool = False
) -> list[Walk]:
    """The policy as it ships (or with judges that never saw the goals' products), on goals in their order."""
    learner = Learner(models, 0.0, shop, blind=blind)
    texts = instructions or [goal.instruction for goal in goals]
    return [walk(learner, goal, text, 0, limit) for goal, text in zip(goals, texts, strict=True)]
