"""robots.txt: what each answer means, and that it is asked once, through the guard."""

from collections.abc import Callable

import pytest

from bridge.errors import FetchError, FetchTimeout, GuardRefused, Unreachable
from bridge.fetchers.base import Clock, HostPacer
from bridge.guard import Guard
from bridge.responses import Response, Try
from bridge.robots import Robots, RobotsGrammar

AGENT = "webshop-bridge/1.0 (test)"
PAGE = "https://www.shop.example/s?k=tea"
OnTry = Callable[[Try], None]


class Files:
    """A fetcher that answers with one thing, and remembers what it was asked."""

    name = "files"

    def __init__(self, answer: Response | Exception) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def fetch(self, url: str, on_try: OnTry) -> Response:
        self.asked.append(url)
        on_try(Try(url=url, started=0.0, seconds=0.0, error="stands for any"))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def close(self) -> None:
        pass


def text(body: str | bytes, status: int = 200, kind: str = "text/plain") -> Response:
    data = body.encode() if isinstance(body, str) else body
    return Response(url=None, status=status, headers={"content-type": kind}, body=data)


def allows(answer: Response | Exception, url: str = PAGE, agent: str = AGENT) -> bool:
    try:
        Robots(Files(answer), agent).check(url, lambda _: None)
    except GuardRefused as refusal:
        assert (refusal.rule, refusal.url) == ("robots", url)
        return False
    return True


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 429, 451])
def test_no_file_allows(status: int) -> None:
    assert allows(text("<html>Not found</html>", status, "text/html"))


@pytest.mark.parametrize(
    "answer",
    [
        text("busy", 500),
        text("User-agent: *\nAllow: /", 503),
        text("<!DOCTYPE html><title>Robot Check</title>", kind="text/html; charset=utf-8"),
        text("User-agent: *\nAllow: /", kind="TEXT/HTML"),
        text("\ufeff \n<html>Pardon Our Interruption</html>"),
        text("", 302),
        text("", 204),
        FetchTimeout("slow"),
        GuardRefused("host", "https://evil.example/robots.txt"),
    ],
)
def test_trouble_refuses(answer: Response | Exception) -> None:
    assert not allows(answer)


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        ("", True),
        ("User-agent: *\nDisallow: /cart", True),
        ("User-agent: *\nDisallow: /s", False),
        ("User-agent: *\nDisallow: /*?k=", False),
        ("User-agent: *\nDisallow: /s$", True),
        ("User-agent: *\nDisallow: /\nAllow: /s", True),
        ("User-agent: other\nDisallow: /", True),
        ("User-agent: webshop-bridge\nDisallow: /\n\nUser-agent: *\nAllow: /", False),
        ("User-agent: WebShop-Bridge\nAllow: /\n\nUser-agent: *\nDisallow: /", True),
        ("\ufeffUser-agent: *\r\nDisallow: /s\r\n", False),
        ("# comment\nuser-AGENT : *\ndisallow : /s", False),
        ("\x00\xff nonsense: [[[", True),
    ],
)
def test_rules_are_obeyed(rules: str, allowed: bool) -> None:
    assert allows(text(rules)) is allowed


def test_a_file_beyond_the_limit_is_read_to_the_limit() -> None:
    assert not allows(text("User-agent: *\nDisallow: /s\n" + "# x\n" * 1_000_000))


def test_asked_once_per_host_and_told_to_the_recording() -> None:
    files, tries = Files(text("User-agent: *\nDisallow: /gp")), list[Try]()
    robots = Robots(files, AGENT)
    for url in (PAGE, "https://www.shop.example/dp/1", "https://text.shop.example/x"):
        robots.check(url, tries.append)
    with pytest.raises(GuardRefused):
        robots.check("https://www.shop.example/gp/cart", tries.append)
    assert files.asked == ["https://www.shop.example/robots.txt", "https://text.shop.example/robots.txt"]
    assert [t.url for t in tries] == files.asked


def test_a_refusal_is_remembered_no_connection_is_not() -> None:
    files = Files(text("", 500))
    robots = Robots(files, AGENT)
    for _ in range(2):
        with pytest.raises(GuardRefused):
            robots.check(PAGE, lambda _: None)
    assert len(files.asked) == 1
    errors: list[FetchError] = [Unreachable("no network"), Unreachable("no network")]
    files = Files(errors[0])
    robots = Robots(files, AGENT)
    for _ in errors:
        with pytest.raises(Unreachable, match="no network"):
            robots.check(PAGE, lambda _: None)
    assert len(files.asked) == 2


def test_the_crawl_delay_slows_the_pacer_down() -> None:
    slept: list[float] = []
    pacer = HostPacer(1.0, Clock(now=lambda: 0.0, sleep=slept.append, jitter=lambda: 0.0))
    Robots(Files(text("User-agent: *\nCrawl-delay: 7.5\nDisallow:")), AGENT, pacer).check(PAGE, lambda _: None)
    for _ in range(2):
        with pacer.turn("www.shop.example"):
            pass
    assert slept == [7.5]


def test_its_guard_lets_robots_txt_pass_and_nothing_else() -> None:
    guard = Guard(RobotsGrammar(frozenset({"www.shop.example"})))
    guard.check("https://www.shop.example/robots.txt")
    for url in (
        PAGE,
        "http://www.shop.example/robots.txt",
        "https://www.shop.example/robots.txt?x",
        "https://www.shop.example/a/robots.txt",
        "https://evil.example/robots.txt",
        "https://www.shop.example/robots.txt/",
    ):
        with pytest.raises(GuardRefused):
            guard.check(url)
