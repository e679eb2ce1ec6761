"""The example recordings that ship with the package: both stores, good and bad endings, all from the local storefront."""

from pathlib import Path

FOLDER = Path(__file__).parent


def shipped() -> list[Path]:
    """Their paths, in order of their names."""
    return sorted(FOLDER.glob("*.zip"))
