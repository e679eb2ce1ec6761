from policies.webshop.texts import clean, goal_text, named_actions, reduced, titles

START = 'WebShop\nInstruction: \nFind me a 5" red lamp, and price lower than 20.00 dollars\n[button] Search [button_]\n'
RESULTS = (
    "Instruction:\na lamp\n[button] Back to Search [button_]\nPage 1 (Total results: 3)\n[button] Next > [button_]\n"
    "\n[button] B000000001 [button_]\nRed Lamp\n$5.0\n\n[clicked button] B000000002 [clicked button_]\nRed Lamp\n$6.0\n"
    "\n[button] B000000003 [button_]\nBlue [LED] Lamp\n$7.0\n"
)


def test_the_search_model_reads_the_bare_instruction() -> None:
    assert goal_text(START) == "find me a 5 red lamp"
    assert goal_text("Amazon Shopping Game\nInstruction: \nA Lamp\n[button] Search [button_]\n") == "a lamp"


def test_a_goal_without_price_loses_its_button_too() -> None:
    # The published demo cut the button only behind a price sentence (contract, F10).
    assert "button" not in goal_text("WebShop\nInstruction: \na lamp\n[button] Search [button_]\n")


def test_states_are_lower_case_without_quotes() -> None:
    assert clean(' A "B" [SEP] it\'s ') == "a b [SEP] its"


def test_products_are_named_by_title_and_equal_titles_stay_apart() -> None:
    found = titles(RESULTS)
    assert found == {"b000000001": "Red Lamp", "b000000002": "Red Lamp", "b000000003": "Blue [LED] Lamp"}
    named = named_actions(("back to search", "next >", *found), found)
    assert named == {
        "click[back to search]": "click[back to search]",
        "click[next >]": "click[next >]",
        "click[item - red lamp]": "click[b000000001]",
        "click[item - red lamp b000000002]": "click[b000000002]",
        "click[item - blue [led] lamp]": "click[b000000003]",
    }


def test_long_lists_are_cut_as_in_training() -> None:
    names = [f"click[{i}]" for i in range(30)]
    assert reduced(names[:20], []) == names[:20]
    assert reduced(names, [3, 1]) == [*names[:6], "click[7]", "click[9]"]
