"""The choice network against WebShop's formulas written out with all their padding, and against WebShop's own module."""

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from policies.webshop.network import ChoiceNetwork, Scorer  # noqa: E402

pytestmark = pytest.mark.models
LISTS = [[5, 9, 3, 12], [7], [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 6], [30, 2]]


def config(**sizes: int) -> Any:
    wanted = {"vocab_size": 60, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64} | sizes
    return transformers.BertConfig(**wanted)


def padded(lists: list[list[int]]) -> tuple[Any, Any]:
    width = max(map(len, lists))
    ids = torch.tensor([ids + [0] * (width - len(ids)) for ids in lists])
    return ids, (torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in lists]))


def published(network: ChoiceNetwork, state: list[int], actions: list[list[int]], image: Any) -> Any:
    """The forward pass as the reference describes it (contract, 9.3), state repeated for each action."""
    ids, mask = padded([state])
    memory = network.bert(ids, attention_mask=mask)[0]
    if network.image_linear is not None:
        memory = torch.cat([network.image_linear(image)[None, None], memory], dim=1)
        mask = torch.cat([mask[:, :1], mask], dim=1)
    action_ids, action_mask = padded(actions)
    context = network.bert(action_ids, attention_mask=action_mask)[0]
    memory, mask = memory.repeat(len(actions), 1, 1), mask.repeat(len(actions), 1)
    att = network.attn.input_linear(context) + network.attn.memory_linear(memory).transpose(1, 2)
    att = att + torch.bmm(context * network.attn.dot_scale, memory.transpose(1, 2)) - 1e30 * (1 - mask[:, None])
    one = torch.bmm(torch.softmax(att, dim=-1), memory)
    two = torch.bmm(torch.softmax(att.max(dim=-1)[0], dim=-1)[:, None], context)
    hidden = torch.relu(network.linear_1(torch.cat([context, one, context * one, two * one], dim=-1)))
    means = torch.stack([row[: len(action)].mean(0) for row, action in zip(hidden, actions, strict=True)])
    return torch.log_softmax(network.linear_2(means).squeeze(1), dim=0)


@pytest.mark.parametrize("image", [False, True])
def test_scores_are_the_published_ones(image: bool) -> None:
    torch.manual_seed(0)
    network = ChoiceNetwork(config(), image).eval()
    state, features = [11, 12, 13, 14, 15, 16, 17], torch.randn(512)
    wanted = published(network, state, LISTS, features)
    found = Scorer(network)([(state, LISTS, features)])[0]
    assert torch.allclose(found, wanted, atol=1e-5)


def test_known_encodings_batches_and_other_widths_change_nothing() -> None:
    torch.manual_seed(1)
    network = ChoiceNetwork(config(), False).eval()
    scorer = Scorer(network)
    states = [[11, 12, 13], [14, 15, 16, 17, 18]]
    for actions in (LISTS[:2], LISTS, LISTS[1:]):
        for state, found in zip(states, scorer([(state, actions, None) for state in states]), strict=True):
            assert torch.allclose(found, published(network, state, actions, None), atol=1e-5)


def test_encodings_are_kept_within_bounds_and_used_again() -> None:
    network = ChoiceNetwork(config(), False)
    calls: list[int] = []
    encode = network.encode
    network.encode = lambda ids, mask: calls.append(len(ids)) or encode(ids, mask)  # type: ignore[method-assign,func-returns-value]
    scorer = Scorer(network, kept=3)
    scorer([([1, 2, 3], LISTS[:2], None)])
    first = len(calls)
    scorer([([1, 2, 3], LISTS[:2], None)])
    assert len(calls) == first
    scorer([([n, 2], LISTS, None) for n in range(5)])
    assert len(scorer._states) == 3


@pytest.mark.parametrize("image", [False, True])
def test_webshops_own_module_agrees(image: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = os.environ.get("WEBSHOP_CHECKOUT")
    if not checkout:
        pytest.skip("WEBSHOP_CHECKOUT names no checkout of princeton-nlp/WebShop")
    monkeypatch.syspath_prepend(str(Path(checkout) / "baseline_models"))
    monkeypatch.setattr(transformers.BertConfig, "from_pretrained", classmethod(lambda cls, *_: cls()))
    module = importlib.import_module("models.bert")
    sys.modules.pop("models", None)
    torch.manual_seed(2)
    sizes = {"vocab_size": 30526, "num_hidden_layers": 2}
    fields = transformers.BertConfig(**sizes).to_dict()
    theirs = module.BertModelForWebshop(
        module.BertConfigForWebshop(
            pretrained_bert=False, image=image, **{k: v for k, v in fields.items() if k not in ("model_type", "transformers_version")}
        )
    ).eval()
    ours = ChoiceNetwork(transformers.BertConfig(**sizes), image)
    ours.load_state_dict(theirs.state_dict())
    ids, mask = padded([[101, 2000, 2001, 102]])
    action_ids, action_mask = padded(LISTS)
    features = torch.randn(1, 512)
    wanted = theirs(ids, mask, action_ids, action_mask, torch.tensor([len(LISTS)]), images=features).logits[0]
    assert torch.allclose(Scorer(ours)([([101, 2000, 2001, 102], LISTS, features[0])])[0], wanted, atol=1e-5)
