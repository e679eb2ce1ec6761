"""A canary in every place that holds a secret: none of it reaches a file, a log line, the terminal or an error."""

import io
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest
import zstandard
from loguru import logger
from loopback_server import Server, page
from warcio.archiveiterator import ArchiveIterator

import bridge
from bridge import capture, run
from bridge.errors import ConfigurationError
from bridge.fetchers import chromium
from bridge.run import main
from bridge.storefront import Storefront

CANARY = "kanarienvogel4711"


def texts_of(folder: Path) -> str:
    """All that was written, unpacked."""
    found: list[bytes] = []
    for path in folder.rglob("*"):
        if path.is_file():
            found.append(path.read_bytes())
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as packed:
                for name in packed.namelist():
                    data = packed.read(name)
                    found.append(data)
                    if name.endswith(".warc.gz"):
                        found += [_record(record) for record in ArchiveIterator(io.BytesIO(data))]
    return b"\n".join(found).decode("utf-8", "replace")


def _record(record: Any) -> bytes:
    body: bytes = record.raw_stream.read()
    if record.http_headers and record.http_headers.get_header("content-encoding") == "zstd":
        body = zstandard.decompress(body)
    return str(record.rec_headers).encode() + str(record.http_headers).encode() + body


def test_a_proxys_password_is_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proxy = f"http://user:{CANARY}@127.0.0.1:9"
    assert main(["--site", "amazon", "--proxy", proxy, "--out", str(tmp_path), "--verbose", "shoes"]) == 3
    assert main(["--site", "amazon", "--proxy", f"nonsense://u:{CANARY}@h", "--out", str(tmp_path), "shoes"]) == 2
    shown = capsys.readouterr()
    assert CANARY not in shown.out + shown.err
    assert CANARY not in texts_of(tmp_path)
    assert "unreachable" in shown.out


SECRETS = (
    f'<meta name="csrf-token" content="{CANARY}"><input type="hidden" name="session-id" value="{CANARY}">'
    f'<span id="glow-ingress-line2">{CANARY} 10001</span><script>var s = {{"sessionId":"{CANARY}","apiKey":"{CANARY}"}};</script>'
    f'<a href="/x?token={CANARY}">x</a><a href="/ref/{CANARY}/x">x</a>{CANARY}@example.com {CANARY}'
    f"<script>document.cookie = 'session-token={CANARY}'; xhr.setRequestHeader('anti-csrf', '{CANARY}')</script>"
)
HEADERS = {"Set_Cookie": f"session-token={CANARY}; Path=/", "X_Session": CANARY, "Authorization": f"Bearer {CANARY}"}


@pytest.mark.parametrize("size", [0, 600_000])
@pytest.mark.parametrize("fetcher", ["http", pytest.param("browser", marks=pytest.mark.browser)])
@pytest.mark.parametrize("command", ["run", "capture"])
def test_what_a_store_sends_of_secrets_is_nowhere(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, fetcher: str, size: int
) -> None:
    if fetcher == "browser":
        try:
            chromium.find_browser(), chromium.find_driver()
        except ConfigurationError as missing:
            pytest.skip(str(missing))
    server.answers["/robots.txt"] = page("", 404)
    moved = page("", 302, Location=f"/s?k=shoes&session-id={CANARY}", **HEADERS)
    server.answers["/s"] = [page(f"<title>Amazon.com</title>{SECRETS}{'<p>filling</p>' * (size // 14)}", **HEADERS), moved]
    arguments = ["--site", "amazon", "--origin", server.origin, "--fetcher", fetcher, "--out", str(tmp_path / "out")]
    (tmp_path / "queries.txt").write_text("shoes\nboots\n")
    for _ in range(2):
        if command == "run":
            assert run.main([*arguments, "--verbose", "--json", "shoes"]) == 3
        else:
            assert capture.main([*arguments, "--queries", str(tmp_path / "queries.txt")]) in (0, 3)
    shown = capsys.readouterr()
    written = texts_of(tmp_path / "out")
    assert CANARY not in shown.out + shown.err
    assert CANARY not in written
    assert written.count("REDACTED") > 10
    assert "session-id=REDACTED" in written
    assert (written.count("filling") > 10_000) == (size > 0)


def test_a_secret_of_the_environment_is_not_sent_or_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://user:{CANARY}@127.0.0.1:9")
    monkeypatch.setenv("AMAZON_API_KEY", CANARY)
    with Storefront(site="amazon") as store:
        assert main(["--site", "amazon", "--origin", store.address, "--out", str(tmp_path), "shoes"]) == 0
        assert all(CANARY not in entry.path for entry in store.log)
    assert CANARY not in texts_of(tmp_path)
    assert CANARY in os.environ["HTTP_PROXY"]


def test_the_library_is_silent_and_the_command_tells_more_when_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    logger.add(lines.append)
    bridge.transfer("amazon", "shoes", origin="storefront", out=tmp_path)
    logger.remove()
    assert lines == []
    assert main(["--site", "amazon", "--origin", "storefront", "--out", str(tmp_path), "shoes"]) == 0
    assert capsys.readouterr().err == ""
