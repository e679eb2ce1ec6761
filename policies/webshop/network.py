"""WebShop's choice network (``baseline_models/models/bert.py``): BERT for state and actions, attention across both, one score an action.

Same parameters under the same names and the same numbers, computed otherwise: a text once however often it comes back, all texts
that are missing in one pass whatever their lengths, and of the attention across only what reaches a score.
"""

from collections import OrderedDict
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention, threshold
from transformers import BertConfig, BertModel

_STEP = 8
"""An action that comes back in a longer list gets a multiple of this many rows, so that it is not encoded each time."""
_Text = tuple[int, ...]


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

    def encode(self, texts: Sequence[Sequence[int]], widths: Sequence[int]) -> list[Tensor]:
        """BERT's last layer: of each text as many rows as its width says, its tokens' and the padding's behind them.

        The linear layers run over the rows of all texts at once, the attention over texts of equal width.
        """
        order = sorted(range(len(texts)), key=widths.__getitem__)
        pad: int = self.bert.config.pad_token_id or 0
        words, places, groups = list[int](), list[int](), list[tuple[int, int, Tensor | None]]()
        for width, members in groupby(order, key=widths.__getitem__):
            group = [[*texts[member]] for member in members]
            words += [word for text in group for word in text + [pad] * (width - len(text))]
            places += [*range(width)] * len(group)
            real = torch.arange(width)[None] < torch.tensor([len(text) for text in group])[:, None]
            groups.append((len(group), width, None if real.all() else real[:, None, None]))
        rows = self.bert.embeddings(input_ids=torch.tensor([words]), position_ids=torch.tensor([places]))[0]
        for layer in self.bert.encoder.layer:
            rows = self._through(layer, rows, groups)
        made = dict(zip(order, rows.split([widths[member] for member in order]), strict=True))
        return [made[member] for member in range(len(texts))]

    def _through(self, layer: Any, rows: Tensor, groups: Sequence[tuple[int, int, Tensor | None]]) -> Tensor:
        config, own = self.bert.config, layer.attention.self
        parts = [part(rows).view(len(rows), config.num_attention_heads, -1) for part in (own.query, own.key, own.value)]
        dropout = config.attention_probs_dropout_prob if self.training else 0.0
        mixed, start = [], 0
        for count, width, mask in groups:
            query, key, value = (part[start : start + count * width].unflatten(0, (count, width)).transpose(1, 2) for part in parts)
            found = scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout)
            mixed.append(found.transpose(1, 2).flatten(2).flatten(0, 1))
            start += count * width
        rows = layer.attention.output(torch.cat(mixed), rows)
        made: Tensor = layer.output(layer.intermediate(rows), rows)
        return made

    def seen(self, state: Tensor, image: Tensor | None) -> Tensor:
        """What the actions are held against: the state, and in front of it the image if the network has the head (zeros for none)."""
        if self.image_linear is None:
            return state
        return torch.cat([self.image_linear(torch.zeros(512) if image is None else image)[None], state])

    def score(self, state: Tensor, actions: Tensor, lengths: Sequence[int]) -> Tensor:
        """Log-chances of the actions.

        ``state`` is ``[tokens, size]`` as ``seen`` makes it, ``actions`` ``[actions, width, size]`` with the padding's rows, which
        weigh in WebShop's second attention; ``lengths`` are the actions' real tokens.
        """
        count, width, size = actions.shape
        attn, sizes = self.attn, torch.tensor(lengths)
        att = (actions * attn.dot_scale).view(-1, size) @ state.T
        att = att + attn.input_linear(actions).view(-1, 1) + attn.memory_linear(state).T
        over = torch.softmax(att.amax(dim=1).view(count, width), dim=1)
        whole = (over.unsqueeze(1) @ actions).squeeze(1)
        real = torch.arange(width)[None] < sizes[:, None]
        own = actions[real]
        owner = torch.repeat_interleave(torch.arange(count), sizes)
        # Weights too small for a normal number change nothing and cost ten times the product's time.
        found = threshold(torch.softmax(att[real.view(-1)], dim=1), 1e-30, 0.0) @ state
        hidden = torch.relu(self.linear_1(torch.cat([own, found, own * found, whole[owner] * found], dim=1)))
        means = torch.zeros(count, size).index_add_(0, owner, hidden) / sizes[:, None]
        return torch.log_softmax(self.linear_2(means).squeeze(1), dim=0)

    def value(self, state: Tensor) -> Tensor:
        """The state's value, which reinforcement learning uses, from its encoding."""
        made: Tensor = self.linear_3(state[0])
        return made


class Scorer:
    """Scores lists of actions, remembering what it encoded. One for many episodes; not for several threads."""

    def __init__(self, network: ChoiceNetwork, kept: int = 65_536) -> None:
        """``kept`` is how many tokens stay encoded, those used last (BERT-base: 3 KB a token)."""
        self.network = network.eval()
        self._kept = kept
        self._known: OrderedDict[_Text, Tensor] = OrderedDict()

    def __call__(self, decisions: Sequence[tuple[Sequence[int], Sequence[Sequence[int]], Tensor | None]]) -> list[Tensor]:
        """Log-chances of the actions of each decision: token ids of its state, of its actions, and 512 image features or none."""
        with torch.inference_mode():
            needed: dict[_Text, int] = {}
            for state, actions, _ in decisions:
                for text, width in [(state, len(state)), *((action, max(map(len, actions))) for action in actions)]:
                    needed[tuple(text)] = max(width, needed.get(tuple(text), 0))
            self._encode(needed)
            made = [self._one(tuple(state), [tuple(action) for action in actions], image) for state, actions, image in decisions]
        held = sum(map(len, self._known.values()))
        while held > self._kept:
            held -= len(self._known.popitem(last=False)[1])
        return made

    def _one(self, state: _Text, actions: Sequence[_Text], image: Tensor | None) -> Tensor:
        width = max(map(len, actions))
        stacked = torch.stack([self._known[action][:width] for action in actions])
        return self.network.score(self.network.seen(self._known[state][: len(state)], image), stacked, [len(action) for action in actions])

    def _encode(self, needed: dict[_Text, int]) -> None:
        missing: dict[_Text, int] = {}
        for text, width in needed.items():
            if text not in self._known:
                missing[text] = width
            elif len(self._known[text]) < width:
                missing[text] = -(-width // _STEP) * _STEP
            else:
                self._known.move_to_end(text)
        if missing:
            made = self.network.encode(list(missing), list(missing.values()))
            # Copies: a part of the pass would keep all of it.
            self._known.update((text, rows.clone()) for text, rows in zip(missing, made, strict=True))
