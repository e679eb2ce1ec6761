"""The shop as the adapters read it: every product's title, price, options and variants as the shelves have them."""

import pytest
from shop_client import fetch

import adapters.base
from bridge.pages import DescriptionPage, ItemPage, NotFoundPage, ResultsPage
from bridge.requests import DescriptionRequest, ItemRequest, SearchRequest
from bridge.responses import Response


def read(store, adapter, request):
    url = adapter.url(request)
    assert adapter.accepts(url)
    status, text = fetch(store, url)
    return adapter.read(Response(url=url, status=status, headers={"content-type": "text/html;charset=UTF-8"}, body=text.encode()))


def request_for(store, listing, variant):
    shop = store.shop
    if shop.name == "amazon":
        return ItemRequest(id=listing.product.asin, variation=shop.asin_of(listing, variant))
    return ItemRequest(id=shop.number_of(listing), variation=str(shop.variation_of(listing, variant)) if listing.groups else None)


@pytest.mark.parametrize("site", ["amazon", "ebay"])
def test_items_are_read_as_they_are(site, request):
    store = request.getfixturevalue(site)
    adapter = adapters.base.load(site)
    for listing in store.shop.stock.listings[::4]:
        variant = listing.variants[len(listing.variants) // 2]
        page = read(store, adapter, request_for(store, listing, variant))
        assert isinstance(page, ItemPage), listing.title
        assert page.title == " ".join(listing.title.split())
        assert {group.name: tuple(v.value for v in group.values) for group in page.options} == listing.groups
        assert page.availability == ("in_stock" if variant.stock else "unavailable")
        if variant.stock:
            assert (page.price.low, page.price.high, page.price.currency) == (variant.price, variant.price, "USD")
            assert page.offer == ("new" if listing.condition == "new" else "used"), listing.condition
        if listing.groups:
            chosen = {group.name: v.value for group in page.options for v in group.values if v.selected}
            assert chosen == dict(zip(listing.groups, variant.values, strict=True))
            assert {tuple(v.values[name] for name in listing.groups) for v in page.variants} == {v.values for v in listing.variants}
        assert page.category == tuple(part.strip() for part in listing.product.product_category.split("›"))
        if site == "amazon":
            assert list(page.bullets) == [" ".join(b.split()) for b in listing.product.bullets if b.strip()]
            assert (page.description or "") == " ".join(listing.product.description.split())
        else:
            document = read(store, adapter, DescriptionRequest(id=page.id, url=page.description_url))
            assert isinstance(document, DescriptionPage)
            assert " ".join(listing.product.description.split()) in document.text


@pytest.mark.parametrize("site", ["amazon", "ebay"])
@pytest.mark.parametrize("query", ["women's shoes", "coffee", "xyzzyq", "gluten free & organic", '"18 inch"'])
def test_results_are_read_as_they_are(site, query, request):
    store = request.getfixturevalue(site)
    adapter = adapters.base.load(site)
    found, number = [], 1
    while True:
        page = read(store, adapter, SearchRequest(query=query, page=number))
        assert isinstance(page, ResultsPage)
        assert page.page == number
        found += page.products
        if not page.has_next:
            break
        number += 1
    assert len({product.id for product in found if not product.sponsored or site == "ebay"}) == page.total or not found
    for product in found:
        id, title = product.id, product.title
        listing = store.shop.find(id)[0]
        assert title == " ".join(listing.title.split())
        prices = [variant.price for variant in listing.variants]
        expected = (listing.default.price,) * 2 if site == "amazon" else (min(prices), max(prices))
        assert (product.price.low, product.price.high) == expected
    assert store.posts == 0


@pytest.mark.parametrize(("site", "id"), [("amazon", "B0ZZZZZZZZ"), ("ebay", "110000000001")])
def test_what_is_gone_is_not_found(site, id, request):
    store = request.getfixturevalue(site)
    assert isinstance(read(store, adapters.base.load(site), ItemRequest(id=id)), NotFoundPage)
