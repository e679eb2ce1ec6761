"""Everything of an item beside price and options: texts, picture, rating, reviews, specifics, category, stock."""

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

from adapters.amazon.document import Document, classed, plain
from adapters.html import Source, clean, first, text_of, unique, xpath
from bridge.pages import Availability, Offer, Review

_items = xpath(
    "descendant::li[not(contains(concat(' ', @class, ' '), ' aok-hidden ')) and not(ancestor::*[contains(@class, 'a-popover')])]"
)
_stars = xpath(f"{classed('a-icon-alt')} | {classed('arp-rating-out-of-text')}")
_star_words = xpath("descendant::*[@data-hook='rating-out-of-text' or @data-hook='average-star-rating']")
_review_total = xpath("descendant::*[@data-hook='total-review-count']")
_hooks = xpath("descendant::*[@data-hook]")
_BODIES = {"review-body", "review-collapsed", "reviewText"}
_TITLES = {"review-title", "reviewTitle"}
_title_text = xpath("descendant::text()[not(ancestor::i)]")
_rows = xpath("descendant::tr")
_cells = xpath("./th | ./td")
_buckets = xpath("descendant::td[contains(@class, 'bucket')]/div[contains(@class, 'content')]")
_bold_items = xpath("descendant::li[not(ancestor::*[contains(@class, 'a-popover')])]")
_bold = xpath("descendant::span[contains(@class, 'a-text-bold')] | ./b | ./span/b | descendant::strong")
_facts = xpath(classed("product-facts-detail", "div"))
_fact_cells = xpath(f"{classed('a-col-left')} | {classed('a-col-right')}")
_review_widget = xpath(
    "descendant::*[contains(@id, 'Reviews') or contains(@id, 'acrC') or contains(@id, 'acrP') or contains(@class, 'asinReviewsSummary')]"
    " | descendant::a[contains(@href, '/product-reviews/') or contains(@href, '/create-review') or contains(@href, 'customerReviews')]"
)
_crumbs = xpath("descendant::a[not(@id='breadcrumb-back-link')]")
_images = xpath("descendant::img | self::img")
_number = re.compile(r"\d+(?:[.,]\d+)?")
_of_five = re.compile(r"[0-5][.,]\d[^\d]{1,24}5(?:[.,]0)?\b|\b5\D{1,10}[0-5][.,]\d")
_address = re.compile(rb'\s*:\s*"(https?://[^"\s]+)"')
_grouped = re.compile(r"(\d[\d.,'\u2019\u00a0\u202f ]*)\s*([kK]\b|mil\b|Tsd|тыс|万)?")
_unavailable = re.compile(
    r"unavailable|out of stock|nicht verfügbar|nicht auf lager|no disponible|agotado|sin existencias|indisponible|rupture|non disponibile|"
    r"indispon[íi]ve|fora de estoque|não disponível|niet (?:beschikbaar|verkrijgbaar|op voorraad|leverbaar)|uitverkocht|niedostępn|"
    r"inte tillgänglig|otillgänglig|ej i lager|slut i lager|mevcut değil|stokta yok|在庫切れ|取り扱いできません|无货|無貨|"
    r"غير متوفر|不可售",
    re.I,
)
_REVIEW_PARTS = ("reviewsMedley", "customer-reviews_feature_div", "customerReviews", "cm_cr_dp_d_rating_histogram", "cr-medley-top-reviews")
_CART = (
    "add-to-cart-button", "buy-now-button", "submit.add-to-cart", "one-click-button", "add-to-cart-button-ubb",
    "rcx-subscribe-submit-button", "submit.buy-now", "turbo-checkout-pyo-button", "checkoutButtonId", "one-click-button-digital",
)  # fmt: skip


# Stars and counts, shared with the results


def stars_in(text: str) -> float | None:
    """The stars in a text such as ``"4,7 von 5 Sternen"`` or ``"5つ星のうち4.1"``: the number that is not the scale."""
    numbers = [float(n.replace(",", ".")) for n in _number.findall(text)[:2]]
    if len(numbers) == 2 and numbers[0] == 5:
        numbers.reverse()
    return numbers[0] if numbers and 0 < numbers[0] <= 5 else None


def count_in(text: str) -> int | None:
    """The first whole number of a text, thousands separators dropped: ``"8.770 Sternebewertungen"``, ``"(2.1K)"``."""
    found = _grouped.search(text)
    if not found:
        return None
    number, unit = found[1].strip(), found[2]
    if unit:
        return round(float(number.replace(",", ".").rstrip(".")) * (10_000 if unit == "万" else 1000)) if number.count(".") < 2 else None
    digits = re.sub(r"\D", "", number)
    return int(digits) if 0 < len(digits) <= 12 else None


# Title


def _title_of(*names: str) -> Callable[[Document], str | None]:
    return lambda page: page.string(*names)


def _title_heading(page: Document) -> str | None:
    """The heading of mobile and of Kindle pages, without the small print of edition and date behind it."""
    for node in page.all("title"):
        if node.tag in ("h1", "span", "div"):
            parts = [text for text in (text_of(child) for child in node if isinstance(child.tag, str)) if text]
            own = clean(node.text)
            return own or (parts[0] if parts else None)
    return None


def _title_field(page: Document) -> str | None:
    return unescape(page.field("productTitle") or "") or None


TITLES = (
    Source("#productTitle (2013 on)", _title_of("productTitle")),
    Source("#ebooksProductTitle (Kindle to 2018)", _title_of("ebooksProductTitle")),
    Source("#btAsinTitle (2013)", _title_of("btAsinTitle")),
    Source("#title (mobile)", _title_heading),
    Source("input#productTitle", _title_field),
)


# Bullets and description


def _bullets_in(*names: str) -> Callable[[Document], tuple[str, ...] | None]:
    def read(page: Document) -> tuple[str, ...] | None:
        for region in page.all(*names):
            texts = [plain(text_of(item)) for item in _items(region) if item.get("id") != "replacementPartsFitmentBullet"]
            found = tuple(text for text in texts if text)
            if found:
                return found
        return None

    return read


BULLETS = (
    Source(
        "#feature-bullets li (2013 on)",
        _bullets_in("feature-bullets", "featurebullets_feature_div", "feature-bullets_feature_div", "feature-bullets-btf"),
    ),
    Source("#productFactsDesktopExpander li (fashion, 2022 on)", _bullets_in("productFactsDesktopExpander", "productFacts_feature_div")),
    Source("#productFactsMobile* li (fashion, mobile)", _bullets_in("productFactsMobileExpander", "productFactsMobile_feature_div")),
)


def _text(*names: str) -> Callable[[Document], str | None]:
    return lambda page: plain(page.string(*names) or "") or None


def _rich_text(page: Document) -> str | None:
    """The texts of a description made of pictures; a heading alone is none."""
    text = plain(page.string("aplus", "aplus_feature_div", "dpx-aplus-product-description_feature_div") or "")
    return text if len(text) > 40 else None


DESCRIPTIONS = (
    Source("#bookDescription_feature_div (books)", _text("bookDescription_feature_div", "bookDesc_iframe_wrapper", "postBodyPS")),
    Source("#productDescription", _text("productDescription", "productDescription_feature_div", "product-description")),
    Source("#aplus (rich description)", _rich_text),
)


# Rating and reviews


def _rating_in(*names: str) -> Callable[[Document], float | None]:
    def read(page: Document) -> float | None:
        for region in page.all(*names):
            for texts in (
                [region.get("title") or ""],
                map(text_of, region.iter("i")),
                map(text_of, _stars(region)),
                _of_five.findall(text_of(region)),
            ):
                stars = next((stars for stars in map(stars_in, texts) if stars is not None), None)
                if stars is not None:
                    return stars
        return None

    return read


def _rating_words(page: Document) -> float | None:
    return next(
        (
            stars
            for stars in (stars_in(text_of(node)) for part in page.all(*_REVIEW_PARTS) for node in _star_words(part))
            if stars is not None
        ),
        None,
    )


RATINGS = (
    Source("#acrPopover[title]", _rating_in("acrPopover")),
    Source("#averageCustomerReviews .a-icon-alt", _rating_in("averageCustomerReviews", "averageCustomerReviews_feature_div")),
    Source(
        "#reviewSummary, #reviewsMedley (reviews below the item)", _rating_in("reviewSummary", "acr-dpReviewsSummaryWithQuotes-average")
    ),
    Source("[data-hook=rating-out-of-text]", _rating_words),
)


def _counted(*names: str) -> Callable[[Document], int | None]:
    return lambda page: count_in(page.string(*names) or "")


def _count_words(page: Document) -> int | None:
    return next(
        (
            count
            for count in (count_in(text_of(node)) for part in page.all(*_REVIEW_PARTS) for node in _review_total(part))
            if count is not None
        ),
        None,
    )


def _count_link(page: Document) -> int | None:
    for link in page.all("acrCustomerReviewLink"):
        texts = [text_of(node) for node in link.iter("span") if not len(node)]
        return next((count for count in (count_in(t) for t in texts if "(" in t) if count is not None), None)
    return None


REVIEW_COUNTS = (
    Source("#acrCustomerReviewText", _counted("acrCustomerReviewText")),
    Source("#acrCustomerReviewLink (mobile)", _count_link),
    Source("[data-hook=total-review-count]", _count_words),
)


def _reviews(page: Document) -> tuple[Review, ...] | None:
    """In the order shown, each once."""
    found = []
    named = (nodes[0] for name, nodes in page.ids.items() if name.startswith(("R", "customer_review")))
    for node in (node for node in named if node.get("data-hook") == "review"):
        parts = _hooks(node)
        bodies = (text_of(part) for part in parts if part.get("data-hook") in _BODIES)
        body = next((text for text in bodies if text), "")
        titles = (clean("".join(_title_text(part))) for part in parts if part.get("data-hook") in _TITLES)
        if body:
            rating = next((stars for stars in map(stars_in, map(text_of, node.iter("i"))) if stars is not None), None)
            found.append(Review(title=next((text for text in titles if text), None), body=plain(body), rating=rating))
    return tuple(unique(found)) or None


REVIEWS = (Source("#R…, #customer_review… [data-hook=review]", _reviews),)


# Picture


def _picture(*names: str) -> Callable[[Document], str | None]:
    def read(page: Document) -> str | None:
        for region in page.all(*names):
            for image in _images(region):
                address = picture_address(image)
                if address:
                    return address
        return None

    return read


def picture_address(image: Any) -> str | None:
    """The address of a picture in its largest form; data: addresses and local copies of saved pages are none."""
    for candidate in _addresses(image):
        address = (candidate or "").strip()
        if address.startswith("//"):
            address = "https:" + address
        if address.startswith(("https://", "http://")):
            return address
    return None


def _addresses(image: Any) -> Iterator[str | None]:
    yield from (image.get("data-old-hires"), image.get("data-a-hires"))
    try:
        sizes = json.loads(image.get("data-a-dynamic-image") or "{}")
        yield from sorted(sizes, key=lambda address: sizes[address], reverse=True)
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    yield from (image.get("data-a-image-source"), image.get("data-src"), image.get("src"))
    yield from (entry.strip().partition(" ")[0] for entry in (image.get("srcset") or "").split(", "))


def _picture_of_state(page: Document) -> str | None:
    return page.behind(b'"hiRes"', _address) or page.behind(b'"large"', _address)


def _picture_of_meta(page: Document) -> str | None:
    return next((address for address in page.meta("og:image") if address.startswith("http")), None)


IMAGES = (
    Source("#landingImage (2013 on)", _picture("landingImage")),
    Source("#imgBlkFront, #ebooksImgBlkFront (books)", _picture("imgBlkFront", "ebooksImgBlkFront", "img-canvas")),
    Source(
        "#main-image, #image-block (mobile, 2013)",
        _picture("main-image", "image-block", "mediaBlockEntities", "image-block-container", "landing-image-wrapper"),
    ),
    Source(
        "#imgTagWrapperId, #imageBlock", _picture("imgTagWrapperId", "imageBlock", "imageBlock_feature_div", "imageBlockNew_feature_div")
    ),
    Source("page state: hiRes", _picture_of_state),
    Source("meta[property=og:image]", _picture_of_meta),
)


# Item specifics

_SPECIFICS = (
    "productOverview_feature_div", "productDetails_techSpec_section_1", "productDetails_techSpec_section_2",
    "productDetails_detailBullets_sections1", "technicalSpecifications_section_1", "product-specification-table", "prodDetails",
    "productFactsDesktopExpander", "productFactsDesktop_feature_div", "detailBullets_feature_div", "productDetailsTable", "detail-bullets",
)  # fmt: skip


def attributes_of(page: Document, trace: dict[str, str] | None = None) -> dict[str, str]:
    """Item specifics, name to value, in the page's words and order; the row of customer reviews left out."""
    found: dict[str, str] = {}
    regions = [(f"#{name}", region) for name in _SPECIFICS for region in page.all(name)]
    if not regions:
        regions = [("td.bucket (books to 2019)", region) for region in _buckets(page.tree)]
    for source, region in regions:
        for label, value in _pairs(region):
            label, value = plain(label).strip(":： ").strip(), plain(value).lstrip(":： ").strip()
            if label and value and label not in found and len(label) <= 120:
                found[label] = value
                if trace is not None:
                    trace.setdefault("attributes", source)
    return found


def _pairs(region: Any) -> Iterator[tuple[str, str]]:
    for row in _rows(region):
        cells = _cells(row)
        if len(cells) == 2 and not _is_review_row(cells[1]):
            yield text_of(cells[0]), text_of(cells[1])
    for fact in _facts(region):
        cells = _fact_cells(fact)
        if len(cells) == 2:
            yield text_of(cells[0]), text_of(cells[1])
    for item in _bold_items(region):
        labels = _bold(item)
        if labels and not _is_review_row(item):
            label, whole = plain(text_of(labels[0])), plain(text_of(item))
            if whole.startswith(label) and (":" in whole[len(label) - 1 : len(label) + 6] or "：" in whole):
                yield label, whole[len(label) :]


def _is_review_row(node: Any) -> bool:
    return len(node) > 0 and bool(_review_widget(node))


# Category


def _path_in(id: str) -> Source[Document, tuple[str, ...]]:
    """Category path, widest first; "back to results" is none."""

    def read(page: Document) -> tuple[str, ...] | None:
        paths = ([plain(text_of(link)).strip("‹› ") for link in _crumbs(region)] for region in page.all(id))
        return next((found for names in paths if (found := tuple(name for name in names if name))), None)

    return Source(f"#{id} a", read)


CATEGORIES = tuple(map(_path_in, ("wayfinding-breadcrumbs_feature_div", "wayfinding-breadcrumbs_container", "breadcrumb_feature_div")))


# Stock


def availability_of(page: Document, offer: Offer, trace: dict[str, str] | None = None) -> Availability:
    """Whether the variant shown can be had: what the page says, else whether it has a button that puts it into the cart."""

    def said(page: Document) -> Availability | None:
        text = page.string("availability", "availability_feature_div", "availabilityInsideBuyBox_feature_div", "ddmAvailabilityMessage")
        if not text:
            return None
        return "unavailable" if _unavailable.search(text) else "in_stock" if offer != "none" else None

    def gone(page: Document) -> Availability | None:
        return "unavailable" if page.has("outOfStock", "outOfStockBuyBox_feature_div") else None

    def button(page: Document) -> Availability | None:
        return "in_stock" if offer != "none" and not page.has("partialStateBuybox") and any(name in page.ids for name in _CART) else None

    sources = (
        Source[Document, Availability]("#outOfStock", gone),
        Source[Document, Availability]("#availability", said),
        Source[Document, Availability]("button into the cart", button),
    )
    return first(page, "availability", sources, trace) or "unknown"
