from bridge.episode import Episode, Settings
from bridge.goals import Goal
from bridge.pages import ItemPage, OptionGroup, OptionValue, Page, Price, Product, ResultsPage
from bridge.requests import ItemRequest, Request, SearchRequest
from policies.trained.money import Tag
from policies.trained.screens import Group, read


class Shelf:
    """A live-like source with one product."""

    name = "shelf"
    trusted = False

    def open(self, request: Request, on_exchange: object) -> Page:
        price = Price(text="SEK 99", low=99.0, high=99.0, currency="SEK")
        if isinstance(request, SearchRequest):
            rows = (Product(id="B000000001", title="Oak shelf", price=price), Product(id="B000000002", title="Pine shelf", price=None))
            return ResultsPage(query=request.query, page=1, total=2, has_next=False, products=rows)
        assert isinstance(request, ItemRequest)
        groups = (
            OptionGroup(name="Color", values=(OptionValue(value="Black"), OptionValue(value="Oak/White"))),
            OptionGroup(name="Frame", values=(OptionValue(value="black"), OptionValue(value="Price: 5"))),
        )
        return ItemPage(id="B000000001", title="Oak shelf", price=price, options=groups, bullets=("Solid oak",))

    def public_id(self, id: str) -> str:
        return id

    def close(self) -> None: ...


def test_the_screens_of_a_live_page() -> None:
    episode = Episode(Shelf(), Goal(instruction="an oak shelf"), Settings())
    assert read(episode.observation("text_rich"), episode.valid_actions).kind == "start"
    episode.step("search[shelf]")
    results = read(episode.observation("text_rich"), episode.valid_actions)
    assert [(row.id, row.title, row.price) for row in results.rows] == [
        ("b000000001", "Oak shelf", Tag(99.0, 99.0, "SEK")),
        ("b000000002", "Pine shelf", None),
    ]
    assert (results.kind, results.window, results.total) == ("results", 1, 2)
    episode.step("click[b000000001]")
    episode.step("click[oak | white]")
    item = read(episode.observation("text_rich"), episode.valid_actions)
    assert (item.kind, item.title, item.price) == ("item", "Oak shelf", Tag(99.0, 99.0, "SEK"))
    assert item.groups == (
        Group("color", ("black (color)", "oak | white"), "oak | white"),
        Group("frame", ("black (frame)", '"price: 5"'), None),
    )
    episode.step("click[features]")
    features = read(episode.observation("text_rich"), episode.valid_actions)
    assert (features.kind, features.text) == ("text", "Solid oak")
