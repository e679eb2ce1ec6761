"""The example recordings that ship with the package."""

from pathlib import Path

FOLDER = Path(__file__).parent / "shipped"


def shipped() -> list[Path]:
    """Their paths, in order of their names."""
    return sorted(FOLDER.glob("*.zip"))
