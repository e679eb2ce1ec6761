"""Goals: what an agent is asked to buy. WebShop's own sets of them, goals from a file, goals from a bare instruction."""

import itertools
import random
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import msgspec

from bridge.errors import ConfigurationError
from bridge.pages import Record
from bridge.simulator.catalogue import Catalogue

ORDER_SEED = 233
"""Seed of WebShop's shuffle of its goals (``web_agent_site/envs/web_agent_text_env.py``)."""
HUMAN_SPLITS = {"test": range(500), "eval": range(500, 1500), "train": range(1500, 12087)}
"""WebShop's splits: places in the official order of the human goals of its full catalogue."""
_CEILINGS = range(10, 1000, 10)

_CURRENCIES = {
    "USD": ("$", "us$", "usd", "dollar", "dollars", "buck", "bucks"),
    "EUR": ("€", "eur", "euro", "euros"),
    "GBP": ("£", "gbp", "pound", "pounds", "quid"),
    "JPY": ("¥", "jpy", "yen"),
    "INR": ("₹", "inr", "rupee", "rupees"),
    "CAD": ("c$", "ca$", "cad"),
    "AUD": ("a$", "au$", "aud"),
}
_CURRENCY_OF = {word: code for code, words in _CURRENCIES.items() for word in words}
_SIGN = "|".join(re.escape(word) for word in sorted(_CURRENCY_OF, key=len, reverse=True))
_CEILING = re.compile(
    r"(?P<price>\b(?:price[ds]?|costs?|costing|budget|spend(?:ing)?)\b[^.;]{0,20}?)?"
    r"(?:\b(?:(?:lower|less|cheaper|no more|not more) than|under|below|at most|up to|no(?:t)? over|within|max(?:imum)?(?: of)?"
    r"|budget(?: is| of)?|not exceed(?:ing)?)|<=?)\s*:?\s*"
    rf"(?P<before>{_SIGN})?\s*(?P<amount>\d[\d,.]*\d|\d)\s*(?P<after>(?:{_SIGN})(?!\w))?",
    re.IGNORECASE,
)


class Goal(Record, frozen=True):
    """An instruction and, where known, what it asks for. Only the instruction is shown to a policy."""

    instruction: str
    """The whole text, its price sentence included."""
    attributes: tuple[str, ...] = ()
    options: dict[str, str] | tuple[str, ...] = ()
    """Option name to value (synthetic goals), or values alone (human goals)."""
    price_upper: float | None = None
    """The highest price allowed, in whole units of ``currency``; ``None`` where the goal sets none."""
    currency: str = "USD"
    """ISO 4217 code of ``price_upper``."""
    target: str | None = None
    """Id of the product that the instruction was written for."""
    query: str | None = None
    """The target's query, product category and name: what WebShop's reward compares."""
    product_category: str | None = None
    name: str | None = None
    weight: float = 1.0
    """How often the goal is drawn, relative to the others."""
    id: str | None = None
    """Name of the goal within its set; of WebShop's goals their number in the official order."""


def goal_of(instruction: str, currency: str = "USD") -> Goal:
    """A goal that is known by its instruction only; the price ceiling is read out of the text.

    Raises ``ConfigurationError`` for an instruction that is empty, or no Unicode text.
    """
    if not instruction.strip():
        raise ConfigurationError("the instruction is empty")
    try:
        instruction.encode()
    except UnicodeEncodeError:
        raise ConfigurationError(f"the instruction is no text: {instruction[:100]!a}; is it written in UTF-8?") from None
    amount, said = price_ceiling(instruction) or (None, None)
    return Goal(instruction=instruction, price_upper=amount, currency=said or currency)


def price_ceiling(text: str) -> tuple[float, str | None] | None:
    """The price ceiling that a text states ("lower than 50.00 dollars", "under $40", "price less than 30") and its
    currency, ``None`` where it names none; the last one if there are several, ``None`` if there is none.

    A bare number needs a word for price in front: "under 5 inches" is no price.
    """
    found = None
    for match in _CEILING.finditer(text):
        sign = match["before"] or match["after"]
        if sign or match["price"] or "budget" in match[0].lower():
            found = _amount(match["amount"]), _CURRENCY_OF[sign.lower()] if sign else None
    return found


def _amount(text: str) -> float:
    """``1,299.50``, ``1.299,50``, ``1,299`` and ``39,9`` as numbers: a last mark followed by three digits groups thousands."""
    fraction = re.search(r"[.,](\d{1,2})$", text)
    whole = re.sub(r"\D", "", text[: fraction.start()] if fraction else text)
    return float(f"{whole}.{fraction[1]}" if fraction else whole)


def read_goals(path: str | Path) -> list[Goal]:
    """Goals of a JSON lines file, one record of :class:`Goal` a line; ``id`` defaults to the line's number from 0.

    A line without ``price_upper`` gets the ceiling that its instruction states. Raises ``ConfigurationError`` naming
    file and line for anything else than such a file.
    """
    goals: list[Goal] = []
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(f"{path}: goals cannot be read ({error})") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            goal = msgspec.json.decode(line, type=Goal)
        except msgspec.MsgspecError as error:
            raise ConfigurationError(
                f'{path}:{number}: not a goal ({error}); a line is a JSON object with at least "instruction"'
            ) from error
        if goal.price_upper is None and (stated := price_ceiling(goal.instruction)):
            goal = goal.replace(price_upper=stated[0], currency=stated[1] or goal.currency)
        goals.append(goal if goal.id is not None else goal.replace(id=str(len(goals))))
    if not goals:
        raise ConfigurationError(f"{path}: no goals in it")
    return goals


def synthetic_goals(catalogue: Catalogue, prices: Mapping[str, float], rng: random.Random) -> list[Goal]:
    """WebShop's synthetic goals in the official order: one for each combination of option values of each product that
    has a synthetic instruction. ``prices`` are ``Catalogue.draw_prices``; ``rng`` draws one ceiling a product."""
    goals = []
    for product in catalogue.products:
        if product.instruction is None:
            continue
        ceiling, sentence = _draw_ceiling(prices[product.asin], rng)
        names = sorted(product.options)
        for values in itertools.product(*(product.options[name] for name in names)):
            options = dict(zip(names, values, strict=True))
            pairs = ", and ".join(f"{name}: {value}" for name, value in options.items())
            goals.append(
                Goal(
                    instruction=product.instruction + (f" with {pairs}" if pairs else "") + sentence,
                    attributes=product.instruction_attributes,
                    options=options,
                    price_upper=ceiling,
                    target=product.asin,
                    query=product.query,
                    product_category=product.product_category,
                    name=product.title,
                )
            )
    often = Counter(attribute for goal in goals for attribute in goal.attributes)
    return _in_order(
        [goal.replace(weight=sum(1 / often[attribute] for attribute in goal.attributes) / max(len(goal.attributes), 1)) for goal in goals]
    )


def human_goals(catalogue: Catalogue, prices: Mapping[str, float], rng: random.Random) -> list[Goal]:
    """WebShop's crowd-written goals in the official order (of the products in this catalogue). Instructions without
    attributes are left out. ``prices`` are ``Catalogue.draw_prices``; ``rng`` draws one ceiling an instruction."""
    goals = []
    for product in catalogue.products:
        for human in product.human:
            if human.attributes:
                ceiling, sentence = _draw_ceiling(prices[product.asin], rng)
                goals.append(
                    Goal(
                        instruction=human.instruction.strip(".") + sentence,
                        attributes=human.attributes,
                        options=human.options,
                        price_upper=ceiling,
                        target=product.asin,
                        query=product.query,
                        product_category=product.product_category,
                        name=product.title,
                    )
                )
    return _in_order(goals)


def draw(goals: list[Goal], rng: random.Random) -> Goal:
    """One goal, drawn by weight."""
    return rng.choices(goals, [goal.weight for goal in goals])[0]


def _draw_ceiling(price: float, rng: random.Random) -> tuple[float, str]:
    """The larger of two of the first four multiples of ten above the price, and its sentence.

    WebShop's ceiling for a price beyond them is a million, without a sentence.
    """
    above = [float(ceiling) for ceiling in _CEILINGS if ceiling > price][:4]
    if len(above) < 2:
        return 1_000_000.0, ""
    ceiling = max(rng.sample(above, 2))
    return ceiling, f", and price lower than {ceiling:.2f} dollars"


def _in_order(goals: list[Goal]) -> list[Goal]:
    random.Random(ORDER_SEED).shuffle(goals)
    return [goal.replace(id=str(number)) for number, goal in enumerate(goals)]
