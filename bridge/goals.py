"""Goals: what an agent is asked to buy."""

from bridge.pages import Record


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
    """Name of the goal within its set, e.g. its number in WebShop's order."""
