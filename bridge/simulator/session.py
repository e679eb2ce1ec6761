"""WebShop's URLs, and what depends on them there: which options look chosen.

WebShop marks an option as chosen when its value in double quotes occurs anywhere in the URL of the page
(``web_agent_site/envs/web_agent_text_env.py``), so values that JSON escapes never look chosen, and equal values of two
groups look chosen together.
"""

import json

from bridge.state import State


def url_of(state: State, session: str) -> str:
    """The path WebShop's text environment has for a state, without a leading slash; nothing is percent-encoded."""
    words = "+".join(state.query.split(" "))
    item = state.item
    if state.screen == "start" or (item is None and state.screen != "results"):
        return session
    if state.screen == "results" or item is None:
        return f"search_results/{session}/{words}/{state.window}"
    if state.screen == "item":
        return f"item_page/{session}/{item.id}/{words}/{state.window}/{json.dumps(state.clicked)}"
    if state.screen == "done":
        return f"done/{session}/{item.id}/{state.clicked}"
    return f"item_sub_page/{session}/{item.id}/{words}/{state.window}/{state.screen.capitalize()}/{state.clicked}"


def chosen_by_url(state: State) -> set[tuple[int, int]]:
    """Positions (group, value) of the options that WebShop would mark as clicked on the item page."""
    item = state.item
    if item is None:
        return set()
    url = url_of(state, "")
    return {(g, v) for g, group in enumerate(item.text.options) for v, value in enumerate(group.values) if f'"{value.value}"' in url}
