"""The learnt parts together, and the one file that holds them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

import numpy as np
import numpy.typing as npt

from bridge.errors import ConfigurationError
from policies.trained import tensors
from policies.trained.evidence import ITEM_FEATURES, ROW_FEATURES
from policies.trained.forest import Forest
from policies.trained.network import Network
from policies.trained.query import QueryModel
from policies.trained.reader import Reader
from policies.trained.tagger import Tagger

RARITY_BUCKETS = 1 << 15
JUDGES = {"row": ROW_FEATURES, "item": ITEM_FEATURES, "worth": ITEM_FEATURES}
"""The forests of :class:`Models` by the names of their tensors, and the features that each looks at."""
NETWORKS = ("option", "choice")
"""The small networks."""
MEMBERS = 5
"""Of a forest: each has learnt without a fifth of the products, unless these were too few to do without."""
WEIGHTS = Path(__file__).parent / "weights.safetensors"


def _judge(name: str, named: Mapping[str, tensors.Array]) -> Forest:
    forest = Forest.load(name, named)
    if forest.feature.max() >= JUDGES[name]:
        raise ConfigurationError(f"'{name}' looks at features that there are not")
    return forest


def fold(product: str) -> int:
    """Number of the member that has not learnt from goals of a product."""
    return crc32(product.encode()) % MEMBERS


@dataclass
class Rarity:
    """How much a word says: the logarithm of the texts per text that has it."""

    table: npt.NDArray[np.floating]

    def __post_init__(self) -> None:
        self._known: dict[str, float] = {}

    def __call__(self, word: str) -> float:
        """Weight of a word in its normal form."""
        if word not in self._known:
            self._known[word] = float(self.table[crc32(word.encode()) % RARITY_BUCKETS])
        return self._known[word]


@dataclass
class Models:
    """What the policy has learnt."""

    reader: Reader
    rarity: Rarity
    query: QueryModel
    row: Forest
    """Result to the chance (as a logit) that buying it would be a full success."""
    item: Forest
    """Open item to the same, knowing more."""
    worth: Forest
    """Open item to the reward that buying it would bring, 0 to 1."""
    option: Network
    """Option value to a score against 0 for "no value of this group is asked for"."""
    choice: Network
    """Action in its situation to a score."""

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> "Models":
        """Read the weights. Raises ``ConfigurationError`` for a missing or damaged file, or one of another version."""
        named = tensors.read(path)
        try:
            return cls.of(named)
        except KeyError as error:
            raise ConfigurationError(
                f"{path}: weights of another version, without {error}: train them again, from the first stage"
            ) from None
        except ConfigurationError as error:
            raise ConfigurationError(f"{path}: {error}") from None

    @classmethod
    def of(cls, named: Mapping[str, tensors.Array]) -> "Models":
        """The models of named tensors."""
        return cls(
            reader=Reader(Tagger.load("reader", named)),
            rarity=Rarity(named["rarity"]),
            query=QueryModel(named["query.weights"]),
            row=_judge("row", named),
            item=_judge("item", named),
            worth=_judge("worth", named),
            option=Network.load("option", named),
            choice=Network.load("choice", named),
        )

    def blind(self, number: int) -> "Models":
        """With one member of each forest alone, which knows of the products of its :func:`fold` what it would know of new ones."""
        return replace(self, **{name: getattr(self, name).member(number) for name in JUDGES})

    def tensors(self) -> dict[str, tensors.Array]:
        """The weights by name."""
        made: dict[str, tensors.Array] = {
            **self.reader.tagger.tensors("reader"),
            "rarity": self.rarity.table.astype(np.float16),
            "query.weights": self.query.weights.astype(np.float32),
        }
        for name in (*JUDGES, *NETWORKS):
            made |= getattr(self, name).tensors(name)
        return made
