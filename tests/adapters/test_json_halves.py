"""JSON in pages: halves of surrogate pairs are no text."""

from adapters.html import json_in


def test_halves_are_replaced_and_pairs_stay() -> None:
    text = r'x = {"a": "\ud83d!", "b": "\ude00", "c": "\ud83d\ude00", "d": "\uD83D\uD83D\uDE00"}'
    assert json_in(text, 4) == {"a": "\ufffd!", "b": "\ufffd", "c": "😀", "d": "\ufffd😀"}
