"""What the README shows works as it stands there."""

import re
from pathlib import Path
from typing import Any

import pytest

import bridge

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_policy_shops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)  # recordings go to ./logs
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    exec(compile(code, "README.md", "exec"), {})
    assert "Outcome.BUY_NOW" in capsys.readouterr().out


def test_the_call_shops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call = re.search(r"`(bridge\.transfer\(.*?\))`", README)
    assert call
    names: dict[str, Any] = {"bridge": bridge}
    assert eval(call[1], names).outcome == "buy_now"


def test_every_command_and_link_exists() -> None:
    root = Path(__file__).parents[1]
    for name in re.findall(r"python -m (bridge[.\w]*\w)", README):
        place = root.joinpath(*name.split("."))
        assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file(), name
    for link in re.findall(r"\]\(([^)]+)\)", README):
        assert link.startswith("https://") or (root / link.partition("#")[0]).is_file(), link
