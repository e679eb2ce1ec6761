"""What stands in the scripts of a page is found by a literal and a key, however often a page repeats these."""

from adapters.scripts import Script, scripts_with

PAGE = b"""<html><script>var a = 1</script><script type="x">var b = {"key": 2}</script><p>"key"</p><script>
"key" : [3]</script><script>"key": 4"""


def test_scripts_in_their_order() -> None:
    assert [script.value("key") for script in scripts_with(PAGE, b'"key"')] == [2, [3], 4]
    assert [script.text[:16] for script in scripts_with(PAGE, b"var")] == ["<script>var a = ", '<script type="x"']
    assert list(scripts_with(PAGE, b"var c")) == []


def test_a_script_may_name_the_key_before_it_gives_the_value() -> None:
    assert Script('if ("key" in x) y["key"] = {"key": oops, "key": {"a": null}}').value("key") == {"a": None}


def test_no_value() -> None:
    for text in ("", '"key"', '"key": ', '"key": [1', '"key": undefined', '"keys": 1', '"key": ' + "[" * 100_000):
        assert Script(text).value("key") is None


def test_a_literal_without_scripts_gives_no_text_twice() -> None:
    page = b'"key"</script>' * 1000
    assert sum(len(script.text) for script in scripts_with(page, b'"key"')) <= len(page)


def test_values_that_break_off_are_tried_a_few_times_only() -> None:
    """A page of a million halves of a value would take minutes otherwise."""
    assert Script('"key": [, ' * 4 + '"key": 1').value("key") == 1
    assert Script('"key": [, ' * 5 + '"key": 1').value("key") is None
