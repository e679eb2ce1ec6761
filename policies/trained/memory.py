"""What the policy has seen in an episode."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from policies.trained.evidence import ROW_FEATURES, item_features, option_features, row_features, told
from policies.trained.models import Models
from policies.trained.network import Floats, chance
from policies.trained.screens import Group, Row, Screen
from policies.trained.wish import Wish
from policies.trained.words import STOP, Bag, words

WINDOW = 10
_SAME, _SAME_OF_LONGER, _LEAST_SAME = 0.8, 0.4, 3
"""Two titles are of the same thing if they share so much of the shorter one and of the longer one, by how much words say, and so
many words."""
_ELSEWHERE = 0.5
"""What is left of a result's chance when the same thing from elsewhere was opened: its options may be others."""
_WORTH = 0.5
"""What a sure reward counts beside a sure success."""
_OTHERS = 0.5
"""What is left of the chance of a thing for other persons."""
ASKED = 0.15
"""Chance above which steps are kept for choosing an option's value."""
_LACKS = 0.1
"""What is left of the chance of an item that cannot be had as asked."""
_HOPELESS, _HOPELESS_BY_TITLES = 0.01, 0.06
"""Chance below which a result is neither opened nor returned to while there are windows, queries and steps left; where a search
seems to go by titles, further searches and windows promise more."""
_BY_TITLES = 0.95


@dataclass(eq=False)
class Seen:
    """A product of the results, and what opening it showed."""

    row: Row
    query: str
    window: int
    chance: float
    """That buying it is a full success, as far as is known."""
    row_chance: float
    """The same as the results that showed it first."""
    evidence: Floats
    """The features of the result that showed it best."""
    opened: bool = False
    again: bool = False
    """Whether it was come back to, as the best of those opened."""
    texts: dict[str, str] = field(default_factory=dict)
    """Sub screens read."""
    over: bool = False
    """Whether it costs more than the ceiling."""
    priced: bool = False
    """Whether its page showed a price."""
    lacks: bool = False
    """Whether a value asked for was tried and could not be chosen, or choosing it took the price away: no such combination is sold."""
    asked: int = 0
    """Option groups of which a value may be asked for."""
    weakest: float = 1.0
    """How well the least proven attribute is proven."""
    worth: float = 0.0
    """The reward that buying it would bring, as far as is known."""

    @property
    def value(self) -> float:
        """What speaks for buying it: the chance of a full success, then the reward; nothing else if it is too dear."""
        return self.chance + (0.0 if self.over else _WORTH * self.worth)


def most_said_for(products: Iterable[Seen]) -> Seen | None:
    """The one of them for which most speaks."""
    return max(products, key=lambda seen: seen.value, default=None)


class Memory:
    """Products, windows and queries of one episode."""

    def __init__(self, wish: Wish, models: Models) -> None:
        self.wish = wish
        self.models = models
        self.products: dict[str, Seen] = {}
        self.query = ""
        self.searches = 0
        self.left = 0
        """Queries not tried yet."""
        self._told: dict[tuple[str, int], list[bool]] = {}
        """Which results of a query's window have titles that hold words of the query."""
        self.window = 1
        self.total = 0
        self.here: Seen | None = None
        """The item that is open."""
        self.values: list[Floats] = []
        """Chances of the option values of the item that is open."""
        self.groups: tuple[Group, ...] = ()
        self.tried: set[str] = set()
        """Option values clicked since it was opened."""

    def searched(self, query: str, left: int) -> None:
        """A new search begins; so many further queries are left."""
        self.query, self.window, self.left = query, 1, left
        self.searches += 1

    def results(self, screen: Screen) -> None:
        """Take in a window of results."""
        self.window, self.total = screen.window, screen.total
        self.here = None
        self.tried.clear()
        if not screen.rows:
            return
        key = ("rows", screen.rows, self.window, self.query)
        if key not in self.wish.known:
            bags = [Bag(row.title) for row in screen.rows]
            table = row_features(self.wish, screen.rows, bags, WINDOW * (self.window - 1), self.query)
            self.wish.known[key] = (
                told(self.query, bags),
                table,
                [self._for_whom(chance(score), bag) for score, bag in zip(self.models.row(table), bags, strict=True)],
            )
        self._told[self.query, self.window], table, chances = self.wish.known[key]
        for row, evidence, p in zip(screen.rows, table, chances, strict=True):
            seen = self.products.setdefault(row.id, Seen(row, self.query, self.window, p, p, evidence))
            seen.query, seen.window = self.query, self.window
            if not seen.opened and p > seen.chance:
                seen.chance, seen.evidence = p, evidence  # another search may place it better
        for opened in self.opened:
            self._same_from_others(opened)

    def _same_from_others(self, opened: Seen) -> None:
        """Other sellers' offers of a thing that was opened are seldom better than it, unless it was too dear."""
        title = frozenset(words(opened.row.title)) - STOP
        for seen in self.products.values():
            if not seen.opened and not opened.over and seen.chance > opened.chance:
                other = frozenset(words(seen.row.title)) - STOP
                shared, mine, theirs = (sum(map(self.wish.rarity, some)) for some in (title & other, title, other))
                if len(title & other) >= _LEAST_SAME and shared >= max(_SAME * min(mine, theirs), _SAME_OF_LONGER * max(mine, theirs)):
                    seen.chance = min(seen.chance, max(opened.chance, _ELSEWHERE * seen.row_chance))

    def item(self, screen: Screen, id: str) -> None:
        """Take in an open item."""
        seen = self.products.get(id)
        if seen is None:
            seen = self.products[id] = Seen(
                Row(id, screen.title, screen.price), self.query, self.window, 0.5, 0.5, np.zeros(ROW_FEATURES, np.float32)
            )
        self.here, self.groups = seen, screen.groups
        seen.opened = True
        self.values = [self._chances(group) for group in screen.groups]
        groups = tuple((group.name, group.values) for group in screen.groups)
        key = ("item", screen.title, screen.price, groups, tuple(sorted(seen.texts.items())), seen.evidence.tobytes())
        if key not in self.wish.known:
            price = self.wish.price_fit(screen.price)
            texts = {name: Bag(text) for name, text in seen.texts.items()}
            chances = [list(map(float, row)) for row in self.values]
            title = Bag(screen.title)
            made = item_features(self.wish, title, screen.groups, chances, price, texts, [*map(float, seen.evidence)])
            self.wish.known[key] = (
                made[WEAKEST],
                self._for_whom(chance(self.models.item([made])[0]), title),
                float(np.clip(self.models.worth([made])[0], 0, 1)),
            )
        seen.weakest, seen.chance, seen.worth = self.wish.known[key]
        seen.over = self.wish.price_fit(screen.price)[0] > 0
        seen.priced |= screen.price is not None
        seen.asked = sum(sure > ASKED for _, _, sure in self.likeliest)
        asked = [(group, value) for group, value, sure in self.likeliest if sure > 0.5]
        if asked and all(value in self.tried for _, value in asked):
            refused = any(group.chosen != value and self._is_marked(value) for group, value in asked)
            seen.lacks |= refused or (seen.priced and screen.price is None)
        if seen.lacks:
            seen.chance *= _LACKS

    @property
    def likeliest(self) -> Iterator[tuple[Group, str, float]]:
        """Each group of the open item with the value most likely asked for, and the chance that it is."""
        for group, chances in zip(self.groups, self.values, strict=True):
            best = int(np.argmax(chances))
            yield group, group.values[best], float(chances[best])

    def _is_marked(self, value: str) -> bool:
        """Whether an option's value is marked when it is chosen: WebShop marks none that JSON escapes
        (``bridge/simulator/session.py``), and of two groups with the same value only one can be chosen."""
        return json.dumps(value) == f'"{value}"' and sum(value in group.values for group in self.groups) == 1

    def _for_whom(self, chance: float, title: Bag) -> float:
        """A chance where a title is for other persons than those asked for: rewards of simulated shopping seldom mind, people do."""
        return _OTHERS * chance if self.wish.opposed(title) else chance

    def _chances(self, group: Group) -> Floats:
        key = ("option", group.name, group.values)
        if key not in self.wish.known:
            scores = np.exp(np.clip(self.models.option(option_features(self.wish, group)), -20, 20))
            self.wish.known[key] = (scores / (1 + scores.sum())).astype(np.float32)
        chances: Floats = self.wish.known[key]
        return chances

    @property
    def hopeless(self) -> float:
        """The chance below which a result waits for others. Of the queries that found anything the first has the most words, so
        its results tell best how the store searches."""
        told = list[bool]()
        for (query, _), window in self._told.items():
            if query == next(iter(self._told))[0]:
                told += window
        return _HOPELESS_BY_TITLES if sum(told) > _BY_TITLES * len(told) else _HOPELESS

    @property
    def told(self) -> float:
        """Least share of a search's results whose titles hold words of its query: near 1 where searches go by titles."""
        shares = []
        for query in {query for query, _ in self._told}:
            held = [one for (other, _), window in self._told.items() if other == query for one in window]
            shares.append(sum(held) / len(held))
        return min(shares, default=1.0)

    @property
    def windows_seen(self) -> int:
        """Windows of this search that were seen."""
        return sum(query == self.query for query, _ in self._told)

    @property
    def query_of_best(self) -> str | None:
        """The search that showed the product for which most speaks so far; another than the last one, where there is one."""
        elsewhere = most_said_for(seen for seen in self.products.values() if seen.query != self.query)
        best = elsewhere or most_said_for(self.products.values())
        return best.query if best else None

    @property
    def opened(self) -> list[Seen]:
        """What was opened, in any search."""
        return [seen for seen in self.products.values() if seen.opened]

    def best(self, opened: bool, window: int | None = None) -> Seen | None:
        """The product of the current search for which most speaks: opened before, or not yet opened (in one window, if given)."""
        found = [
            seen for seen in self.products.values() if seen.opened == opened and seen.query == self.query and window in (None, seen.window)
        ]
        return most_said_for(found)


WEAKEST = 23
"""Place of the least proven attribute in the features of an item."""
