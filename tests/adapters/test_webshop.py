import threading
from collections.abc import Iterator

import pytest

from adapters.base import load
from adapters.webshop import HOST, WebShopAdapter
from bridge.episode import Episode, Settings
from bridge.errors import ConfigurationError, GuardRefused
from bridge.experiment import open_source
from bridge.guard import Guard
from bridge.outcomes import Outcome
from bridge.pages import BlockedPage, DescriptionPage, ItemPage, NotFoundPage, OtherPage, ResultsPage
from bridge.requests import DescriptionRequest, ItemRequest, Request, SearchRequest
from bridge.responses import Response
from bridge.setup import Setup
from bridge.simulator.catalogue import Catalogue, CatalogueProduct
from bridge.simulator.server import Site, serve
from bridge.simulator.shop import Shop

PRODUCTS = (
    CatalogueProduct(
        asin="B000000001",
        title="Red Lamp & more",
        description="A lamp: warm.",
        bullets=("One", "Two"),
        prices=(16.82, 35.0),
        price_text="$16.82 to $35.0",
        options={"color": ("red | blue", "it's"), "size": ("s", "m")},
        attributes=("warm light",),
        instruction="Find me lamps",
        instruction_attributes=("warm light",),
    ),
    *(CatalogueProduct(asin=f"B0000001{n:02}", title=f"Chair {n}", bullets=("",)) for n in range(23)),
)
ADAPTER = WebShopAdapter()


@pytest.fixture(scope="module")
def shop() -> Shop:
    return Shop(Catalogue(PRODUCTS))


@pytest.fixture(scope="module")
def origin(shop: Shop) -> Iterator[str]:
    server = serve(Site(shop), port=0)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def response(html: str, status: int = 200, url: str | None = f"https://{HOST}/bridge") -> Response:
    return Response(url=url, status=status, headers={"content-type": "text/html; charset=utf-8"}, body=html.encode())


def test_over_the_site_an_episode_reads_as_in_the_simulator(shop: Shop, origin: str) -> None:
    goal, settings = shop.goals[0], Settings()
    actions = ["search[chair 50% / x]", *["click[next >]"] * 3, *["click[< prev]"] * 2, "click[b000000110]", "click[features]"]
    actions += ["click[< prev]", "click[description]", "click[back to search]", "search[red lamp]", "click[b000000001]"]
    actions += ["click[it's]", "click[m]", "click[features]", "click[< prev]", "click[description]", "click[< prev]", "click[reviews]"]
    actions += ["click[< prev]", "click[buy now]"]
    with open_source(Setup(site="webshop", origin=origin)) as source:
        there = Episode(source, goal, settings)
        here = shop.episode(goal, settings)
        for action in actions:
            assert here.valid_actions.allows(action), action
            told = there.step(action)
            here.step(action)
            if here.outcome is None:
                assert there.observation("text_rich") == here.observation("text_rich"), (action, told.detail)
            assert there.valid_actions == here.valid_actions, action
        assert (there.outcome, here.outcome) == (Outcome.BUY_NOW, Outcome.BUY_NOW)
        assert there.purchase is not None and here.purchase is not None
        assert there.purchase.clicked == here.purchase.clicked == {"color": "it's", "size": "m"}
        assert there.purchase.price == here.purchase.price


def test_it_is_a_server_of_ones_own() -> None:
    for where in ("live", "storefront"):
        with pytest.raises(ConfigurationError, match="--origin http"), open_source(Setup(site="webshop", origin=where)):
            pass
    with pytest.raises(ConfigurationError, match="--locale"):
        load("webshop", "www.example.org")


@pytest.mark.parametrize(
    ("request_", "path"),
    [
        (SearchRequest(query="red shoes", page=2), "/search_results/bridge/red%20shoes/2"),
        (SearchRequest(query="a/b 5% [x] \\ \n"), "/search_results/bridge/a%20b%205%20x%5D/1"),
        (SearchRequest(query=".."), "/search_results/bridge/-/1"),
        (SearchRequest(query="/"), "/search_results/bridge/-/1"),
        (SearchRequest(query="größe #?&"), "/search_results/bridge/gr%C3%B6%C3%9Fe%20%23%3F%26/1"),
        (ItemRequest(id="B000000001"), "/item_page/bridge/B000000001/-/1/%7B%7D"),
        (DescriptionRequest(id="B000000001", url="x"), "/item_sub_page/bridge/B000000001/-/1/Description/%7B%7D"),
    ],
)
def test_addresses_pass_the_guard(request_: Request, path: str) -> None:
    url = ADAPTER.url(request_)
    assert url == f"https://{HOST}{path}"
    Guard(ADAPTER).check(url)
    Guard(ADAPTER).check(ADAPTER.entry)


@pytest.mark.parametrize(
    "request_", [ItemRequest(id="../x"), ItemRequest(id="B000000001", variation="2"), SearchRequest(query="a", page=0)]
)
def test_requests_outside_the_grammar_are_refused(request_: Request) -> None:
    with pytest.raises(GuardRefused):
        ADAPTER.url(request_)


@pytest.mark.parametrize(
    "path", ["/done/bridge/B000000001/%7B%7D", "/other", "/item_page/bridge/B000000001/-/1/%7B%7D?x=1", "/bridge/x", ""]
)
def test_buying_and_foreign_addresses_are_not_in_the_grammar(path: str) -> None:
    assert not ADAPTER.accepts(f"https://{HOST}{path}")


def test_the_markup_of_webshops_own_templates() -> None:
    # Its headings are closed by other headings' tags, and its texts stand between indented lines.
    card = """
        <div class="col-lg-12 mx-auto list-group-item"><div class="col-lg-4"><img src="https://img.example/{n}.jpg" class="result-img">
          </div>
          <div class="col-lg-8"><h4 class="mt-0 mb-2 product-asin"><a class="product-link" href="/x">B00000000{n}</a></h5>
          <h4 class="mt-0 mb-2 product-title">Chair {n}</h5><div><h5 class="my-2 product-price">$9.5</h6></div>
          <!-- <h5 class="product-category">garden</h5> --></div></div>"""
    html = "<html><body><h3>Page 1 (Total results: 12)</h3>" + "".join(card.format(n=n) for n in (1, 2)) + "</body></html>"
    page = ADAPTER.read(response(html))
    assert isinstance(page, ResultsPage)
    assert [(p.id, p.title, p.price.low if p.price else None, p.image) for p in page.products] == [
        ("B000000001", "Chair 1", 9.5, "https://img.example/1.jpg"),
        ("B000000002", "Chair 2", 9.5, "https://img.example/2.jpg"),
    ]
    assert (page.page, page.total, page.has_next) == (1, 12, True)
    item = """<html><body><img id="product-image" src="data:,"><div class="row"><h4>size</h4>
      <div class="radio-toolbar"> <input type="radio" name="size" value="x | y"> <label>x | y</label> </div></div>
      <h2>Chair</h2> <h4>Price: $9.5</h4> <h4>Rating: N.A.</h4>
      <div name="description"><form><button class="btn">Description</button></form></div>
      <form method="post" action="/done/bridge/B000000001/%7B%7D">
      <button class="btn btn-lg purchase">Buy Now</button></form></body></html>"""
    page = ADAPTER.read(response(item))
    assert isinstance(page, ItemPage)
    assert (page.id, page.title, page.image) == ("B000000001", "Chair", None)
    assert [(group.name, [value.value for value in group.values]) for group in page.options] == [("size", ["x | y"])]
    features = '<div name="bulletpoints"><ul><li><p class="product-info"> One</p></li><li><p class="product-info"> </p></li></ul></div>'
    assert ADAPTER.read(response(features)) == DescriptionPage(
        text="", bullets=("One", ""), url=f"https://{HOST}/bridge", locale=ADAPTER.read(response(features)).locale
    )


@pytest.mark.parametrize(
    ("html", "status", "kind"),
    [
        ("<h1>Internal Server Error</h1>", 500, BlockedPage),
        ("<h1>Not Found</h1>", 404, NotFoundPage),
        ("<input id='search_input'>", 200, OtherPage),
        ("", 200, OtherPage),
        ("\0\1<", 200, OtherPage),
        ("<h2>Title alone</h2>", 200, OtherPage),
    ],
)
def test_other_pages(html: str, status: int, kind: type) -> None:
    assert isinstance(ADAPTER.read(response(html, status)), kind)
