import subprocess
import sys
import threading
from collections.abc import Iterator
from urllib.parse import quote

import pytest
import requests
from bs4 import BeautifulSoup

from bridge.simulator.catalogue import Catalogue, CatalogueProduct
from bridge.simulator.server import Site, serve
from bridge.simulator.shop import Shop

PRODUCTS = (
    CatalogueProduct(
        asin="B000000001",
        title="Red <b>Lamp</b>",
        description="A lamp & more.",
        bullets=("One", "Two"),
        prices=(20.0,),
        options={"color": ("red | blue", "it's"), "size": ("s", "m")},
        attributes=("warm light",),
        query="lamps",
        category="garden",
        product_category="Home › Lamps",
        image="https://img.example/1.jpg",
        instruction="Find me lamps",
        instruction_attributes=("warm light",),
    ),
    *(CatalogueProduct(asin=f"B0000001{n:02}", title=f"Chair {n}", query="chairs", category="garden") for n in range(12)),
)


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    server = serve(Site(Shop(Catalogue(PRODUCTS)), attributes=True), port=0)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def soup(response: requests.Response) -> BeautifulSoup:
    assert response.status_code == 200
    return BeautifulSoup(response.text, "html.parser")


def follow(origin: str, page: BeautifulSoup, button: str) -> requests.Response:
    """Press a button as a browser does: post its form."""
    form = next(form for form in page.find_all("form") if form.button.get_text() == button)
    return requests.post(origin + form["action"], timeout=10)


def test_shopping_by_forms_as_a_browser_does(origin: str) -> None:
    start = soup(requests.get(origin, timeout=10))
    assert start.find(id="instruction-text").h4.get_text().startswith("Instruction: Find me lamps with color: ")
    found = requests.post(origin + start.form["action"], data={"search_query": "Chair"}, timeout=10)
    assert found.url == f"{origin}/search_results/abc/%5B%27chair%27%5D/1"
    second = soup(follow(origin, soup(found), "Next >"))
    assert [link.get_text() for link in second.find_all(class_="product-link")] == ["B000000110", "B000000111"]
    assert second.h3.get_text() == "Page 2 (Total results: 12)"
    item = soup(requests.get(origin + second.find(class_="product-link")["href"], timeout=10))
    assert item.h2.get_text() == "Chair 10"
    assert soup(follow(origin, item, "< Prev")).h3.get_text() == "Page 2 (Total results: 12)"
    assert soup(follow(origin, item, "Back to Search")).find(id="search_input") is not None


def test_options_stay_in_the_address(origin: str) -> None:
    item = soup(requests.get(f"{origin}/item_page/fixed_0/B000000001/lamp/1/{quote('{}')}", timeout=10))
    assert item.h2.get_text() == "Red <b>Lamp</b>"
    address = item.find("input", value="it's")["data-url"]
    chosen = soup(requests.get(origin + address, timeout=10))
    assert [radio["value"] for radio in chosen.find_all("input", checked=True)] == ["it's"]
    features = soup(follow(origin, chosen, "Features"))
    assert [line.get_text() for line in features.find_all(class_="product-info")] == [" One", " Two"]
    back = soup(follow(origin, features, "< Prev"))
    assert [radio["value"] for radio in back.find_all("input", checked=True)] == ["it's"]
    assert soup(follow(origin, chosen, "Description")).find(class_="product-info").get_text() == "A lamp & more."
    assert "garden" in soup(follow(origin, chosen, "Attributes")).get_text()


def test_the_last_page_tells_the_reward(origin: str) -> None:
    start = soup(requests.get(f"{origin}/fixed_1", timeout=10))
    instruction = start.find(id="instruction-text").h4.get_text()
    color, size = ("it's" if "it's" in instruction else "red | blue"), ("s" if "size: s" in instruction else "m")
    done = soup(requests.get(f"{origin}/done/fixed_1/B000000001/{quote(str({'color': color, 'size': size}))}", timeout=10))
    texts = list(done.stripped_strings)
    assert float(texts[texts.index("Your score (min 0.0, max 1.0)") + 1]) == 1.0
    assert texts[texts.index("Your code:") + 1] == "4B81D879DB"  # first ten digits of the SHA-1 of fixed_1
    assert "'r_att': 1.0" in done.find(id="reward_info").get_text()


@pytest.mark.parametrize(
    ("words", "count"), [("['<c>', 'garden']", 13), ("['<q>', 'lamps']", 1), ("['<a>', 'warm', 'light']", 1), ("['<r>']", 13)]
)
def test_debugging_heads(origin: str, words: str, count: int) -> None:
    assert f"Total results: {count})" in requests.get(f"{origin}/search_results/x/{quote(words)}/1", timeout=10).text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/robots.txt", 404),
        ("/fixed_99", 404),
        ("/fixed_x", 404),
        ("/item_page/x/B0NOTHERE0/lamp/1/%7B%7D", 404),
        ("/item_page/x/B000000001/lamp/1/__import__('os')", 400),
        ("/item_page/x/B000000001/lamp/1/" + "(" * 3000, 400),
        ("/search_results/x/%5B1%2C/1", 400),
        ("/search_results/x/lamp/0", 404),
        ("/item_sub_page/x/B000000001/lamp/1/Secrets/%7B%7D", 404),
        ("/a/b", 404),
    ],
)
def test_what_is_not_served(origin: str, path: str, status: int) -> None:
    assert requests.get(origin + path, timeout=10).status_code == status


def test_the_command_says_what_is_wrong() -> None:
    command = [sys.executable, "-m", "bridge.simulator", "--catalogue", "none.json"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("bridge.simulator: none.json: cannot be read")
    assert ended.stderr.count("\n") == 1
