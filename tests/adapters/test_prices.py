"""Prices as stores print them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.prices import currency_of, find_price, parse_price


@pytest.mark.parametrize(
    ("text", "page_currency", "amounts"),
    [
        ("$1,299.00", None, (1299.0, 1299.0, "USD")),
        ("$2,281.82", "MXN", (2281.82, 2281.82, "MXN")),
        ("EUR 6,37", None, (6.37, 6.37, "EUR")),
        ("€ 1.599,00", None, (1599.0, 1599.0, "EUR")),
        ("CDN$ 9.99", None, (9.99, 9.99, "CAD")),
        ("R$ 3.982,89", None, (3982.89, 3982.89, "BRL")),
        ("₹1,29,900", None, (129900.0, 129900.0, "INR")),
        ("￥32,970", None, (32970.0, 32970.0, "JPY")),
        ("￥2.80", "CNY", (2.8, 2.8, "CNY")),
        ("1 234,50 kr", "SEK", (1234.5, 1234.5, "SEK")),
        ("1 234,56 zł", None, (1234.56, 1234.56, "PLN")),
        ("149٫50 ريال", None, (149.5, 149.5, "SAR")),
        ("$5.00 to $9.00", None, (5.0, 9.0, "USD")),
        ("1,299.00", "INR", (1299.0, 1299.0, "INR")),
        ("$.99", None, (0.99, 0.99, "USD")),
        ("$.99 to $1.49", None, (0.99, 1.49, "USD")),
        ("Rs.99", None, (99.0, 99.0, "INR")),
        ("12€99", None, (12.99, 12.99, "EUR")),
        ("1 234€99", None, (1234.99, 1234.99, "EUR")),
        ("12€ - 99€", None, (12.0, 99.0, "EUR")),
        ("€12€99", None, (12.0, 99.0, "EUR")),
        ("129:-", "SEK", (129.0, 129.0, "SEK")),
        ("1 299:-", "SEK", (1299.0, 1299.0, "SEK")),
        ("R1,299.00", "ZAR", (1299.0, 1299.0, "ZAR")),
        ("RM 12.00", None, (12.0, 12.0, "MYR")),
    ],
)
def test_amounts_of_all_countries(text: str, page_currency: str | None, amounts: tuple[float, float, str]) -> None:
    price = parse_price(text, page_currency)
    assert price is not None
    assert (price.low, price.high, price.currency) == amounts


@pytest.mark.parametrize("text", ["", "free", "12", "only 3 left", "R1,299.00", "129:-", "RM 12"])
def test_no_currency_is_no_price(text: str) -> None:
    assert parse_price(text) is None


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("-43% ₹56.00 M.R.P.: ₹99.00", (56.0, 56.0)),
        ("33,69 € avec 16 % d'économies", (33.69, 33.69)),
        ("$29.95$29.95 - $115.00$115.00 Free returns", (29.95, 115.0)),
        ("Buy new: $17.95 3 left", (17.95, 17.95)),
        ("₹ 56 . 00", (56.0, 56.0)),
    ],
)
def test_the_first_price_in_running_text(text: str, amounts: tuple[float, float]) -> None:
    price = find_price(text)
    assert price is not None
    assert (price.low, price.high) == amounts


@pytest.mark.parametrize(
    ("text", "page_currency", "amount"),
    [
        ("Save 40% now $.99 was $1.49", None, (0.99, "USD")),
        ("Prix : 12€99 au lieu de 15€99", None, (12.99, "EUR")),
        ("3 left, R1,299.00 R1,499.00", "ZAR", (1299.0, "ZAR")),
        ("3 left, R 299", "ZAR", (299.0, "ZAR")),
        ("Nu 129:- Ord. pris 199:-", "SEK", (129.0, "SEK")),
        ("Nå 1 299,- før 1 499,-", "NOK", (1299.0, "NOK")),
        ("2 pcs RM 12.00 each", None, (12.0, "MYR")),
        ("2 pcs RM1,299.00 each", "MYR", (1299.0, "MYR")),
    ],
)
def test_signs_of_single_countries_in_running_text(text: str, page_currency: str | None, amount: tuple[float, str]) -> None:
    price = find_price(text, page_currency)
    assert price is not None
    assert (price.low, price.high, price.currency) == (amount[0], *amount)


@pytest.mark.parametrize(
    ("text", "page_currency"),
    [
        ("R2 D2, 3 left", "USD"),
        ("DDR4 3200, CR2032", "ZAR"),
        ("Braun RM 12 head", None),
        ("FORM 12.00", "MYR"),
        ("size 12:- all colours", "INR"),
        ("room .99 m", "USD"),
    ],
)
def test_what_is_a_sign_elsewhere_is_none_here(text: str, page_currency: str) -> None:
    assert find_price(text, page_currency) is None


def test_running_text_without_a_signed_amount_has_no_price() -> None:
    assert find_price("2 pairs, 5 stars, 100% cotton") is None


def test_a_shared_sign_yields_to_the_page() -> None:
    assert currency_of("$5", "AUD") == "AUD"
    assert currency_of("US$5", "AUD") == "USD"


@given(st.text("0123456789.,' €$₹R\u00a0-kr", max_size=60))
def test_any_text_ends_in_a_finite_price_or_none(text: str) -> None:
    for price in (parse_price(text, "EUR"), find_price(text, "EUR")):
        assert price is None or 0 <= price.low <= price.high < 1e16
