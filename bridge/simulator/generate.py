"""``python -m bridge.simulator.generate``: invented products in WebShop's processed format, the same bytes for the same seed.

The shipped catalogue is ``--seed 1 --products 480``; larger ones serve for measuring.

Exit codes: 0 done; 2 wrong usage, or a file that cannot be written; 130 stopped by Ctrl-C.
"""

import gzip
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from bridge.command import CommandParser, finish

NO_PRICE = [100.0]
"""How WebShop's processed files hold a product without price."""
_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_IMAGE_CHARACTERS = _CHARACTERS + _CHARACTERS[10:].lower()


@dataclass(frozen=True)
class Draft:
    """What makes a product; a near-duplicate is a draft with one part changed."""

    kind: dict[str, Any]
    brand: str
    noun: str
    detail: str
    attributes: tuple[str, ...]
    options: dict[str, list[str]]
    prices: tuple[float, ...]


def _words(name: str) -> Any:
    return json.loads((files("bridge.simulator") / "data" / name).read_text("utf-8"))


def _price(rng: random.Random, low: float, high: float) -> float:
    """A shop's price: more often in the lower half of the span, with the endings that shops like."""
    whole = int(low + (high - low) * rng.random() ** 1.6)
    return round(max(whole, 1) + rng.choice([0.99, 0.99, 0.99, 0.95, 0.49, 0.0, rng.randrange(100) / 100]), 2)


def _options(rng: random.Random, kind: dict[str, Any], colors: list[str]) -> dict[str, list[str]]:
    """Some of the kind's option groups with some of their values, in the kind's order."""
    groups = list(kind["options"])
    if not groups or rng.random() > 0.48:
        return {}
    kept = rng.sample(groups, len(groups) if rng.random() < 0.6 else rng.randint(1, len(groups)))
    chosen = {}
    for name in groups:
        values = kind["options"][name]
        if name not in kept:
            continue
        if values == ["@"]:
            values = [c + rng.choice(["", "", "", " floral", " stripe"]) for c in rng.sample(colors, rng.randint(3, 9))]
        elif len(values) > 2 and rng.random() < 0.5:
            values = [v for v in values if rng.random() < 0.8] or values
        chosen[name] = list(values)
    return chosen


def _draft(rng: random.Random, kind: dict[str, Any], words: dict[str, Any]) -> Draft:
    pool = kind["attributes"]
    options = _options(rng, kind, words["colors"])
    price = _price(rng, *kind["price"])
    prices: tuple[float, ...] = (price,)
    if rng.random() < 0.08:
        prices = ()
    elif options and rng.random() < 0.22:
        prices = (price, round(price * rng.uniform(1.15, 1.9), 2))
    return Draft(
        kind=kind,
        brand=rng.choice(words["brands"]),
        noun=rng.choice(kind["nouns"]),
        detail=rng.choice(kind["details"]),
        attributes=tuple(rng.sample(pool, min(len(pool), rng.randint(2, 5)))),
        options=options,
        prices=prices,
    )


def _twin(rng: random.Random, draft: Draft) -> Draft:
    """A hard distractor: the same product in all but one attribute, the pack, or the price."""
    others = [a for a in draft.kind["attributes"] if a not in draft.attributes]
    factor = rng.uniform(0.7, 1.35)
    price = tuple(round(p * factor, 2) for p in draft.prices)
    if others and rng.random() < 0.7:
        at = rng.randrange(len(draft.attributes))
        changed = (*draft.attributes[:at], rng.choice(others), *draft.attributes[at + 1 :])
        return replace(draft, attributes=changed, prices=price)
    return replace(draft, detail=rng.choice(draft.kind["details"]), prices=price)


def _phrase(attributes: tuple[str, ...], words: dict[str, Any]) -> tuple[list[str], str]:
    """Attributes as people say them: those that stand before the noun, and what follows it."""
    sort = {a: words["attributes"][a][0] for a in attributes}
    before = [a for a in attributes if sort[a] == "a"]
    with_ = [a for a in attributes if sort[a] == "w"] + [f"no {a}" for a in attributes if sort[a] == "x"]
    for_ = [a for a in attributes if sort[a] == "f"]
    tail = (" with " + " and ".join(with_) if with_ else "") + (" for " + " and ".join(for_) if for_ else "")
    return before, tail


def _title(rng: random.Random, draft: Draft, words: dict[str, Any]) -> str:
    shown = rng.sample(draft.attributes, min(len(draft.attributes), rng.choice([0, 1, 1, 2])))
    before, tail = _phrase(tuple(shown), words)
    detail = draft.detail
    first = " ".join(word.title() for word in before[:1])
    rest = "".join(f", {word.title()}" for word in before[1:])
    title = f"{draft.brand} {first + ' ' if first else ''}{draft.noun}{tail.title().replace(' With ', ' with ').replace(' For ', ' for ')}"
    colors = draft.options.get("color", [])
    ending = f" - {colors[0].title()}" if len(colors) == 1 or (colors and rng.random() < 0.2) else ""
    return f"{title}{rest}, {detail}{ending}" if rng.random() < 0.7 else f"{title} ({detail}){rest}{ending}"


def _bullets(rng: random.Random, draft: Draft, words: dict[str, Any]) -> list[str]:
    if rng.random() < 0.07:
        return [""]
    lines = [words["attributes"][a][1] for a in draft.attributes if rng.random() < 0.85]
    lines.append(f"{draft.noun} by {draft.brand}: {draft.detail}. {rng.choice(words['closings'])}")
    if draft.options and rng.random() < 0.5:
        name, values = rng.choice(list(draft.options.items()))
        lines.append(f"Choose your {name}: {', '.join(values[:4])}{' and more' if len(values) > 4 else ''}.")
    rng.shuffle(lines)
    return lines


def _description(rng: random.Random, draft: Draft, words: dict[str, Any]) -> str:
    if rng.random() < 0.3:
        return ""
    before, tail = _phrase(draft.attributes, words)
    opening = rng.choice(words["openings"]).format(brand=draft.brand, noun=draft.noun.lower())
    middle = f"It is {', '.join(before)}{' and made' if tail else ''}{tail}." if before else f"It comes{tail}."
    return " ".join([opening, middle, *rng.sample(words["closings"], rng.randint(1, 2))])


def _wishes(rng: random.Random, draft: Draft, words: dict[str, Any]) -> dict[str, Any]:
    """The synthetic instruction, and for some one in people's words; the options asked for exist."""
    wanted = tuple(rng.sample(draft.attributes, rng.randint(1, min(4, len(draft.attributes)))))
    before, tail = _phrase(wanted, words)
    query = draft.kind["query"]
    made: dict[str, Any] = {
        "instruction_text": f"Find me {', '.join(before)}{' ' if before else ''}{query}{tail}",
        "instruction_attributes": list(wanted),
    }
    if rng.random() < 0.4:
        options = {name: rng.choice(values) for name, values in draft.options.items()}
        said = "".join(f", {name} {value}" for name, value in options.items())
        text = rng.choice(words["human"]).format(adj=" ".join(before) or "good", query=query, tail=tail + said)
        entry = {"instruction": text, "instruction_attributes": list(wanted), "instruction_options": list(options.values())}
        made["instructions"] = [entry]
    return made


def _image(rng: random.Random) -> str:
    return f"https://m.media-amazon.com/images/I/{rng.choice('34567')}1{''.join(rng.choices(_IMAGE_CHARACTERS, k=8))}L.jpg"


def _row(rng: random.Random, draft: Draft, asin: str, words: dict[str, Any]) -> dict[str, Any]:
    """The product as a row of WebShop's processed file."""
    title, bullets, description = _title(rng, draft, words), _bullets(rng, draft, words), _description(rng, draft, words)
    pricing = list(draft.prices) or NO_PRICE
    image = _image(rng)
    return {
        "asin": asin,
        "name": title,
        "Title": title,
        "full_description": description,
        "Description": description,
        "small_description": bullets,
        "BulletPoints": bullets,
        "pricing": pricing,
        "Price": " to ".join(f"${price}" for price in pricing),
        "images": [image],
        "MainImage": image,
        "category": draft.kind["category"],
        "query": draft.kind["query"],
        "product_category": draft.kind["path"],
        "average_rating": round(rng.uniform(3.4, 4.9), 1),
        "options": draft.options,
        "option_to_image": {value: _image(rng) for value in draft.options.get("color", [])},
        "Attributes": list(draft.attributes),
        "Rating": "N.A.",
        "Reviews": [],
        **(_wishes(rng, draft, words) if rng.random() < 0.7 else {}),
    }


def products(seed: int, count: int) -> Iterator[dict[str, Any]]:
    """``count`` rows, kinds in turn, a third of them near-duplicates of the one before; in random order of ASIN."""
    rng = random.Random(seed)
    words, kinds = _words("words.json"), _words("kinds.json")
    asins: dict[str, None] = {}
    while len(asins) < count:
        asins["B0" + rng.choice("789BCD") + "".join(rng.choices(_CHARACTERS, k=7))] = None
    draft = _draft(rng, kinds[0], words)
    for number, asin in enumerate(asins):
        draft = _twin(rng, draft) if rng.random() < 0.35 else _draft(rng, kinds[number % len(kinds)], words)
        yield _row(rng, draft, asin, words)


def write(path: Path, seed: int, count: int) -> None:
    """Write the catalogue as gzipped JSON lines, byte for byte the same for the same arguments."""
    with path.open("wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
        for row in products(seed, count):
            packed.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")


def main(arguments: list[str] | None = None) -> int:
    """Write the file asked for. Returns 0, or 2 if it cannot be written."""
    parser = CommandParser("python -m bridge.simulator.generate", __doc__)
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same bytes (default 1)")
    parser.add_argument("--products", type=int, default=480, help="how many products (default 480)")
    parser.add_argument("--out", type=Path, required=True, help="file to write, gzipped JSON lines")
    options = parser.parse_args(arguments)
    try:
        write(options.out, options.seed, options.products)
    except OSError as error:
        print(f"bridge.simulator.generate: cannot write {options.out}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"{options.products} products written to {options.out}")
    return 0


if __name__ == "__main__":
    finish(main)
