"""The shops that the policy learns in besides WebShop's own."""

from bridge.pages import ResultsPage
from bridge.requests import SearchRequest
from bridge.simulator.shop import Shop
from bridge.training.stores import stores
from policies.trained.words import content


def found(shop: Shop, query: str) -> list[str]:
    page = shop.source.open(SearchRequest(query=query), lambda exchange: None)
    assert isinstance(page, ResultsPage)
    return [product.id for product in page.products]


def test_advertisements_draw_some_of_the_first_results_to_the_front() -> None:
    shop, advertised, *_ = stores(Shop.load())
    plain, shown = found(shop, "running shoes"), found(advertised, "running shoes")
    assert sorted(plain) == sorted(shown)
    moved = next(n for n in range(1, 5) if shown[n:] == [id for id in plain if id not in shown[:n]])
    assert set(shown[:moved]) <= set(plain[:16])
    assert shown == found(advertised, "running shoes")


def test_a_search_of_titles_finds_no_word_of_a_description() -> None:
    shop, _, titles, *_ = stores(Shop.load())
    product = next(p for p in shop.catalogue.products if "washable" in p.description.lower() and "washable" not in p.title.lower())
    assert product.asin in found(shop, "washable")
    assert all("washable" in titles.source.catalogue.by_asin[id].title.lower() for id in found(titles, "washable"))


def test_silent_titles_keep_the_sort_of_thing_and_nothing_else_that_was_said() -> None:
    shop, _, _, silent, *_ = stores(Shop.load())
    changed = [p for p in shop.catalogue.products if silent.source.catalogue.by_asin[p.asin].title != p.title]
    assert 0.2 < len(changed) / len(shop.catalogue) < 0.4
    boots = next(p for p in changed if p.query == "men's work & safety footwear" and "Boots" in p.title)
    assert silent.source.catalogue.by_asin[boots.asin].title.split()[-1].startswith("Boots")
    assert found(silent, boots.title) == found(shop, boots.title)
    sorts = {word for product in shop.catalogue.products for word in content(product.query)}
    for product in changed:
        shown = silent.source.catalogue.by_asin[product.asin].title.split()
        assert not sorts & set(content(" ".join(shown[:-1]))), product.asin
    assert silent.catalogue == shop.catalogue  # rewards are given by what a thing is
