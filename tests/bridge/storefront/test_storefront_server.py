"""The server: who answers, what is logged, what is counted."""

import gzip
import socket
import struct
import threading
from http.client import HTTPConnection
from urllib.parse import quote, urlsplit

import pytest
from shop_client import fetch

from bridge.errors import ConfigurationError
from bridge.storefront import Storefront


def test_listens_on_loopback_only_and_frees_its_port():
    with Storefront("amazon") as store:
        address, port = urlsplit(store.address).hostname, urlsplit(store.address).port
        assert address == "127.0.0.1"
    with Storefront("amazon", port=port) as again:
        assert urlsplit(again.address).port == port


def test_the_host_header_chooses_the_shop(amazon):
    assert "amazon" in fetch(amazon, "https://www.amazon.com/s?k=shoes")[1].lower()
    assert "s-card" in fetch(amazon, "https://www.ebay.com/sch/i.html?_nkw=shoes")[1]
    assert fetch(amazon, "https://www.example.com/")[0] == 421


def test_a_plain_browser_gets_the_sites_shop_with_links_that_stay_here(ebay):
    status, text = fetch(ebay, f"{ebay.address}/sch/i.html?_nkw=shoes")
    assert status == 200
    assert 'href="/itm/' in text
    assert 'src="/images/g/' in text
    assert "https://www.ebay.com" not in text
    assert "https://www.ebay.com/itm/" in fetch(ebay, "https://www.ebay.com/sch/i.html?_nkw=shoes")[1]


def test_every_request_is_logged_and_changes_are_counted():
    with Storefront("amazon") as store:
        fetch(store, "https://www.amazon.com/s?k=shoes")
        assert [(e.method, e.host, e.path, e.status, e.changes) for e in store.log] == [("GET", "www.amazon.com", "/s?k=shoes", 200, False)]
        assert (store.posts, store.changes) == (0, 0)
        assert fetch(store, "https://www.amazon.com/cart/add-to-cart", "POST")[0] == 405
        assert (store.posts, store.changes) == (1, 1)
        assert fetch(store, "https://www.amazon.com/gp/aws/cart/add.html?ASIN.1=B000000000&Quantity.1=1")[0] == 200
        assert fetch(store, "https://www.ebay.com/atc/binctr?item=1")[0] == 200
        assert fetch(store, "https://cart.payments.ebay.com/sc/add?item=iid:1")[0] == 200
        assert (store.posts, store.changes) == (1, 4)


@pytest.mark.parametrize(
    "url", ["https://www.amazon.com/robots.txt", "https://www.ebay.com/robots.txt", "https://itm.ebaydesc.com/robots.txt"]
)
def test_robots_txt_allows_reading_and_forbids_the_cart(amazon, url):
    from protego import Protego

    status, text = fetch(amazon, url)
    assert status == 200
    rules = Protego.parse(text)
    origin = f"https://{urlsplit(url).hostname}"
    assert all(rules.can_fetch(origin + path, "any") for path in ("/s?k=a", "/dp/B000000000", "/sch/i.html?_nkw=a", "/itm/1", "/itmdesc/1"))
    assert not rules.can_fetch(origin + ("/gp/cart/view.html" if "amazon" in url else "/atc/binctr"), "any")


def test_pages_are_compressed_for_clients_that_ask(amazon):
    connection = HTTPConnection(urlsplit(amazon.address).netloc, timeout=10)
    connection.request("GET", "/s?k=shoes", headers={"Host": "www.amazon.com", "Accept-Encoding": "gzip"})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    assert response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body).decode() == fetch(amazon, "https://www.amazon.com/s?k=shoes")[1]


@pytest.mark.parametrize("value", ["0", "-1", "x", "9" * 5000, "٣", "1e9", "nan"])
def test_parameters_of_no_sense_are_read_as_none(amazon, value):
    for url in (
        f"https://www.amazon.com/s?k=tea&page={value}&low-price={value}",
        f"https://www.ebay.com/sch/i.html?_nkw=tea&_pgn={value}&_udlo={value}&_sop={value}&_ipg={value}",
        f"https://www.ebay.com/itm/{value}?var={value}",
    ):
        assert fetch(amazon, quote(url, safe=":/?&=."))[0] in (200, 404)


def test_a_visitor_who_hangs_up_is_no_error(amazon, capsys):
    for sent in (b"", b"GET /s?k=sh", b"GET /s?k=shoes HTTP/1.1\r\nHost: www.amazon.com\r\n\r\n"):
        parts = urlsplit(amazon.address)
        others = set(threading.enumerate())
        with socket.create_connection((parts.hostname, parts.port)) as visitor:
            visitor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # hang up at once, with a reset
            visitor.sendall(sent)
        assert fetch(amazon, "https://www.amazon.com/")[0] == 200  # by now the one before is being answered
        for thread in set(threading.enumerate()) - others:
            thread.join(10)
    assert capsys.readouterr().err == ""


def test_head_has_no_body(amazon):
    assert fetch(amazon, "https://www.amazon.com/s?k=shoes", "HEAD") == (200, "")


def test_the_same_seed_gives_the_same_pages_and_another_seed_others():
    pages = []
    for seed in (5, 5, 6):
        with Storefront("ebay", seed=seed) as store:
            pages.append(fetch(store, "https://www.ebay.com/sch/i.html?_nkw=men%27s+shoes")[1])
    assert pages[0] == pages[1] != pages[2]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"site": "nowhere"}, "unknown site 'nowhere'"),
        ({"catalogue": "/no/such/file.jsonl"}, "cannot be read"),
        *(({"port": port}, "no such port; choose another --port") for port in (-1, 65536, 99999)),
    ],
)
def test_wrong_usage_is_one_clear_line(arguments, words):
    with pytest.raises(ConfigurationError, match=words):
        Storefront(**{"site": "amazon", **arguments})


def test_a_taken_port_is_said(amazon):
    with pytest.raises(ConfigurationError, match="choose another --port"):
        Storefront("amazon", port=urlsplit(amazon.address).port)


def test_a_webshop_file_can_take_the_catalogues_place(shared):
    with Storefront("amazon", shared / "webshop" / "products_1000.jsonl") as store:
        status, text = fetch(store, "https://www.amazon.com/s?k=console+table")
        assert status == 200
        assert text.count('data-component-type="s-search-result"') > 40
