"""A store in memory, and recordings of episodes in it."""

import io
import json
import platform
import zipfile
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

from bridge.actions import ValidActions
from bridge.episode import Episode
from bridge.errors import FetchError, GuardRefused
from bridge.fetchers.base import OnTry
from bridge.goals import Goal
from bridge.pages import ItemPage, Locale, OtherPage, Page, Price, Product, Record, ResultsPage, from_json, to_json
from bridge.recording.format import Manifest, PolicyStamp
from bridge.recording.stamp import packages
from bridge.recording.write import Recorder
from bridge.requests import Request, SearchRequest
from bridge.responses import Response, Try
from bridge.rollout import Ending, rollout
from bridge.sources.web import WebSource
from policies.base import Decision

Answer = Response | FetchError | GuardRefused
"""What one try comes to."""


class ToyAdapter:
    """A site whose pages are the typed pages' own JSON."""

    name = "toy"
    version = "1"
    host = "toy.example"
    language = "en-US"
    currency = "USD"
    hosts = frozenset({"toy.example"})
    asset_hosts: frozenset[str] = frozenset()
    secrets = ()

    def url(self, request: Request) -> str:
        if isinstance(request, SearchRequest):
            return f"https://toy.example/s?q={quote_plus(request.query)}&p={request.page}"
        return f"https://toy.example/i/{request.id}"

    def accepts(self, url: str) -> bool:
        return url.startswith("https://toy.example/")

    def read(self, response: Response, trace: dict[str, str] | None = None) -> Page:
        try:
            return from_json(response.body)
        except ValueError:
            return OtherPage(reason="layout_unknown: not JSON")

    def public_id(self, id: str) -> str:
        return id

    def cookies(self, currency: str) -> dict[str, str]:
        return {}


class Scripted:
    """A fetcher that answers each URL from its list of fetches, each a list of tries; the last list stays."""

    name = "scripted"

    def __init__(self, script: Mapping[str, Sequence[Sequence[Answer]]]) -> None:
        self._script = {url: list(fetches) for url, fetches in script.items()}

    def fetch(self, url: str, on_try: OnTry) -> Response:
        fetches = self._script[url]
        tries = fetches.pop(0) if len(fetches) > 1 else fetches[0]
        for number, answer in enumerate(tries):
            if isinstance(answer, Response):
                on_try(Try(url=answer.url or url, started=1000.0 + number, seconds=0.25, response=answer))
            else:
                on_try(Try(url=getattr(answer, "url", url), started=1000.0 + number, seconds=0.25, error=str(answer)))
        if not isinstance(answer, Response):
            raise answer
        return answer

    def close(self) -> None:
        pass


class Actions:
    """A policy that takes the given actions, one after another."""

    version = "1"
    view = "text"

    def __init__(self, actions: Sequence[str], deterministic: bool = True, name: str = "actions") -> None:
        self.name, self.deterministic, self._actions = name, deterministic, actions

    def reset(self, goal: Goal, seed: int) -> None:
        self._left = list(self._actions)

    def act(self, observation: str, valid_actions: ValidActions, info: Mapping[str, Any]) -> Decision:
        return Decision(action=self._left.pop(0), scores={"click[a]": 0.5}, note="as told")

    def close(self) -> None:
        pass


def page(content: Page | bytes, url: str = "https://toy.example/", status: int = 200, **headers: str) -> Response:
    """A response with a typed page (or any bytes) as its body."""
    body = content if isinstance(content, bytes) else json.dumps(to_json(content)).encode()
    return Response(url=url, status=status, headers={"content-type": "text/html", **headers}, body=body)


def results(*ids: str) -> ResultsPage:
    """A results page with these products."""
    price = Price(text="$9.50", low=9.5, high=9.5, currency="USD")
    products = tuple(Product(id=id, title=f"Thing {id}", price=price) for id in ids)
    return ResultsPage(query="lamp", page=1, total=len(ids), has_next=False, products=products)


def item(id: str, amount: float = 9.5, **fields: Any) -> ItemPage:
    """An item page."""
    price = Price(text=f"${amount:.2f}", low=amount, high=amount, currency="USD")
    return ItemPage(**{"id": id, "title": f"Thing {id}", "price": price, "availability": "in_stock", "bullets": ("a bullet",), **fields})


SEARCH, ITEM = "https://toy.example/s?q=lamp&p=1", "https://toy.example/i/B000000001"
SHOP: dict[str, list[list[Answer]]] = {
    SEARCH: [[page(results("B000000001", "B000000002"), SEARCH)]],
    ITEM: [[page(item("B000000001"), ITEM)]],
    "https://toy.example/i/B000000002": [[page(item("B000000002", 12.0), "https://toy.example/i/B000000002")]],
}
BUY = ("search[lamp]", "click[b000000001]", "click[features]", "click[< prev]", "click[no such thing]", "click[buy now]")


class Made(Record, frozen=True):
    """A recording and what it must hold."""

    path: Path
    observations: tuple[str, ...]
    ending: Ending


def manifest(policy: Actions, **fields: Any) -> Manifest:
    """A manifest of the toy site."""
    adapter = ToyAdapter()
    stamp = PolicyStamp(name=policy.name, version=policy.version, deterministic=policy.deterministic, view="text")
    made = {
        "id": "made",
        "site": "toy",
        "adapter": "1",
        "locale": Locale(host=adapter.host, language=adapter.language, currency="USD"),
        "origin": "live",
        "fetcher": "http",
        "user_agent": "test",
        "robots": "obey",
        "goal": Goal(instruction="find a lamp"),
        "policy": stamp,
        "python": platform.python_version(),
        "packages": packages(),
        "started": 1000.0,
    }
    return Manifest(**{**made, **fields})


def record(
    folder: Path,
    script: Mapping[str, Sequence[Sequence[Answer]]] = SHOP,
    actions: Sequence[str] = BUY,
    pack: bool = True,
    after_step: Callable[[], object] = lambda: None,
    **fields: Any,
) -> Made:
    """Record an episode of the toy site; ``after_step`` is called when a step is written."""
    policy = Actions(actions, fields.pop("deterministic", True))
    described = manifest(policy, **fields)
    recorder = Recorder(folder, described, clock=lambda: 2000.0)
    source = WebSource(ToyAdapter(), Scripted(script), None, recorder.receive)
    seen: list[str] = []

    def watch(step: Any) -> None:
        recorder.step(step)
        seen.append(step.observation)
        after_step()

    assert described.goal
    ending = rollout(Episode(source, described.goal, described.settings), policy, 0, watch)
    return Made(path=recorder.close(ending) if pack else folder, observations=tuple(seen), ending=ending)


def parts(path: Path) -> dict[str, bytes]:
    """The files in a zip."""
    with zipfile.ZipFile(path) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def rebuilt(files: Mapping[str, bytes]) -> bytes:
    """A zip of these files as a recorder packs them."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in files.items():
            packed.writestr(name, data, zipfile.ZIP_STORED if name.endswith(".gz") else zipfile.ZIP_DEFLATED)
    return out.getvalue()


def steps_jsonl(lines: Sequence[Mapping[str, Any]]) -> bytes:
    """The file of these steps, each with a seal that fits."""
    made = b""
    for line in lines:
        content = json.dumps({name: value for name, value in line.items() if name != "seal"}).encode()[:-1]
        made += content + b',"seal":"' + sha256(content).hexdigest().encode() + b'"}\n'
    return made


def load_actions(actions: Sequence[str] = BUY, **fields: Any) -> Callable[[str], Actions]:
    """A loader of policies that knows one."""
    return lambda name: Actions(actions, **fields)
