"""The reader's training, on a BERT of two layers made here."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from bridge import train  # noqa: E402
from bridge.training import reading, stages, tagging  # noqa: E402
from bridge.training.instructions import Human, Labelled, label_human  # noqa: E402
from bridge.training.run import Run  # noqa: E402
from policies.trained import tensors  # noqa: E402
from policies.trained.encoder import PIECES, sequences  # noqa: E402
from policies.trained.models import Models  # noqa: E402
from policies.trained.reader import TAGS  # noqa: E402
from policies.trained.tagger import chain  # noqa: E402

pytestmark = pytest.mark.models
torch.set_num_threads(1)


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "base"
    torch.manual_seed(0)
    vocabulary = ["[unused0]", *PIECES[::-1]]  # in another order, with a piece that is not ours
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), hidden_size=24, num_hidden_layers=2, num_attention_heads=12, intermediate_size=48
    )
    transformers.BertModel(config).save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    monkeypatch.setattr(tagging, "base_model", lambda: folder)
    return folder


def test_numpy_reads_as_torch_does_and_the_loss_is_that_of_its_chains(base: Path) -> None:
    learner = tagging.Learner(base, 1)
    learner.bert.eval()
    tagger = learner.reader().tagger
    one = Labelled(("red", "shirt"), (" ", ","), (frozenset({"V"}), frozenset({"K", "O"})))
    other = Labelled(("a",), (" ",), (frozenset({"O"}),))
    ids = sequences(one.tokens, one.marks)[0][0]
    with torch.no_grad():
        assert np.allclose(learner.bert(input_ids=torch.tensor([ids])).last_hidden_state[0], tagger.encoder(ids), atol=1e-5)
        loss = float(learner.loss([one, other]))
    minus = 0.0
    for row in (one, other):
        scores = tagger.scores(row.tokens, row.marks)
        wrong = np.array([[0.0 if tag in allowed else -1e4 for tag in TAGS] for allowed in row.allowed], np.float32)
        minus += chain(scores, tagger.transitions).total - chain(scores + wrong, tagger.transitions).total
    assert loss == pytest.approx(minus / 3, rel=1e-4)


def test_a_reader_learns_what_it_is_shown(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tagging, "RATE", 3e-3)
    humans = [
        Human(f"i want a {colour} {kind} in size {size}", (), (colour, size), (kind,))
        for colour in ("red", "teal", "navy", "rose gold")
        for kind in ("dress", "couch", "shirt")
        for size in ("3x-large", "small", "16")
    ]
    random.Random(0).shuffle(humans)
    rows = [Labelled((), (), ()), *[label_human(human) for human in humans[:30]] * 4]
    reader = tagging.train_reader(Run(tmp_path / "out", "reader", False), rows, base, 10, 0, resume=False)
    assert reading.f1(reader, humans[30:], "option") == (1.0, 1.0, pytest.approx(1.0))
    assert [phrase.text for phrase in reader.read("i want a teal dress in size 3xl").of("option")] == ["teal", "3x-large"]
    assert reader.read("").phrases == ()


def test_the_stage_goes_on_after_a_stop_as_if_there_had_been_none(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "SMALL", stages.Scale(reader_epochs=2, wordings=1))
    rows = stages.reader_rows
    monkeypatch.setattr(stages, "reader_rows", lambda *arguments: rows(*arguments)[:40])
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    assert train.main(["reader", "--out", str(whole)]) == 0
    save = tagging.Progress.save

    def stop(self: tagging.Progress, done: int) -> None:
        save(self, done)
        raise KeyboardInterrupt

    monkeypatch.setattr(tagging.Progress, "save", stop)
    assert train.main(["reader", "--out", str(stopped)]) == 130
    monkeypatch.setattr(tagging.Progress, "save", save)
    assert train.main(["reader", "--out", str(stopped), "--resume"]) == 0
    one, other = (tensors.read(folder / "reader.safetensors") for folder in (whole, stopped))
    assert all((one[name] == other[name]).all() for name in one)
    assert json.loads((stopped / "results-reader.json").read_text())["figures"]["human_test"]["option"].keys() == {
        "precision",
        "recall",
        "f1",
    }
    assert train.main(["search", "--out", str(stopped), "--limit", "2"]) == 0
    assert len(Models.load(stopped / "weights.safetensors").reader.tagger.encoder.layers) == 2
