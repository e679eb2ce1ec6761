"""WebShop's catalogue: its products, read from WebShop's own files or from the shipped catalogue."""

import gzip
import json
import random
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from itertools import chain
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from bridge.errors import ConfigurationError
from bridge.pages import Record

NO_PRICE = 100.0
"""What WebShop takes for the price of a product that states none."""
NO_ATTRIBUTES = ("DUMMY_ATTR",)
"""What WebShop takes for the attributes of a product that its attribute file does not name."""
_CHUNK = 1 << 20
T = TypeVar("T")
_NOT_PRICE = re.compile(r"[^\d.]")


class HumanInstruction(Record, frozen=True):
    """One crowd-written instruction for a product."""

    instruction: str
    attributes: tuple[str, ...]
    """Empty for the few that WebShop leaves out of its goals."""
    options: tuple[str, ...] = ()


class CatalogueProduct(Record, frozen=True):
    """One product as WebShop holds it, normalised as WebShop does."""

    asin: str
    title: str
    description: str = ""
    bullets: tuple[str, ...] = ()
    prices: tuple[float, ...] = (NO_PRICE,)
    """US dollars: one amount, or the two ends of a range; ``(100.0,)`` where none is stated."""
    priced: bool = False
    """Whether a price was stated. A processed file does not tell a price of exactly 100.0 from none: it counts as none."""
    price_text: str = f"${NO_PRICE}"
    """WebShop's price tag: ``"$877.8"`` or ``"$16.82 to $35.0"``."""
    options: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """Option name to values: lower case, ``/`` as ``" | "``."""
    option_images: dict[str, str] = msgspec.field(default_factory=dict)
    """Option value to the URL of its image, for those that have one."""
    attributes: tuple[str, ...] = NO_ATTRIBUTES
    """Hidden from the agent: what the reward compares."""
    query: str = ""
    """The search that found the product when the catalogue was collected; lower case."""
    category: str = ""
    """One of WebShop's five: ``"beauty"``, ``"electronics"``, ``"garden"``, ``"fashion"``, ``"grocery"``."""
    product_category: str = ""
    """Category path, widest first, parts joined by `` › ``."""
    image: str | None = None
    instruction: str | None = None
    """Synthetic instruction without options and price, where the attribute file has one."""
    instruction_attributes: tuple[str, ...] = ()
    human: tuple[HumanInstruction, ...] = ()


@dataclass(frozen=True)
class Catalogue:
    """Products in catalogue order, and by ASIN."""

    products: tuple[CatalogueProduct, ...]
    by_asin: Mapping[str, CatalogueProduct] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_asin", {p.asin: p for p in self.products})

    def __len__(self) -> int:
        return len(self.products)

    def draw_prices(self, rng: random.Random) -> dict[str, float]:
        """ASIN to the one price that ceilings and rewards use: a uniform draw where there is a range (WebShop's rule)."""
        return {p.asin: rng.uniform(*p.prices) if len(p.prices) == 2 else p.prices[0] for p in self.products}


class _Attributes(msgspec.Struct):
    """What ``items_ins_v2.json`` says of one product."""

    attributes: tuple[str, ...] = NO_ATTRIBUTES
    instruction: str | None = None
    instruction_attributes: tuple[str, ...] = ()


class _Human(msgspec.Struct):
    """One entry of ``items_human_ins.json``."""

    instruction: str
    instruction_attributes: tuple[str, ...] = ()
    instruction_options: tuple[str, ...] = ()


def load(
    path: str | Path | None = None,
    attributes_path: str | Path | None = None,
    human_path: str | Path | None = None,
    limit: int | None = None,
) -> Catalogue:
    """Read a catalogue; the shipped one if no path is given.

    ``path`` is WebShop's raw ``items_shuffle*.json`` (a JSON array) or its processed products as JSON lines; either may be
    gzipped (``.gz``). It is read in pieces: besides the products themselves, about 4 kB each (5 GB for WebShop's 1.18 million),
    no more than a megabyte of it is held. The search index adds about 0.6 kB a product (``benchmarks/simulator.py`` measures).
    ``attributes_path`` is ``items_ins_v2*.json`` and ``human_path`` is ``items_human_ins.json``; what they say of a product
    goes before what its row says. ``limit`` takes the first rows only. As in WebShop, rows whose ASIN is ``nan``, longer
    than ten characters or repeated are skipped.

    Raises ``ConfigurationError`` naming file and line for a missing, damaged or foreign file.
    """
    if path is None:
        with as_file(files("bridge.simulator") / "data" / "catalogue.jsonl.gz") as shipped:
            return load(shipped, attributes_path, human_path, limit)
    attributes = _read_side_file(attributes_path, dict[str, _Attributes])
    human = _read_side_file(human_path, dict[str, list[_Human]])
    products: dict[str, CatalogueProduct] = {}
    for number, (where, row) in enumerate(_rows(Path(path))):
        if limit is not None and number >= limit:
            break
        try:
            asin = row["asin"]
            if asin != "nan" and len(asin) <= 10 and asin not in products:
                products[asin] = _product(row, attributes.get(asin), human.get(asin))
        except (KeyError, TypeError, ValueError, AttributeError, msgspec.ValidationError) as error:
            what = f"no field {error}" if isinstance(error, KeyError) else str(error)
            raise ConfigurationError(
                f"{where}: not a WebShop product ({what}); give items_shuffle*.json or processed products as JSON lines"
            ) from error
    if not products:
        raise ConfigurationError(f"{path}: no products in it; give items_shuffle*.json or processed products as JSON lines")
    return Catalogue(tuple(products.values()))


def _open(path: Path) -> IO[str]:
    try:
        return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror}); check the path of the catalogue file") from error


def _read_side_file(path: str | Path | None, kind: type[dict[str, T]]) -> dict[str, T]:
    if path is None:
        return {}
    try:
        with _open(Path(path)) as file:
            return msgspec.json.decode(file.read(), type=kind)
    except (msgspec.MsgspecError, UnicodeError, EOFError, OSError) as error:
        raise ConfigurationError(f"{path}: not a WebShop attribute or instruction file ({error})") from error


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rows of a JSON array or of JSON lines, each with the place it stands at for error texts."""
    with _open(path) as file:
        try:
            blank = 1
            while (first := file.read(1)).isspace():
                blank += first == "\n"
            if first == "[":
                yield from _array_rows(path, file)
                return
            for number, line in enumerate(chain([first + file.readline()], file), blank):
                if line.strip():
                    try:
                        yield f"{path}:{number}", json.loads(line)
                    except ValueError as error:
                        raise ConfigurationError(f"{path}:{number}: not a JSON line ({error}); get the file again") from error
        except (UnicodeError, EOFError, OSError) as error:
            raise ConfigurationError(f"{path}: damaged ({error}); get the file again") from error


def _array_rows(path: Path, file: IO[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    decoder = json.JSONDecoder()
    buffer, at, number = "", 0, 1
    while True:
        while at < len(buffer) and buffer[at] in " \t\r\n,":
            at += 1
        if buffer.startswith("]", at):
            return
        try:
            row, at = decoder.raw_decode(buffer, at)
        except ValueError as error:
            # The piece ends within a product; the next one is at least as long, so a long product costs no quadratic time.
            piece = file.read(max(_CHUNK, len(buffer) - at))
            if not piece:
                raise ConfigurationError(
                    f"{path}: product {number} is damaged, or the file ends within it ({error}); get the file again"
                ) from error
            buffer, at = buffer[at:] + piece, 0
            continue
        yield f"{path}: product {number}", row
        number += 1


def _product(row: dict[str, Any], attributes: _Attributes | None, human: list[_Human] | None) -> CatalogueProduct:
    processed = "Title" in row
    prices, priced = _processed_prices(row["pricing"]) if processed else _raw_prices(row.get("pricing"))
    options, images = _processed_options(row) if processed else _raw_options(row["customization_options"])
    bullets = row["BulletPoints"] if processed else row["small_description"]
    if human is None:
        human = msgspec.convert(row.get("instructions", []), list[_Human])
    if attributes is None:
        attributes = _Attributes(
            tuple(row.get("Attributes") or NO_ATTRIBUTES), row.get("instruction_text"), tuple(row.get("instruction_attributes") or ())
        )
    pictures = row.get("images") or ()
    fields = {
        "asin": row["asin"],
        "title": row["Title"] if processed else row["name"],
        "description": (row["Description"] if processed else row["full_description"]) or "",
        "bullets": tuple(bullets) if isinstance(bullets, list) else (bullets or "",),
        "prices": prices,
        "priced": priced,
        "price_text": " to ".join(f"${price}" for price in prices),
        "options": options,
        "option_images": images,
        "attributes": attributes.attributes,
        "query": sys.intern(row["query"].lower().strip()),
        "category": sys.intern(row["category"]),
        "product_category": sys.intern(row["product_category"]),
        "image": row.get("MainImage") or (pictures[0] if pictures else None),
        "instruction": attributes.instruction,
        "instruction_attributes": attributes.instruction_attributes,
        "human": tuple(
            HumanInstruction(instruction=h.instruction, attributes=h.instruction_attributes, options=h.instruction_options) for h in human
        ),
    }
    return msgspec.convert(fields, CatalogueProduct)  # checks the type of every field


def _processed_prices(pricing: list[float]) -> tuple[tuple[float, ...], bool]:
    prices = tuple(float(price) for price in pricing[:2])
    return (prices, True) if prices and prices != (NO_PRICE,) else ((NO_PRICE,), False)


def _raw_prices(pricing: str | None) -> tuple[tuple[float, ...], bool]:
    prices = tuple(float(_NOT_PRICE.sub("", part)) for part in (pricing or "").split("$")[1:3])
    return (prices, True) if prices else ((NO_PRICE,), False)


def _processed_options(row: dict[str, Any]) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    images = {value: image for value, image in row.get("option_to_image", {}).items() if image}
    return {sys.intern(name): tuple(values) for name, values in row["options"].items()}, images


def _raw_options(customization: Any) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    options: dict[str, tuple[str, ...]] = {}
    images: dict[str, str] = {}
    for name, contents in (customization or {}).items():
        if contents is None:
            continue
        values = []
        for content in contents:
            value = content["value"].strip().replace("/", " | ").lower()
            values.append(value)
            if content.get("image"):
                images[value] = content["image"]
        options[sys.intern(name.lower())] = tuple(values)
    return options, images
