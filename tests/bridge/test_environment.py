import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import bridge.environment
from bridge.environment import TransferEnv, WebShopEnv
from bridge.episode import Settings
from bridge.errors import ConfigurationError
from bridge.goals import Goal
from bridge.setup import Setup
from bridge.simulator.catalogue import Catalogue, CatalogueProduct
from bridge.simulator.shop import Shop

LAMP = CatalogueProduct(
    asin="B000000001",
    title="Red Table Lamp",
    prices=(20.0,),
    priced=True,
    price_text="$20.0",
    options={"color": ("red", "blue")},
    attributes=("warm light",),
    query="lamps",
    product_category="Home › Lamps",
    instruction="Find me lamps with warm light",
    instruction_attributes=("warm light",),
)
CHAIR = CatalogueProduct(asin="B000000002", title="Oak Chair", prices=(900.0,), priced=True, price_text="$900.0", query="chairs")


@pytest.fixture(scope="module")
def shop() -> Shop:
    return Shop(Catalogue((LAMP, CHAIR)))


def act(env: gymnasium.Env[str, str], *actions: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
    return [env.step(action) for action in actions][-1]


def test_gymnasium_finds_no_fault() -> None:
    env = gymnasium.make("bridge/WebShop-v0", render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.close()


def test_a_purchase_pays_webshops_reward(shop: Shop) -> None:
    env = WebShopEnv(shop)
    observation, info = env.reset(seed=1, options={"goal": 0})
    assert observation.startswith("WebShop\nInstruction: \nFind me lamps with warm light with color: ")
    assert (info["has_search_bar"], info["valid_actions"], info["goal"]) == (True, (), "0")
    color = shop.goals[0].options["color"]
    assert act(env, "search[lamp]")[4]["valid_actions"] == ("click[back to search]", "click[next >]", "click[b000000001]")
    assert not act(env, "click[nowhere]")[4]["changed"]
    _, value, terminated, truncated, info = act(env, "click[b000000001]", f"click[{color}]", "click[buy now]")
    assert (value, terminated, truncated, info["outcome"]) == (1.0, True, False, "buy_now")
    assert info["reward_parts"]["r_option"] == 1.0
    assert info["reward_parts"]["tagger"] == "rule 1"
    assert info["purchase"]["id"] == "B000000001"
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("search[lamp]")
    assert env.reset()[1]["steps"] == 0


def test_a_limit_truncates(shop: Shop) -> None:
    env = WebShopEnv(shop, settings=Settings(max_steps=2))
    env.reset()
    assert act(env, "x")[3] is False
    assert act(env, "x")[2:4] == (False, True)


def test_a_goal_of_ones_own_and_seeded_draws(shop: Shop) -> None:
    env = WebShopEnv(shop, view="text")
    goal = Goal(instruction="any chair", attributes=("oak",), price_upper=5.0, name="Chair")
    assert env.reset(options={"goal": goal})[0] == "WebShop [SEP] Instruction: [SEP] any chair [SEP] Search"
    first = [env.reset(seed=7)[1]["goal"], *(env.reset()[1]["goal"] for _ in range(9))]
    assert first == [env.reset(seed=7)[1]["goal"], *(env.reset()[1]["goal"] for _ in range(9))]
    assert len(set(first)) == 2


def test_draws_go_by_weight() -> None:
    goals = [Goal(instruction=name, attributes=("a",), price_upper=1.0, name="n", weight=w) for name, w in (("x", 1), ("y", 0), ("z", 3))]
    shop = Shop(Catalogue((LAMP,)), goals)
    assert [shop.draw(chance).instruction for chance in (0.0, 0.24, 0.26, 0.999)] == ["x", "x", "z", "z"]


def test_goals_that_webshops_reward_cannot_score_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="needs attributes"):
        Shop(Catalogue((LAMP,)), [Goal(instruction="a lamp")])
    with pytest.raises(ConfigurationError, match="no goals"):
        Shop(Catalogue((CHAIR,)))
    with pytest.raises(ConfigurationError, match="no use: limit"):
        WebShopEnv(Shop(Catalogue((LAMP,))), limit=3)


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_vector_environments(shop: Shop, processes: int) -> None:
    envs = gymnasium.make_vec("bridge/WebShop-v0", num_envs=3, shop=shop, processes=processes)
    observations, info = envs.reset(seed=[1, 2, 3], options={"goal": 0})
    assert [text.split("\n")[0] for text in observations] == ["WebShop"] * 3
    observations, rewards, terminated, truncated, info = envs.step(("search[lamp]", "search[chair]", "click[nothing]"))
    assert info["valid_actions"][1][-1] == "click[b000000002]"
    assert list(info["changed"]) == [True, True, False]
    envs.step(("click[b000000001]", "click[b000000002]", "search[lamp]"))
    _, rewards, terminated, truncated, info = envs.step(("click[buy now]", "click[description]", "click[next >]"))
    assert (list(terminated), list(truncated)) == ([True, False, False], [False] * 3)
    assert 0 < rewards[0] < 1 and list(rewards[1:]) == [0, 0]
    assert list(info["_outcome"]) == [True, False, False]
    assert info["outcome"][0] == "buy_now"
    observations, *_ = envs.step(("ignored", "click[< prev]", "click[< prev]"))
    assert observations[0].startswith("WebShop\n"), "the next episode"
    envs.close()


def test_shares_of_a_vector_give_what_one_process_gives(shop: Shop) -> None:
    def episodes(processes: int) -> list[object]:
        envs = gymnasium.make_vec("bridge/WebShop-v0", num_envs=4, shop=shop, processes=processes)
        told: list[object] = [envs.reset(seed=5)[0]]
        for action in ("search[lamp]", "click[b000000001]", "click[buy now]", "x", "search[chair]"):
            texts, *arrays, _ = envs.step([action] * 4)
            told += [texts, *(array.tolist() for array in arrays)]
        envs.close()
        return told

    assert episodes(1) == episodes(2) == episodes(4)


def test_an_error_in_a_share_is_told(shop: Shop) -> None:
    envs = gymnasium.make_vec("bridge/WebShop-v0", num_envs=2, shop=shop, processes=2)
    with pytest.raises(RuntimeError, match="IndexError"):
        envs.reset(options={"goal": 10**6})
    envs.close()


def test_two_processes_with_one_seed_give_identical_episodes() -> None:
    program = """
import hashlib, random, gymnasium, bridge.environment
env = gymnasium.make("bridge/WebShop-v0", seed=3)
rng, texts = random.Random(0), []
for episode in range(5):
    text, info = env.reset(seed=11 if episode == 0 else None)
    for step in range(12):
        action = rng.choice([*info["valid_actions"], "search[red cotton]"])
        text, value, terminated, truncated, info = env.step(action)
        texts.append((text, value, sorted(info)))
        if terminated or truncated:
            break
print(hashlib.sha256(repr(texts).encode()).hexdigest())
"""
    runs = {
        subprocess.run([sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_transfer_pays_the_evidence_reward(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []

    @contextmanager
    def source(setup: Setup) -> Iterator[object]:
        yield shop.source
        closed.append(setup.site)

    monkeypatch.setattr(bridge.environment, "open_source", source)
    goal = Goal(instruction="a red lamp", options=("red",), price_upper=30.0, query="lamps")
    env = gymnasium.make("bridge/Transfer-v0", site="amazon", origin="storefront", goals=[goal])
    env.reset(seed=0)
    _, value, terminated, _, info = act(env, "search[lamp]", "click[b000000001]", "click[red]", "click[buy now]")
    assert (value, terminated) == (1.0, True)
    assert info["reward_parts"]["noun_overlap"] == 1.0
    env.close()
    env.close()
    assert closed == ["amazon"]


def test_transfer_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ConfigurationError, match="sitee"):
        TransferEnv(sitee="amazon")
    with pytest.raises(ConfigurationError, match="at least one goal"):
        TransferEnv(site="amazon", goals=[])


def test_random_play_never_fails(shop: Shop) -> None:
    env, rng = WebShopEnv(shop), random.Random(5)
    _, info = env.reset(seed=5)
    for _ in range(500):
        _, _, terminated, truncated, info = env.step(rng.choice([*info["valid_actions"], env.action_space.sample(), "search[lamp chair]"]))
        if terminated or truncated:
            _, info = env.reset()
