import gzip
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from bs4.element import Comment

from bridge.errors import ConfigurationError
from bridge.goals import Goal
from bridge.simulator.catalogue import Catalogue, CatalogueProduct, load
from bridge.simulator.shop import Shop
from bridge.webagent import SimServer, WebAgentTextEnv

PRODUCTS = (
    CatalogueProduct(
        asin="B000000001",
        title="Red <Table> Lamp",
        description='It\'s "warm" & small.',
        bullets=("One ", ""),
        prices=(20.0,),
        price_text="$20.0",
        options={"color": ("red | blue", "it's"), "size": ("s",)},
        option_images={"it's": "https://img.example/2.jpg"},
        attributes=("warm light",),
        query="lamps",
        category="garden",
        product_category="Home › Lamps",
        image="https://img.example/1.jpg",
        instruction="Find me lamps with warm light",
        instruction_attributes=("warm light",),
    ),
    *(CatalogueProduct(asin=f"B00000001{n}", title=f"Lamp {n}", query="lamps") for n in range(10)),
)


@pytest.fixture
def server() -> SimServer:
    return SimServer(Shop(Catalogue(PRODUCTS)))


def texts(html: str) -> list[str]:
    """Visible text nodes as WebShop's environment takes them from its HTML."""
    hidden = {"style", "script", "head", "title", "meta", "[document]"}
    nodes = BeautifulSoup(html, "html.parser").find_all(string=True)
    return [node for node in nodes if node.parent.name not in hidden and not isinstance(node, Comment) and node != "\n"]


def test_an_episode_in_the_old_words(server: SimServer) -> None:
    env = WebAgentTextEnv("text_rich", server=server)
    observation, info = env.reset(session=1)
    assert info is None
    goal = server.goals[1]
    assert observation == f"WebShop\nInstruction: \n{goal['instruction_text']}\n[button] Search [button_]\n"
    assert env.get_instruction_text() == f"Instruction: {goal['instruction_text']}"
    assert env.get_available_actions() == {"has_search_bar": True, "clickables": ["search"]}
    env.step("search[red table]")
    assert env.get_instruction_text() == f"Instruction:{goal['instruction_text']}"
    assert env.step("click[nothing]") == (env.observation, 0.0, False, None)
    env.step("click[b000000001]")
    for value in goal["goal_options"].values():
        env.step(f"click[{value}]")
    observation, reward, done, info = env.step("click[Buy Now]")
    assert (reward, done, info) == (1.0, True, None)
    kept = server.user_sessions["1"]
    assert (kept["done"], kept["asin"], kept["reward"], kept["verbose_info"]["r_att"]) == (True, "B000000001", 1.0, 1.0)
    assert env.step("click[buy now]")[1:] == (0.0, False, None)
    assert env.get_available_actions()["clickables"] == []


def test_sessions_keep_their_goal(server: SimServer) -> None:
    env = WebAgentTextEnv("text", server=server, session_prefix="a")
    first = env.reset("x")[0]
    assert env.session == "ax"
    assert env.reset("x")[0] == first
    env.reset(0)
    assert server.user_sessions["a0"]["goal"] == server.goals[0]
    env.reset("1")
    kept = server.user_sessions["a1"]["goal"]
    env.reset(1)
    assert server.user_sessions["a1"]["goal"] is kept
    env.reset(0, instruction_text="other words")
    assert env.instruction_text == "other words"
    assert "other words" not in env.observation
    env.reset()
    assert len(env.session) == 11 and env.session.islower()


def test_history_is_joined_oldest_first(server: SimServer) -> None:
    env = WebAgentTextEnv("url", server=server, num_prev_obs=1, num_prev_actions=2)
    env.reset(0)
    base = "http://127.0.0.1:3000"
    assert env.step("search[a]")[0] == f"{base}/0 [SEP] search[a] [SEP] {base}/search_results/0/a/1"
    now = env.step("search[b]")[0]
    assert now == f"search[a] [SEP] {base}/search_results/0/a/1 [SEP] search[b] [SEP] {base}/search_results/0/b/1"


def test_goals_are_filtered_and_limited() -> None:
    goals = [Goal(instruction=str(n), attributes=("a",), price_upper=1.0, name="n", target="B000000001", weight=n + 1) for n in range(6)]
    shop = Shop(Catalogue(PRODUCTS), goals)
    kept = SimServer(shop, lambda i, goal: i % 2 == 0 and goal["category"] == "garden").goals
    assert [goal["instruction_text"] for goal in kept] == ["0", "2", "4"]
    drawn = SimServer(shop, limit_goals=3, seed=1).goals
    assert len({goal["instruction_text"] for goal in drawn}) == 3
    firsts = [SimServer(shop, limit_goals=1, seed=seed).goals[0]["instruction_text"] for seed in range(200)]
    assert firsts.count("5") > firsts.count("0")
    with pytest.raises(ConfigurationError, match="no goals"):
        SimServer(shop, lambda i, goal: False)
    with pytest.raises(ConfigurationError, match="observation_mode"):
        WebAgentTextEnv("image", server=SimServer(shop))


def test_images_follow_the_main_image(server: SimServer) -> None:
    env = WebAgentTextEnv("text", server=server, get_image=True, image_features={"https://img.example/1.jpg": [1.0] * 512})
    env.reset(0)
    assert list(env.get_image()) == [0.0] * 512
    env.step("search[red table]")
    env.step("click[b000000001]")
    assert list(env.get_image()) == [1.0] * 512


def test_html_is_read_by_element(server: SimServer) -> None:
    server.show_attrs = True
    env = WebAgentTextEnv("html", server=server)
    start = BeautifulSoup(env.reset(0)[0], "html.parser")
    assert start.find(id="search_input") is not None
    results = BeautifulSoup(env.step("search[lamp]")[0], "html.parser")
    assert len(results.find_all(class_="product-link")) == 10
    env.step("search[red table]")
    item = BeautifulSoup(env.step("click[b000000001]")[0], "html.parser")
    assert item.find(id="product-image")["src"] == "https://img.example/1.jpg"
    assert [button.get_text() for button in item.find_all(class_="btn")][-2:] == ["Attributes", "Buy Now"]
    assert [radio["value"] for radio in item.select('input[type="radio"]')] == ["red | blue", "it's", "s"]
    chosen = BeautifulSoup(env.step("click[it's]")[0], "html.parser")
    assert chosen.find(id="product-image")["src"] == "https://img.example/2.jpg"
    assert "%7B%27color%27%3A%20%22it%27s%22" in str(chosen)
    assert texts(env.step("click[attributes]")[0])[4:] == [" warm light", "garden", "lamps", "Home › Lamps"]


def test_html_has_the_text_of_every_recorded_state(shared: Path) -> None:
    catalogue = load(shared / "webshop/products_1000.jsonl", shared / "webshop/items_ins_v2_1000.json")
    shop = Shop(catalogue)
    places = {product.asin: place for place, product in enumerate(catalogue.products)}
    hits: list[int] = []
    shop.source._search = lambda query: hits
    server, states = SimServer(shop), 0
    with gzip.open(shared / "webshop/golden/simulator_episodes.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            recorded = json.loads(line)
            goal = shop.goals[recorded["goal_idx"]].replace(instruction=recorded["instruction"], price_upper=recorded["price_upper"])
            server.records[recorded["goal_idx"]] = goal
            env = WebAgentTextEnv("html", server=server, session_prefix=f"{number}_")
            html = env.reset(recorded["goal_idx"])[0]
            for step in recorded["steps"]:
                if step["action"] is not None:
                    hits[:] = [places[asin] for asin in step.get("hits", ())]
                    html, _, done, _ = env.step(step["action"])
                    assert done == step["done"]
                shown = " [SEP] ".join(text.strip() for text in texts(html))
                # The rewards of recorded purchases follow from prices that were drawn then.
                assert shown == (env._episode.observation("text") if step["done"] else step["text"])
                states += 1
                assert env.get_available_actions()["clickables"] == step["clickables"]
    assert states == 3931


@pytest.mark.skipif(find_spec("gym") is None, reason="the old package gym is not installed")
def test_the_old_gym_makes_it() -> None:
    program = (
        "import gym, bridge.webagent; env = gym.make('WebAgentTextEnv-v0', observation_mode='text', seed=1); "
        "obs, info = env.reset(session=3); print(obs[:7], len(env.step('search[lamp]')), env.server.goals[0]['asin'][0])"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["WebShop", "4", "B"]
