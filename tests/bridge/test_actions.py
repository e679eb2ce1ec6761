"""The action grammar of WebShop (reference: webshop contract, section 3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.actions import Click, Search, ValidActions, parse


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("search[Red Shoes]", Search("red shoes")),
        ("click[B01ABCDEFG]", Click("b01abcdefg")),
        ("click[< Prev] and more", Click("< prev")),
        ("click[a]b]", Click("a]b")),
        ("click[]", None),
        ("search[]", None),
        ("Click[x]", None),
        ("click [x]", None),
        ("click[a[b]", None),
        ("think[hard]", None),
        ("click[a\nb]", None),
        ("buy now", None),
        ("", None),
    ],
)
def test_an_action_is_read_as_webshop_reads_it(text: str, action: Search | Click | None) -> None:
    assert parse(text) == action


@given(st.text())
def test_any_text_is_an_action_or_none(text: str) -> None:
    assert parse(text) is None or isinstance(parse(text), Search | Click)


def test_what_is_valid_is_what_changes_the_page() -> None:
    start = ValidActions(has_search_bar=True, clickables=("search",))
    assert start.allows("search[x]")
    assert not start.allows("click[search]")
    item = ValidActions(has_search_bar=False, clickables=("buy now", "red"))
    assert item.allows("click[RED]")
    assert not item.allows("click[blue]")
