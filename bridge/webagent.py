"""WebShop's old interface, ``WebAgentTextEnv``: agents written for it run after one changed import.

``from bridge.webagent import WebAgentTextEnv`` in place of ``from web_agent_site.envs import WebAgentTextEnv``. Where the
old package ``gym`` is installed, the import also registers ``WebAgentTextEnv-v0`` there.
"""

import random
import string
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bridge.episode import Episode, Settings
from bridge.errors import ConfigurationError
from bridge.goals import Goal
from bridge.simulator.catalogue import CatalogueProduct
from bridge.simulator.session import url_of
from bridge.simulator.shop import Shop
from bridge.simulator.site import Session

BASE_URL = "http://127.0.0.1:3000"
"""What stands in front of the addresses of the ``url`` view."""
IMAGE_SIZE = 512
"""Floats of an image feature (a ResNet's, in WebShop)."""
_NO_LIMIT = 1 << 62


class SimServer:
    """The shop, its goals and the sessions: what environments share when ``server`` is passed on.

    ``goals`` and ``product_item_dict`` hold dicts with WebShop's keys.
    """

    def __init__(
        self,
        shop: Shop,
        filter_goals: Callable[[int, dict[str, Any]], bool] | None = None,
        limit_goals: int = -1,
        show_attrs: bool = False,
        seed: int = 0,
    ) -> None:
        """``limit_goals`` takes a weighted sample without repeats of that size; ``seed`` draws it, and the goals of sessions."""
        self.shop = shop
        self.show_attrs = show_attrs
        self.rng = random.Random(seed)
        chosen = [goal for i, goal in enumerate(shop.goals) if filter_goals is None or filter_goals(i, _old_goal(goal, shop))]
        if 0 <= limit_goals < len(chosen):
            # keys of Efraimidis and Spirakis: the largest make a weighted sample without repeats
            keys = {id(goal): self.rng.random() ** (1 / goal.weight) for goal in chosen}
            chosen = sorted(chosen, key=lambda goal: -keys[id(goal)])[:limit_goals]
        if not chosen:
            raise ConfigurationError("no goals are left after filter_goals and limit_goals")
        self.records = chosen
        self.goals = [_old_goal(goal, shop) for goal in chosen]
        self.weights = [goal.weight for goal in chosen]
        self.product_item_dict = {product.asin: _old_product(product) for product in shop.catalogue.products}
        self.product_prices = shop.prices
        self.user_sessions: dict[str, dict[str, Any]] = {}

    def place_of(self, session: str, wanted: int | None) -> int:
        """The goal of a session, by its place: the one it has, else the one wanted, else one drawn by weight."""
        if session not in self.user_sessions:
            place = wanted if wanted is not None else self.rng.choices(range(len(self.goals)), self.weights)[0]
            self.user_sessions[session] = {"goal": self.goals[place], "place": place, "done": False}
        known: int = self.user_sessions[session]["place"]
        return known


class WebAgentTextEnv:
    """WebShop's text environment, in its own words: four-tuple ``step``, ``reset(session)``, ``get_available_actions``.

    ``observation_mode`` is ``html``, ``text``, ``text_rich`` or ``url``. ``file_path`` is ``items_shuffle*.json`` or processed
    products (the shipped catalogue if not given), ``attr_path`` and ``human_attr_path`` its attribute and instruction files.
    ``session_prefix`` is put in front of session names; ``num_prev_obs`` and ``num_prev_actions`` join history to the
    observation. With ``get_image`` the features of main images are looked up in ``image_features`` (URL to 512 floats).
    There is no step limit. ``seed`` draws prices, ceilings and goals (WebShop leaves the first two unseeded).
    """

    metadata: Mapping[str, Any] = {"render_modes": [], "render.modes": []}
    reward_range = (0.0, 1.0)
    spec = observation_space = action_space = render_mode = None

    def __init__(
        self,
        observation_mode: str = "html",
        file_path: str | Path | None = None,
        server: SimServer | None = None,
        *,
        attr_path: str | Path | None = None,
        human_attr_path: str | Path | None = None,
        filter_goals: Callable[[int, dict[str, Any]], bool] | None = None,
        limit_goals: int = -1,
        num_products: int | None = None,
        human_goals: bool | int = False,
        session: str | int | None = None,
        session_prefix: str | None = None,
        show_attrs: bool = False,
        get_image: bool | int = False,
        image_features: Mapping[str, Sequence[float]] | None = None,
        num_prev_obs: int = 0,
        num_prev_actions: int = 0,
        nouns: str = "rule",
        seed: int = 0,
    ) -> None:
        if observation_mode not in ("html", "text", "text_rich", "url"):
            raise ConfigurationError(f"unknown observation_mode '{observation_mode}'; known: html, text, text_rich, url")
        if server is None:
            goals = "human" if human_goals else "synthetic"
            shop = Shop.load(file_path, attr_path, human_attr_path, num_products, goals, nouns, seed)
            server = SimServer(shop, filter_goals, limit_goals, show_attrs, seed)
        self.observation_mode = observation_mode
        self.server = server
        self.session: Any = session
        self.session_prefix = session_prefix
        self.num_prev_obs = num_prev_obs
        self.num_prev_actions = num_prev_actions
        self.prev_obs: list[str] = []
        self.prev_actions: list[str] = []
        self._images = (image_features or {}) if get_image else {}
        self._episode: Episode
        self.instruction_text: str
        self.reset()

    def reset(self, session: str | int | None = None, instruction_text: str | None = None) -> tuple[str, None]:
        """Go to the start page of a session: a number takes the goal of that place, a name or nothing draws one.

        A session seen before keeps its goal. ``instruction_text`` changes the attribute of that name only, as in WebShop.
        """
        server = self.server
        name = str(session) if session is not None else "".join(server.rng.choices(string.ascii_lowercase, k=10))
        self.session = (self.session_prefix or "") + name
        goal = server.records[server.place_of(self.session, session if isinstance(session, int) else None)]
        self._episode = server.shop.episode(goal, Settings(max_steps=_NO_LIMIT, attributes=server.show_attrs))
        self.instruction_text = self.get_instruction_text() if instruction_text is None else instruction_text
        self._remember()
        self.prev_obs = [self.observation]
        self.prev_actions = []
        return self.prev_obs[0], None

    def step(self, action: str) -> tuple[str, float, bool, None]:
        """Take an action; one that is not valid does nothing. Returns observation, reward, whether it is done, ``None``."""
        before = self._episode.purchase
        self._episode.step(action)
        done = self._episode.purchase is not before
        self._remember()
        seen = self.observation
        parts = [seen]
        self.prev_actions.append(action)
        for i in range(1, 1 + max(self.num_prev_obs, self.num_prev_actions)):
            if len(self.prev_actions) >= i and self.num_prev_actions >= i:
                parts.append(self.prev_actions[-i])
            if len(self.prev_obs) >= i and self.num_prev_obs >= i:
                parts.append(self.prev_obs[-i])
        self.prev_obs.append(seen)
        return " [SEP] ".join(reversed(parts)), (self._episode.reward or 0.0) if done else 0.0, done, None

    def get_available_actions(self) -> dict[str, Any]:
        """Whether there is a search bar, and the texts that can be clicked."""
        actions = self._episode.valid_actions
        return {"has_search_bar": actions.has_search_bar, "clickables": list(actions.clickables)}

    def get_instruction_text(self) -> str:
        """The text of the page's instruction, its heading included, as WebShop's HTML has it."""
        start = self._episode.state.screen == "start"
        return f"Instruction: {self._episode.goal.instruction}" if start else f"Instruction:{self._episode.goal.instruction}"

    def get_image(self) -> Sequence[float]:
        """The feature of the main image of the item shown; zeros on other pages and for unknown images."""
        item = self._episode.state.item
        shown = item.page.image if item and self._episode.state.screen == "item" else None
        return self._images.get(shown or "", (0.0,) * IMAGE_SIZE)

    @property
    def observation(self) -> str:
        """The current page in the mode of this environment."""
        if self.observation_mode == "html":
            return self._html()
        if self.observation_mode == "url":
            return self._url()
        return self._episode.observation("text" if self.observation_mode == "text" else "text_rich")

    @property
    def state(self) -> dict[str, str]:
        """Address, HTML and instruction of the current page."""
        return {"url": self._url(), "html": self._html(), "instruction_text": self.instruction_text}

    def render(self, mode: str = "human") -> None:
        """Does nothing, as in WebShop."""

    def close(self) -> None:
        """Nothing is held open."""

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Seed the draw of goals."""
        self.server.rng.seed(seed)
        return [seed]

    @property
    def unwrapped(self) -> "WebAgentTextEnv":
        """This environment: what gym's wrappers ask for."""
        return self

    def _url(self) -> str:
        return f"{BASE_URL}/{url_of(self._episode.state, self.session)}"

    def _html(self) -> str:
        state, goal = self._episode.state, self._episode.goal
        pages, products = Session(self.session, goal.instruction), self.server.shop.catalogue.by_asin
        keywords = state.query.split(" ")
        if state.screen == "results" and state.results:
            return pages.results(keywords, state.window, [products[row.source_id] for row in state.results.rows])
        if state.item is None:
            return pages.start()
        product = products[state.item.id]
        if state.screen == "item":
            return pages.item(keywords, state.window, product, state.clicked, self.server.show_attrs)
        if state.screen == "done":
            return pages.done(product, state.clicked, self.server.shop.reward(goal, product.asin, state.clicked))
        return pages.sub_page(keywords, state.window, product, state.screen.capitalize(), state.clicked)

    def _remember(self) -> None:
        """Keep what WebShop keeps of a session, for agents that look there."""
        state, episode = self._episode.state, self._episode
        facts: dict[str, Any] = {
            "keywords": state.query.split(" ") if state.results else None,
            "page": state.window if state.results else None,
            "asin": state.item.id if state.item else None,
            "asins": set(state.visited),
            "options": dict(state.clicked),
            "done": episode.purchase is not None,
        }
        if episode.purchase is not None:
            parts = self.server.shop.reward(episode.goal, episode.purchase.id, episode.purchase.clicked)
            facts["reward"] = parts.total
            facts["verbose_info"] = {name: value for name in parts.__struct_fields__ if (value := getattr(parts, name)) is not None}
        self.server.user_sessions[self.session].update(facts)


def _old_goal(goal: Goal, shop: Shop) -> dict[str, Any]:
    target = shop.catalogue.by_asin.get(goal.target or "")
    return {
        "asin": goal.target,
        "category": target.category if target else None,
        "query": goal.query,
        "name": goal.name,
        "product_category": goal.product_category,
        "instruction_text": goal.instruction,
        "attributes": list(goal.attributes),
        "price_upper": goal.price_upper,
        "goal_options": dict(goal.options) if isinstance(goal.options, dict) else list(goal.options),
        "weight": goal.weight,
    }


def _old_product(product: CatalogueProduct) -> dict[str, Any]:
    return {
        "asin": product.asin,
        "name": product.title,
        "Title": product.title,
        "Description": product.description,
        "BulletPoints": list(product.bullets),
        "Price": product.price_text,
        "pricing": list(product.prices),
        "Rating": "N.A.",
        "Reviews": [],
        "options": {name: list(values) for name, values in product.options.items()},
        "option_to_image": dict(product.option_images),
        "Attributes": list(product.attributes),
        "query": product.query,
        "category": product.category,
        "product_category": product.product_category,
        "MainImage": product.image,
    }


if find_spec("gym"):
    import gym

    gym.register(id="WebAgentTextEnv-v0", entry_point="bridge.webagent:WebAgentTextEnv")
