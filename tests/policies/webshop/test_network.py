"""The choice network against WebShop's formulas written out with all their padding, and against WebShop's own module."""

from collections.abc import Iterator
from typing import Any

import pytest
from webshop_checkpoints import own_network

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from policies.webshop.network import ChoiceNetwork, Scorer  # noqa: E402

pytestmark = pytest.mark.models
torch.set_num_threads(1)  # the models are so small that threads only wait for each other
LISTS = [[5, 9, 3, 12], [7], [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 6], [30, 2]]
STATE = [11, 12, 13, 14, 15, 16, 17]


@pytest.fixture(params=[("float32", 1e-5), ("float64", 1e-10)], ids=["single", "double"], autouse=True)
def near(request: pytest.FixtureRequest) -> Iterator[float]:
    """How near the logits are: in single precision as asked for, in double precision so near that the formulas must be the same."""
    torch.set_default_dtype(getattr(torch, request.param[0]))
    torch.manual_seed(0)
    yield request.param[1]
    torch.set_default_dtype(torch.float32)


def same(found: Any, wanted: Any, near: float) -> bool:
    """Whether log-chances are equal, and are not all the same."""
    return bool(torch.allclose(found, wanted, atol=near, rtol=0)) and (wanted.max() - wanted.min()).item() > 0.01


def network(image: bool = False) -> ChoiceNetwork:
    sizes = {"vocab_size": 60, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    return ChoiceNetwork(transformers.BertConfig(**sizes), image).eval()


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
@pytest.mark.parametrize("given", [False, True])
def test_scores_are_the_published_ones(image: bool, given: bool, near: float) -> None:
    made = network(image)
    features = torch.randn(512) if given else None
    wanted = published(made, STATE, LISTS, features if given else torch.zeros(512))
    assert same(Scorer(made)([(STATE, LISTS, features)])[0], wanted, near)


def test_known_encodings_and_other_widths_change_nothing(near: float) -> None:
    made = network()
    scorer = Scorer(made)
    for actions in (LISTS[:2], LISTS, LISTS[1:]):
        assert same(scorer([(STATE, actions, None)])[0], published(made, STATE, actions, None), near)


def test_a_batch_scores_each_episode_as_if_it_were_alone(near: float) -> None:
    made = network()
    decisions = [(STATE, LISTS, None), (STATE[:3], LISTS[:2], None), ([8, *STATE], LISTS[1:3], None)]
    for (state, actions, _), found in zip(decisions, Scorer(made)(decisions), strict=True):
        assert same(found, published(made, state, actions, None), near)


def encoded(made: ChoiceNetwork, monkeypatch: pytest.MonkeyPatch) -> list[list[tuple[int, ...]]]:
    """The texts of each pass through BERT from now on."""
    passes: list[list[tuple[int, ...]]] = []
    encode = made.encode
    monkeypatch.setattr(made, "encode", lambda texts, widths: passes.append(list(texts)) or encode(texts, widths))
    return passes


def test_a_text_is_encoded_once_and_what_is_missing_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    made = network()
    passes = encoded(made, monkeypatch)
    scorer = Scorer(made)
    first = scorer([(STATE, LISTS, None), (STATE[:4], LISTS[1:], None)])  # two episodes, three actions in common
    assert [sorted(texts) for texts in passes] == [sorted(map(tuple, [STATE, STATE[:4], *LISTS]))]
    assert torch.equal(scorer([(STATE, LISTS, None)])[0], first[0])
    assert len(passes) == 1
    scorer([(STATE[1:], LISTS, None)])
    assert passes[1:] == [[tuple(STATE[1:])]]
    scorer([(STATE, [*LISTS, [9] * 13], None)])  # a longer action: the others need more of the padding
    assert len(passes[2]) == len(LISTS) + 1
    scorer([(STATE, [*LISTS, [8] * 16], None)])  # but not again for every further token
    assert passes[3:] == [[(8,) * 16]]


def test_no_more_tokens_are_kept_than_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    made = network()
    passes = encoded(made, monkeypatch)
    scorer = Scorer(made, kept=12)
    states = [[number] * 5 for number in (1, 2, 3)]
    for state in states:
        scorer([(state, [[7]], None)])
    assert [(7,) in texts for texts in passes] == [True, False, False]
    scorer([(states[2], [[7]], None), (states[1], [[7]], None)])
    assert len(passes) == 3
    scorer([(states[0], [[7]], None)])  # the oldest gave way
    assert passes[3:] == [[tuple(states[0])]]


@pytest.mark.parametrize("image", [False, True])
@pytest.mark.parametrize("count", [4, 30])
def test_webshops_own_module_agrees(image: bool, count: int, near: float, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours = own_network(image, monkeypatch)
    state = torch.randint(1000, 30000, (200,)).tolist()
    actions = [torch.randint(1000, 30000, (3 + 7 * place % 20,)).tolist() for place in range(count)]
    features = torch.randn(1, 512)
    wanted = theirs(*padded([state]), *padded(actions), torch.tensor([count]), images=features).logits[0]
    assert same(Scorer(ours)([(state, actions, features[0])])[0], wanted, near)
