"""The doctor looks at one page of each kind and says what is not well."""

import pytest

from bridge.doctor import main


@pytest.mark.parametrize("site", ["amazon", "ebay"])
def test_a_store_that_answers_is_shown_field_by_field(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--site", site, "--origin", "storefront"]) == 0
    shown = capsys.readouterr().out
    assert "✓ ResultsPage" in shown
    assert "✓ ItemPage" in shown
    assert "✗" not in shown


def test_a_search_without_products_is_not_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--site", "amazon", "--origin", "storefront", "--faults", "nothing-found"]) == 3
    assert "✗ no product was found" in capsys.readouterr().out


def test_a_store_that_does_not_answer_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--site", "amazon", "--origin", "http://127.0.0.1:9"]) == 3
    assert "✗ SearchRequest: cannot connect to www.amazon.com" in capsys.readouterr().out


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--site", "nosuch"]) == 2
    assert "unknown site 'nosuch'" in capsys.readouterr().err
