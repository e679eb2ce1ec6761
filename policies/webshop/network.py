"""WebShop's choice network (``baseline_models/models/bert.py``): BERT for state and actions, attention across both, one score an action.

Same parameters under the same names and the same numbers, computed otherwise: the state once however many actions there are,
each action once however often it comes back, and nothing for padding but what reaches the result.
"""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

_STEP = 8
"""Action widths are rounded up to a multiple of this, so that encodings are used again in lists of other widths."""


class Attention(nn.Module):
    """The weights of the attention across state and action."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.input_linear = nn.Linear(size, 1, bias=False)
        self.memory_linear = nn.Linear(size, 1, bias=False)
        self.dot_scale = nn.Parameter(torch.zeros(size).uniform_(1.0 / size**0.5))


class ChoiceNetwork(nn.Module):
    """The published network. ``image`` gives it the head for 512 image features."""

    def __init__(self, config: BertConfig, image: bool) -> None:
        super().__init__()
        size = config.hidden_size
        self.bert = BertModel(config)
        self.attn = Attention(size)
        self.linear_1 = nn.Linear(size * 4, size)
        self.linear_2 = nn.Linear(size, 1)
        self.image_linear = nn.Linear(512, size) if image else None
        self.linear_3 = nn.Sequential(nn.Linear(size, 128), nn.LeakyReLU(), nn.Linear(128, 1))

    def encode(self, ids: Tensor, mask: Tensor) -> Tensor:
        """BERT's last layer."""
        made: Tensor = self.bert(ids, attention_mask=mask)[0]
        return made

    def score(self, state: Tensor, actions: Tensor, lengths: Sequence[int]) -> Tensor:
        """One score an action.

        ``state`` is ``[tokens, size]`` without padding (an image's row in front), ``actions`` ``[actions, width, size]`` with the
        padding's rows, which weigh in WebShop's second attention; ``lengths`` are the actions' real tokens.
        """
        count, width, size = actions.shape
        attn = self.attn
        att = (actions * attn.dot_scale).view(-1, size) @ state.T
        att = att + attn.input_linear(actions).view(-1, 1) + attn.memory_linear(state).T
        over = torch.softmax(att.max(dim=1).values.view(count, width), dim=1)
        whole = (over.unsqueeze(1) @ actions).squeeze(1)
        real = torch.arange(width)[None] < torch.tensor(lengths)[:, None]
        own = actions[real]
        owner = torch.repeat_interleave(torch.arange(count), torch.tensor(lengths))
        seen = torch.softmax(att[real.view(-1)], dim=1) @ state
        hidden = torch.relu(self.linear_1(torch.cat([own, seen, own * seen, whole[owner] * seen], dim=1)))
        means = torch.zeros(count, size).index_add_(0, owner, hidden) / torch.tensor(lengths)[:, None]
        made: Tensor = self.linear_2(means).squeeze(1)
        return made

    def value(self, state: Tensor) -> Tensor:
        """The state's value, which reinforcement learning uses."""
        made: Tensor = self.linear_3(state[0])
        return made


class Scorer:
    """Scores lists of actions, remembering what it encoded. One for many episodes; not for several threads."""

    def __init__(self, network: ChoiceNetwork, pad: int = 0, kept: int = 4096) -> None:
        self.network = network.eval()
        self._pad = pad
        self._kept = kept
        self._states: OrderedDict[Hashable, Tensor] = OrderedDict()
        self._actions: OrderedDict[Hashable, Tensor] = OrderedDict()

    def __call__(self, decisions: Sequence[tuple[Sequence[int], Sequence[Sequence[int]], Tensor | None]]) -> list[Tensor]:
        """Log-chances of the actions of each decision: token ids of its state, of its actions, and 512 image features or none."""
        with torch.inference_mode():
            self._encode([tuple(state) for state, _, _ in decisions], self._states, None)
            widths: dict[tuple[int, ...], int] = {}
            for _, actions, _ in decisions:
                width = max(map(len, actions))
                for action in actions:
                    widths[tuple(action)] = max(width, widths.get(tuple(action), 0))
            self._encode(list(widths), self._actions, widths)
            made = [self._one(tuple(state), [tuple(action) for action in actions], image) for state, actions, image in decisions]
        for store in (self._states, self._actions):
            while len(store) > self._kept:
                store.popitem(last=False)
        return made

    def _one(self, state: tuple[int, ...], actions: Sequence[tuple[int, ...]], image: Tensor | None) -> Tensor:
        memory = self._states[state]
        head = self.network.image_linear
        if head is not None:
            memory = torch.cat([head(torch.zeros(512) if image is None else image)[None], memory])
        width = max(map(len, actions))
        stacked = torch.stack([self._actions[action][:width] for action in actions])
        return torch.log_softmax(self.network.score(memory, stacked, [len(action) for action in actions]), dim=0)

    def _encode(self, texts: Sequence[tuple[int, ...]], store: "OrderedDict[Hashable, Tensor]", widths: Any) -> None:
        missing = []
        for text in dict.fromkeys(texts):
            needed = widths[text] if widths else len(text)
            if text in store and len(store[text]) >= needed:
                store.move_to_end(text)
            else:
                missing.append((-(-needed // _STEP) * _STEP if widths else needed, text))
        # Equal widths go through BERT together.
        for width in sorted({width for width, _ in missing}):
            group = [text for wanted, text in missing if wanted == width]
            ids = torch.tensor([[*text, *[self._pad] * (width - len(text))] for text in group])
            mask = torch.tensor([[1] * len(text) + [0] * (width - len(text)) for text in group])
            # Copies: a row of the batch would keep all of it.
            store.update((text, row.clone()) for text, row in zip(group, self.network.encode(ids, mask), strict=True))
